/** The BM25 index against a naive reading of its formula. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LexicalDocument } from "../../src/ports.js";
import { Bm25Index } from "../../src/retrieve/lexical.js";

const count = (terms: readonly string[], term: string): number => terms.filter((other) => other === term).length;

/** BM25 as the formula says, over all documents, each time anew. */
function naiveScore(documents: ReadonlyMap<number, LexicalDocument>, slot: number, query: ReadonlyMap<string, number>): number {
  const document = documents.get(slot);
  if (!document) return 0;
  const frequency = (d: LexicalDocument, term: string): number =>
    count(d.terms, term) + count(d.speakerTerms, term) + 0.5 * count(d.previousTerms, term) + 0.25 * count(d.nextTerms, term);
  const length = (d: LexicalDocument): number =>
    d.terms.length + d.speakerTerms.length + 0.5 * d.previousTerms.length + 0.25 * d.nextTerms.length;
  const all = [...documents.values()];
  const average = all.reduce((sum, d) => sum + length(d), 0) / all.length || 1;
  let score = 0;
  for (const [term, weight] of query) {
    const n = all.filter((d) => d.terms.includes(term) || d.speakerTerms.includes(term)).length;
    const idf = Math.log(1 + (all.length - n + 0.5) / (n + 0.5));
    const f = frequency(document, term);
    score += (weight * idf * f * 2.2) / (f + 1.2 * (0.25 + 0.75 * (length(document) / average)));
  }
  return score;
}

const term = fc.constantFrom("a", "b", "c", "d", "e");
const terms = fc.array(term, { maxLength: 6 });
const document: fc.Arbitrary<LexicalDocument> = fc.record({
  terms,
  speakerTerms: fc.array(term, { maxLength: 1 }),
  previousTerms: terms,
  nextTerms: terms,
});
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("add" as const), slot: fc.nat(12), document }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove" as const), slot: fc.nat(12) }) },
);
const query = fc
  .uniqueArray(fc.tuple(term, fc.double({ min: 0.1, max: 2, noNaN: true })), { selector: ([name]) => name })
  .map((pairs) => new Map(pairs));

describe("Bm25Index", () => {
  it("scores as the formula does after any run of adding, replacing and removing", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), query, (changes, weights) => {
        const index = new Bm25Index();
        const documents = new Map<number, LexicalDocument>();
        for (const step of changes) {
          if (step.type === "add") {
            index.add(step.slot, step.document);
            documents.set(step.slot, step.document);
          } else {
            index.remove(step.slot);
            documents.delete(step.slot);
          }
        }
        const scores = index.scoreAll(weights);
        for (let slot = 0; slot < 13; slot++) expect(scores[slot] ?? 0).toBeCloseTo(naiveScore(documents, slot, weights), 4);
        expect(index.size).toBe(documents.size);
        const own = new Set([...documents.values()].flatMap((d) => [...d.terms, ...d.speakerTerms]));
        expect(index.terms).toBe(own.size);
        expect(new Map(index.vocabulary())).toEqual(
          new Map(
            [...own].map((name) => [
              name,
              [...documents.values()].filter((d) => d.terms.includes(name) || d.speakerTerms.includes(name)).length,
            ]),
          ),
        );
        for (const name of own) {
          const holders = [...documents]
            .filter(([, d]) => d.terms.includes(name) || d.speakerTerms.includes(name))
            .map(([slot]) => slot);
          expect([...index.postings(name)].sort((a, b) => a - b)).toEqual(holders.sort((a, b) => a - b));
        }
      }),
    );
  });

  it("gives nothing to slots that the mask forbids", () => {
    const index = new Bm25Index();
    const of = (...words: string[]): LexicalDocument => ({ terms: words, speakerTerms: [], previousTerms: [], nextTerms: [] });
    index.add(0, of("kayak"));
    index.add(1, of("kayak"));
    index.add(2, of("boat"));
    const scores = index.scoreAll(new Map([["kayak", 1]]), new Uint8Array([0, 1]));
    expect(scores[0]).toBe(0);
    expect(scores[1]).toBeGreaterThan(0);
  });

  it("is empty again after clear", () => {
    const index = new Bm25Index();
    index.add(300, { terms: ["x"], speakerTerms: [], previousTerms: [], nextTerms: [] });
    index.clear();
    expect([index.size, index.terms, index.scoreAll(new Map([["x", 1]])).length]).toEqual([0, 0, 0]);
  });

  it("refuses slots and weights that cannot be", () => {
    expect(() => new Bm25Index({ b: 2 })).toThrow(RangeError);
    expect(() => new Bm25Index().add(-1, { terms: [], speakerTerms: [], previousTerms: [], nextTerms: [] })).toThrow(RangeError);
  });
});
