/** What holds of every embedder, in Node and in a browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/ports.js";

const TEXTS = [
  "I turned vegetarian in May, so no steak for me.",
  "What does Anna eat?",
  "Der Zug nach Köln fährt um 8:15 Uhr.",
  "我喜欢喝绿茶。",
  "order #A-1043 was paid with 12,50 €",
  "🎉🎉",
];
/** More than any embedder reads. */
const LONG = "word ".repeat(2_000);

/** @param least the smallest cosine that two runs over the same text may have: 1 where a text's vector does not depend
 * on the texts beside it */
export function embedderContract(
  name: string,
  open: () => Promise<Embedder>,
  { least = 1 - 1e-6 }: { readonly least?: number } = {},
): void {
  describe(`${name} as an embedder`, { timeout: 120_000 }, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    }, 120_000);
    afterAll(() => embedder.close());

    it("gives one row of unit norm a text, in the order of the texts", async () => {
      const rows = split(await embedder.embed([...TEXTS, LONG]), embedder.dimension);
      expect(rows).toHaveLength(TEXTS.length + 1);
      for (const row of rows) expect(Math.sqrt(cosine(row, row))).toBeCloseTo(1, 4);
      for (const [at, text] of TEXTS.entries()) {
        expect(cosine(rows[at]!, await embedder.embed([text]))).toBeGreaterThan(least);
      }
    });

    it("gives the zero row for an empty text and leaves its neighbours alone", async () => {
      const [none, blank, text] = split(await embedder.embed(["", " \n\t ", "tea"]), embedder.dimension);
      expect(none!.every((value) => value === 0)).toBe(true);
      expect(blank!.every((value) => value === 0)).toBe(true);
      expect(cosine(text!, await embedder.embed(["tea"]))).toBeGreaterThan(least);
    });

    it("gives no rows for no texts", async () => {
      expect(await embedder.embed([])).toHaveLength(0);
    });

    it("gives the same vectors for the same texts", async () => {
      expect(await embedder.embed(TEXTS)).toEqual(await embedder.embed(TEXTS));
    });

    it("puts sentences of one meaning nearer than others", async () => {
      const [question, answer, other] = split(
        await embedder.embed([
          "Which food does my sister like?",
          "My sister loves pizza and pasta.",
          "The printer needs a new driver.",
        ]),
        embedder.dimension,
      );
      expect(cosine(question!, answer!)).toBeGreaterThan(cosine(question!, other!) + 0.1);
    });

    it("rejects with the signal's reason when it is aborted before or in mid-work", async () => {
      const reason = new Error("typed on");
      await expect(embedder.embed(["tea"], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const controller = new AbortController();
      const call = embedder.embed(Array<string>(20_000).fill(TEXTS[0]!), { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 5);
      await expect(call).rejects.toBe(reason);
      expect(await embedder.embed(["tea"])).toHaveLength(embedder.dimension);
    });

    it('closes twice, and rejects what comes after with "closed"', async () => {
      const own = await open();
      await own.close();
      await own.close();
      await expect(own.embed(["tea"])).rejects.toMatchObject({ name: "MemoryError", code: "closed" });
    });
  });
}

export function split(rows: Float32Array, dimension: number): Float32Array[] {
  return Array.from({ length: rows.length / dimension }, (_, at) => rows.slice(at * dimension, (at + 1) * dimension));
}

/** Dot product; the vectors are of unit norm. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * b[d]!, 0);
}
