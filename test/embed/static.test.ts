import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openStaticEmbedder } from "../../src/embed/static.js";
import { cosine, embedderContract, split } from "./contract.js";

const file = await readFile(new URL("../../workers/embeddings.bin", import.meta.url));
const bytes = (): ArrayBuffer => new Uint8Array(file).buffer;

embedderContract("the static embedder", async () => openStaticEmbedder(bytes()));

describe("the static embedder", () => {
  const embedder = openStaticEmbedder(bytes());

  it("is small and names its vectors after what the file holds", () => {
    expect(file.byteLength).toBeLessThanOrEqual(2_400_000);
    expect(embedder.dimension).toBe(64);
    expect(embedder.id).toMatch(/^static-minilm-64@[0-9a-f]{8}$/);
  });

  it("tells where its vectors come from, and nothing of LoCoMo is among it", () => {
    expect(embedder.provenance.teacher).toMatch(/all-MiniLM-L6-v2/);
    expect(embedder.provenance.data.length).toBeGreaterThan(0);
    expect(embedder.provenance.data.join()).not.toMatch(/locomo/i);
  });

  it("embeds at once what it embeds with a promise", async () => {
    const texts = Array.from({ length: 2_500 }, (_, at) => `note ${at}: buy ${at} eggs`);
    const later = await embedder.embed(texts);
    expect(embedder.embedSync(texts).every((value, at) => value === later[at])).toBe(true);
  });

  it("reads no further than 256 pieces", () => {
    const [long, longer] = split(embedder.embedSync(["tea ".repeat(256), `${"tea ".repeat(256)}coffee`]), 64);
    expect(cosine(long!, longer!)).toBeCloseTo(1, 5);
  });

  it("sees no case and no accents", () => {
    const [plain, shouted] = split(embedder.embedSync(["a cafe in zurich", "A CAFÉ IN ZÜRICH"]), 64);
    expect(cosine(plain!, shouted!)).toBeCloseTo(1, 5);
  });
});

describe("word vectors of the static embedder", () => {
  const embedder = openStaticEmbedder(bytes());
  const of = (...words: string[]) => split(embedder.vectors(words), embedder.dimension);

  it("link a category to its instances, and not to other words", () => {
    const [fruit, apple, invoice] = of("fruit", "apple", "invoice");
    expect(cosine(fruit!, apple!)).toBeGreaterThan(0.4);
    expect(cosine(fruit!, invoice!)).toBeLessThan(0.3);
  });

  it("are of unit norm, words of several pieces too", () => {
    for (const vector of of("apple", "snowboarding", "ukulele", "Kuchen")) expect(cosine(vector, vector)).toBeCloseTo(1, 4);
  });

  it("are zero for what is no word", () => {
    expect(of("")[0]!.every((value) => value === 0)).toBe(true);
  });

  it("are centred: unrelated words have cosines about zero", () => {
    const words = of("river", "tax", "violin", "carrot", "engine", "monday", "nurse", "cloud");
    const cosines = words.flatMap((a, at) => words.slice(at + 1).map((b) => cosine(a, b)));
    expect(Math.abs(cosines.reduce((sum, value) => sum + value) / cosines.length)).toBeLessThan(0.15);
  });
});

describe("a damaged file of static embeddings", () => {
  const refused = expect.objectContaining({ name: "MemoryError", code: "asset-unavailable" });
  const opening = (damaged: Uint8Array) => () => openStaticEmbedder(new Uint8Array(damaged).buffer);

  it("is refused when it is empty, foreign or cut off", () => {
    expect(opening(new Uint8Array(0))).toThrow(refused);
    expect(opening(new TextEncoder().encode("<!doctype html><title>Not found</title>".repeat(20)))).toThrow(refused);
    expect(opening(file.subarray(0, file.length - 1))).toThrow(refused);
    expect(opening(file.subarray(0, 20))).toThrow(refused);
  });

  it("is refused when one bit of it is flipped, wherever", () => {
    for (const at of [0, 4, 6, 8, 12, 16, 30, 100_000, 1_500_000, file.length - 300, file.length - 1]) {
      const damaged = Uint8Array.from(file);
      damaged[at]! ^= 4;
      expect(opening(damaged), `byte ${at}`).toThrow(refused);
    }
  });
});
