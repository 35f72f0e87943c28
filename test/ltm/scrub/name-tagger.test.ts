import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { NameTagger } from "../../../src/ltm/scrub/name-tagger.js";
import { Scrubber } from "../../../src/ltm/scrub/scrubber.js";

const FILE = fileURLToPath(new URL("../../../workers/names.bin", import.meta.url));

async function scrubber(tagger?: NameTagger, people: readonly { readonly name: string }[] = []): Promise<Scrubber> {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(32), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Scrubber({ key, people, ...(tagger && { tagger }) });
}

describe("the name tagger", () => {
  let bytes: Uint8Array<ArrayBuffer>;
  let tagger: NameTagger;
  beforeAll(async () => {
    bytes = new Uint8Array(await readFile(FILE));
    tagger = await NameTagger.open(bytes);
  });

  test("is at most 300 KB", () => {
    expect(bytes.length).toBeLessThanOrEqual(300 * 1024);
  });

  test.each([
    ["Yesterday evening I cooked with Gabriella at her flat.", "Gabriella"],
    ["Gestern Abend habe ich mit Friederike gekocht.", "Friederike"],
    ["Anoche cociné con Fernanda en su casa.", "Fernanda"],
    ["昨晚我和王建国一起做饭。", "王建国"],
  ])("finds the name in %j and restores it", async (text, name) => {
    const scrub = await scrubber(tagger);
    const { texts, labels } = await scrub.scrub([text]);
    expect(texts[0]).not.toContain(name);
    expect(scrub.restore(texts[0] ?? "", labels)).toBe(text);
  });

  test("gives one person one placeholder and two persons two", async () => {
    const scrub = await scrubber(tagger);
    const { texts } = await scrub.scrub(["I called Gabriella.", "Then Gabriella called Winston."]);
    const labels = texts.flatMap((text) => text.match(/\[PERSON_[^\]]*\]/g) ?? []).map((label) => label.slice(0, 16));
    expect(labels).toHaveLength(3);
    expect(labels[0]).toBe(labels[1]);
    expect(labels[2]).not.toBe(labels[0]);
  });

  test("refuses a damaged file", async () => {
    const damaged = bytes.slice();
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    await expect(NameTagger.open(damaged)).rejects.toMatchObject({ code: "asset-unavailable" });
    await expect(NameTagger.open(new Uint8Array(3))).rejects.toMatchObject({ code: "asset-unavailable" });
  });

  test("finds a name that a zero-width space splits", async () => {
    const { texts } = await (await scrubber(tagger)).scrub(["Yesterday I met Gabri\u200bella at work."]);
    expect(texts[0]).not.toMatch(/Gabri|ella/);
  });
});

test("twenty thousand known names are all found, in a text that names some", { timeout: 20_000 }, async () => {
  const people = Array.from({ length: 20_000 }, (_, at) => ({ name: `Qx${at.toString(36)} Zv${at.toString(36)}` }));
  const text = people
    .slice(0, 200)
    .map(({ name }) => `I met ${name} today.`)
    .join(" ");
  const { texts } = await (await scrubber(undefined, people)).scrub([text]);
  expect(texts[0]).not.toMatch(/Qx|Zv/);
});
