import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { KnownNames, type KnownPerson } from "../../../src/ltm/scrub/known-names.js";
import { NameTagger } from "../../../src/ltm/scrub/name-tagger.js";
import { Scrubber } from "../../../src/ltm/scrub/scrubber.js";

/** What of a text is a known name, and whose. */
const found = (text: string, ...people: (string | KnownPerson)[]) =>
  new KnownNames(people.map((person) => (typeof person === "string" ? { name: person } : person)))
    .find(text)
    .map(({ start, end, identity }) => [text.slice(start, end), identity]);

describe("a name that the memory knows", () => {
  it.each([
    ["Annas Auto ist rot.", "Anna", "Annas"],
    ["Das ist annas auto.", "Anna", "annas"],
    ["Peters Hund heißt Rex.", "Peter", "Peters"],
    ["Jürgens Boot, Hans' Haus", "Jürgen", "Jürgens"],
    ["Hans' Haus und Hansens Hof", "Hans", "Hans"],
    ["Fritzens Garten", "Fritz", "Fritzens"],
    ["Juergen kommt.", "Jürgen", "Juergen"],
    ["Jürgen kommt.", "Juergen", "Jürgen"],
    ["Herr Strauss kommt.", "Oskar Strauß", "Strauss"],
    ["The meeting was Annas' idea.", "Anna", "Annas"],
    ["Anna's car", "Anna", "Anna"],
    ["Bring es zu Maren Holts Büro", "Maren Holt", "Maren Holts"],
    ["La casa de Ana es grande.", "Ana", "Ana"],
    ["La casa de JOSÉ", "José", "JOSÉ"],
    ["anna_smith and AnnaSmith", "Anna Smith", "anna_smith"],
    ["my handle anna1990", "Anna", "anna1990"],
    ["小明喜欢喝茶。", "王小明", "小明"],
    ["我见了王 小明。", "王小明", "王 小明"],
    ["阿明来了。", "王明", "阿明"],
    ["修文走了。", "欧阳修文", "修文"],
    ["玛丽来了。", "玛丽·史密斯", "玛丽"],
  ])("is found in %j", (text, name, form) => {
    expect(found(text, name)[0]).toEqual([form, name]);
  });

  it("is hidden as itself where another may be called so", () => {
    expect(found("Andreas kam.", "Andrea")).toEqual([["Andreas", "andreas"]]);
    expect(found("Herr Peters kam.", "Peter")).toEqual([["Peters", "peters"]]);
    expect(found("The Holts came.", "Maren Holt")).toEqual([["Holts", "holts"]]);
    expect(found("Karl-Peter kam.", "Peter")).toEqual([["Karl-Peter", "karl-peter"]]);
    expect(found("Anita vino.", "Ana")).toEqual([["Anita", "anita"]]);
    expect(found("王先生来了。", "王小明")).toEqual([["王先生", "王先生"]]);
  });

  it("is not seen in words that only look like a form of it", () => {
    expect(found("ellas vinieron, und das ist es", "Ella", "Da", "E")).toEqual([]);
    expect(found("Cars are fast, marks too.", { name: "Caroline", nicknames: ["Car"] }, "Mark")).toEqual([]);
  });

  it("may be a word in small letters, where its neighbours tell a name", () => {
    expect(found("will said so, and my sister joy agrees", "Will", "Joy").map(([name]) => name)).toEqual(["will", "joy"]);
    expect(found("It was will's idea.", "Will").map(([name]) => name)).toEqual(["will"]);
    expect(found("My brother will come with joy, and art is long.", "Will", "Joy", "Art")).toEqual([]);
  });
});

describe("one person", () => {
  let tagger: NameTagger;
  let key: CryptoKey;
  beforeAll(async () => {
    const file = fileURLToPath(new URL("../../../workers/names.bin", import.meta.url));
    tagger = await NameTagger.open(new Uint8Array(await readFile(file)));
    key = await crypto.subtle.importKey("raw", new Uint8Array(32), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  });
  const labels = async (texts: string[], ...people: string[]) => {
    const one = new Scrubber({ key, people: people.map((name) => ({ name })), tagger });
    const { texts: sent } = await one.scrub(texts);
    return { sent: sent.join("\n"), labels: sent.flatMap((text) => text.match(/PERSON_[a-z2-7]{8}/g) ?? []) };
  };

  it("has one placeholder by first name, surname and both, though the memory knows but one of them", async () => {
    const { sent, labels: all } = await labels(["Jonas Weber met Jonas.", "Weber left, Webers Hund too."], "Jonas");
    expect(sent).not.toMatch(/Jonas|Weber/);
    expect(all).toHaveLength(4);
    expect(new Set(all).size).toBe(1);
  });

  it("has one placeholder where nobody told the memory of them", async () => {
    const { sent, labels: all } = await labels(["Rebecca Stone called. Then Rebecca came and Ms Stone left. rebecca was late."]);
    expect(sent).not.toMatch(/rebecca|stone/i);
    expect(all).toHaveLength(4);
    expect(new Set(all).size).toBe(1);
  });

  it("is never another who bears the same name", async () => {
    const { labels: all } = await labels(["Jonas Weber met Jonas Klein.", "Jonas left."], "Jonas");
    expect(new Set(all).size).toBe(3);
    const { labels: others } = await labels(["Ana Díaz met Ana Kovač.", "Ana left."], "Ana Díaz");
    expect(new Set(others).size).toBe(3);
  });

  it("is not their dog", async () => {
    const { sent, labels: all } = await labels(["Peter lacht. Peters Hund bellt."], "Peter");
    expect(sent).toContain("Hund bellt");
    expect(new Set(all).size).toBe(1);
  });

  it("does not take the next sentence's first word for a surname", async () => {
    const { sent } = await labels(["Thanks Gabriella. Talk to you soon."]);
    expect(sent).toMatch(/\. Talk to you soon\.$/);
  });
});
