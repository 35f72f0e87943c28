/** Links between words that mean nearly the same. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WordVectors } from "../../src/ports.js";
import { SoftLinks } from "../../src/retrieve/soft-links.js";
import { FlatIndex } from "../../src/vector/flat.js";

/** Words on a circle: neighbours in the list are 20 degrees apart. */
const CIRCLE = ["activity", "pottery", "painting", "camping", "engine", "piston", "gearbox", "invoice", "receipt"];
const vectors: WordVectors = {
  dimension: 2,
  vectors: (words) =>
    Float32Array.from(
      words.flatMap((word) => {
        const place = CIRCLE.indexOf(word);
        return place < 0 ? [0, 0] : [Math.cos((place * Math.PI) / 9), Math.sin((place * Math.PI) / 9)];
      }),
    ),
};
const byScan = (): SoftLinks => new SoftLinks(vectors);
const byIndex = (): SoftLinks => new SoftLinks(vectors, new FlatIndex({ dimension: 2 }));

describe.each([
  ["scanning itself", byScan],
  ["with an index", byIndex],
])("SoftLinks %s", (_, make) => {
  it("links a category word to its instances, the nearer the more, and to nothing else", () => {
    const links = make();
    links.add(0, ["pottery"]);
    links.add(1, ["camping"]);
    links.add(2, ["invoice"]);
    const scores = links.scores(["activity"], 3, 3);
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
    expect(scores[1]).toBeGreaterThan(0);
    expect(scores[2]).toBe(0);
  });

  it("does not link a word with itself, which the lexical index does already", () => {
    const links = make();
    links.add(0, ["pottery"]);
    expect([...links.scores(["pottery"], 1, 1)]).toEqual([0]);
  });

  it("takes the best word of an entry and sums over the question's", () => {
    const links = make();
    links.add(0, ["pottery", "painting"]);
    links.add(1, ["pottery"]);
    links.add(2, ["pottery", "piston"]);
    const one = links.scores(["activity"], 3, 3);
    expect(one[0]).toBeCloseTo(Math.max(one[0] ?? 0, one[1] ?? 0));
    const two = links.scores(["activity", "engine"], 3, 3);
    expect(two[2]).toBeGreaterThan(two[1] ?? 0);
  });

  it("leaves out words that are everywhere", () => {
    const links = make();
    for (let slot = 0; slot < 61; slot++) links.add(slot, ["pottery"]);
    expect(Math.max(...links.scores(["activity"], 61, 100))).toBe(0);
    links.remove(60);
    expect(Math.max(...links.scores(["activity"], 61, 100))).toBeGreaterThan(0);
  });

  it("is what a fresh one would be after any run of adding, replacing and removing", () => {
    const words = fc.uniqueArray(fc.constantFrom(...CIRCLE, "unknown"), { maxLength: 4 });
    const step = fc.record({ slot: fc.nat(5), words: fc.option(words, { freq: 3 }), ask: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const links = make();
        const held = new Map<number, string[]>();
        for (const { slot, words: given, ask } of steps) {
          if (given) links.add(slot, given);
          else links.remove(slot);
          if (given) held.set(slot, given);
          else held.delete(slot);
          if (ask) links.scores(["activity"], 6, 6);
        }
        const fresh = make();
        for (const [slot, given] of held) fresh.add(slot, given);
        expect([...links.scores(["activity", "engine"], 6, 6)]).toEqual(
          [...fresh.scores(["activity", "engine"], 6, 6)].map((score) => expect.closeTo(score, 5) as number),
        );
        expect(links.size).toBe(fresh.size);
      }),
      { numRuns: 50 },
    );
  });
});

it("refuses an index of another dimension", () => {
  expect(() => new SoftLinks(vectors, new FlatIndex({ dimension: 3 }))).toThrow(RangeError);
});
