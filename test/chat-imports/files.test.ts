import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { chatGptConversation, node, read, textsOf } from "./read.js";
import { zipOf } from "./zip-of.js";

const one = (text: string, id: string) =>
  JSON.stringify([chatGptConversation([node(id, null, text)], { id, conversation_id: id })]);
const unsupported = (error: unknown) => isMemoryError(error, "unsupported");

describe("a zip", () => {
  it("is read part by part in their order, without what is no conversation", async () => {
    const zip = zipOf({
      "chat.html": "<html>",
      "user.json": '{"id":"u","email":"me@example.org"}',
      "export_manifest.json": "{}",
      "conversations-10.json": one("Ten.", "c10"),
      "conversations-002.json": one("Two.", "c2"),
      "file-abc.png": "xxxx",
      "__MACOSX/conversations.json": "junk",
    });
    const found = await read(new Blob([zip]));
    expect(textsOf(found)).toEqual(["Two.", "Ten."]);
    expect(found.damages).toEqual([]);
    const [done, total] = found.bytes.at(-1) ?? [];
    expect(done).toBe(total);
    expect(total).toBeGreaterThan(100);
  });

  it("says which of its files hold nothing that can be read", async () => {
    const zip = zipOf({ "conversations.json": one("One.", "c1"), "new_feature.json": '{"a":[1]}', "other.json": "{" });
    const found = await read(new Blob([zip]));
    expect(textsOf(found)).toEqual(["One."]);
    expect(found.damages.map((damage) => damage.split(/[:/]/)[0])).toEqual(["new_feature.json", "other.json", "other.json"]);
  });

  it("in a zip is read too, and one that comes as a stream", async () => {
    const inner = zipOf({ "conversations.json": one("Inside.", "c1") });
    const zip = zipOf({ "manifest-1.json": "{}", "conversations-000.zip": inner, "memories-000.zip": inner });
    expect(textsOf(await read(new Blob([zip])))).toEqual(["Inside."]);
    expect(textsOf(await read(new Blob([zip]).stream()))).toEqual(["Inside."]);
  });

  it("costs only the part that is damaged", async () => {
    const good = one("I kayak.", "c1");
    const zip = zipOf({ "conversations-000.json": one("I bake bread on Sundays.", "c0"), "conversations-001.json": good });
    // A byte of the first file's data: it stands after its header of 30 bytes and its name.
    const at = 30 + "conversations-000.json".length + 12;
    zip[at] = (zip[at] ?? 0) ^ 0xff;
    const found = await read(new Blob([zip]));
    expect(textsOf(found)).toContain("I kayak.");
    expect(found.damages.length).toBeGreaterThan(0);
  });

  it("that holds nothing of it, or is none, is refused", async () => {
    await expect(read(new Blob([zipOf({ "notes.txt": "x" })]))).rejects.toSatisfy(unsupported);
    await expect(read(new Blob([zipOf({ "conversations.json": one("x y", "c") }).slice(0, 60)]))).rejects.toSatisfy(unsupported);
  });

  it("made by another program is read by range", async () => {
    const folder = mkdtempSync(join(tmpdir(), "keepsake-zip-"));
    afterAll(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/conversations.json"), one("I cook.".repeat(1_000), "c1"));
    execFileSync("python3", ["-m", "zipfile", "-c", join(folder, "a.zip"), join(folder, "data")]);
    expect(textsOf(await read(await openAsBlob(join(folder, "a.zip"))))).toEqual(["I cook.".repeat(1_000)]);
    expect(readFileSync(join(folder, "a.zip")).length).toBeLessThan(10_000_000);
  });
});

describe("a stream", () => {
  it("may give bytes, strings or single bytes, and be packed", async () => {
    const text = one("Ich wohne in Köln 🏠.", "c1");
    const bytes = new TextEncoder().encode(text);
    const single = async function* () {
      for (const byte of bytes) yield new Uint8Array([byte]);
    };
    const strings = async function* () {
      yield text.slice(0, 40);
      yield text.slice(40);
    };
    for (const source of [single(), strings(), new Blob([gzipSync(bytes)]), new Blob([gzipSync(bytes)]).stream()])
      expect(textsOf(await read(source))).toEqual(["Ich wohne in Köln 🏠."]);
  });

  it("may be UTF-16 or begin with a byte order mark", async () => {
    const text = `\ufeff${one("Grüezi.", "c1")}`;
    expect(textsOf(await read(new Blob([text])))).toEqual(["Grüezi."]);
    expect(textsOf(await read(new Blob([Buffer.from(text, "utf16le")])))).toEqual(["Grüezi."]);
  });

  it("that fails, fails the reading with its own error", async () => {
    const broken = async function* () {
      yield one("x y", "c1").slice(0, 50);
      throw new Error("the line went dead");
    };
    await expect(read(broken())).rejects.toThrow("the line went dead");
    const numbers = (async function* () {
      yield 7;
    })() as unknown as AsyncIterable<string>;
    await expect(read(numbers)).rejects.toBeInstanceOf(TypeError);
  });
});
