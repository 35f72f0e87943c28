import { describe, expect, it } from "vitest";
import type { Embedder } from "../../src/ports.js";
import { PairedEmbedder, PairedIndex } from "../../src/retrieve/two-spaces.js";
import { FlatIndex } from "../../src/vector/flat.js";

const unit = (...values: readonly number[]): Float32Array => {
  const norm = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / norm);
};

/** Angle in degrees from the first axis. */
const at = (degrees: number): Float32Array => unit(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

function embedderOf(id: string, embed: Embedder["embed"], dimension = 2): Embedder {
  return { id, dimension, embed, close: async () => undefined };
}

const never: Embedder["embed"] = () => new Promise(() => undefined);
const axis: Embedder["embed"] = async (texts) => Float32Array.from(texts.flatMap(() => [1, 0]));
const atOnce = () => ({ done: new Promise<void>((resolve) => setTimeout(resolve)), cancel: () => undefined });

describe("a search in two spaces", () => {
  it("ranks what only the other space holds where the leader would, though its cosines are high and close together", () => {
    const lead = new FlatIndex({ dimension: 2 });
    const other = new FlatIndex({ dimension: 3 });
    // The other model gives every text a large common part, so its cosines lie in .9 to 1.
    const crowded = (degrees: number) => unit(3, Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
    const angles = Array.from({ length: 60 }, (_, slot) => (slot * 37) % 180);
    angles.forEach((degrees, slot) => {
      if (slot % 5 !== 0) lead.add(slot, at(degrees));
      if (slot % 5 === 0 || slot % 2 === 0) other.add(slot, crowded(degrees));
    });
    const paired = new PairedIndex(lead, other);
    const query = Float32Array.of(...at(0), ...crowded(0));
    const { best } = paired.scoreAll(query);
    const wrong = angles.filter((degrees, slot) => Math.abs((best[slot] as number) - Math.cos((degrees * Math.PI) / 180)) > 0.12);
    expect(wrong).toEqual([]);
    const nearest = paired.search(query, 10).map(({ slot }) => angles[slot]);
    const expected = [...angles].sort((a, b) => a - b).slice(0, 10);
    expect(nearest.filter((angle) => expected.includes(angle as number)).length).toBeGreaterThanOrEqual(9);
  });

  it("takes cosines as they are while hardly any entry is in both", () => {
    const lead = new FlatIndex({ dimension: 2 });
    const other = new FlatIndex({ dimension: 2 });
    lead.add(0, at(10));
    other.add(1, at(40));
    const { whole } = new PairedIndex(lead, other).scoreAll(Float32Array.of(...at(0), ...at(0)));
    expect([...whole].map((score) => score.toFixed(2))).toEqual(["0.98", "0.77"]);
  });

  it("scores by one space alone where the question has no vector in the other, and passes a mask on", () => {
    const lead = new FlatIndex({ dimension: 2 });
    const other = new FlatIndex({ dimension: 2 });
    lead.add(0, at(0));
    other.add(1, at(0));
    other.add(2, at(0));
    const paired = new PairedIndex(lead, other);
    expect(paired.size).toBe(3);
    expect(paired.search(Float32Array.of(0, 0, 1, 0), 5, Uint8Array.of(1, 0, 1)).map(({ slot }) => slot)).toEqual([2]);
    expect(paired.search(Float32Array.of(1, 0, 0, 0), 5).map(({ slot }) => slot)).toEqual([0]);
    expect(paired.search(new Float32Array(4), 5)).toEqual([]);
    expect([...(paired.rowsOf(0) ?? [])]).toEqual([1, 0, 0, 0]);
    expect(paired.rowsOf(1)).toBeUndefined();
  });
});

describe("an embedding in two spaces", () => {
  it("puts both end to end", async () => {
    const paired = new PairedEmbedder(
      embedderOf("a", async (texts) => Float32Array.from(texts.flatMap((_, row) => [row, 1]))),
      embedderOf("b", async (texts) => Float32Array.from(texts, (_, row) => 10 + row), 1),
    );
    expect([paired.dimension, ...(await paired.embed(["x", "y"]))]).toEqual([3, 0, 1, 10, 1, 1, 11]);
  });

  it("does without the other where it is late or fails, and without the leader where that fails", async () => {
    const fails: Embedder["embed"] = () => Promise.reject(new Error("gone"));
    const embed = async (lead: Embedder["embed"], other: Embedder["embed"]) => [
      ...(await new PairedEmbedder(embedderOf("a", lead), embedderOf("b", other), atOnce).embed(["x"])),
    ];
    expect(await embed(axis, never)).toEqual([1, 0, 0, 0]);
    expect(await embed(axis, fails)).toEqual([1, 0, 0, 0]);
    expect(await embed(fails, axis)).toEqual([0, 0, 1, 0]);
    await expect(embed(fails, fails)).rejects.toThrow("gone");
  });

  it("stops the other when the caller leaves", async () => {
    const leaving = new AbortController();
    let told: AbortSignal | undefined;
    const other: Embedder["embed"] = (_, options) => {
      told = options?.signal;
      return new Promise(() => undefined);
    };
    const lead: Embedder["embed"] = (_, options) =>
      new Promise((_resolve, reject) => options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)));
    const embedding = new PairedEmbedder(embedderOf("a", lead), embedderOf("b", other)).embed(["x"], { signal: leaving.signal });
    leaving.abort("left");
    await expect(embedding).rejects.toBe("left");
    expect(told?.aborted).toBe(true);
  });
});
