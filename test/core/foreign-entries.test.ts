/** What is stored as an entry and is none by its shape: of another version, another program, or nobody knows whom. */

import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import { checksumOf } from "../../src/store/checksum.js";
import { databaseFile } from "../../src/store/sqlite/file.js";
import { toKey } from "../../src/store/sqlite/key.js";
import type { EntryId } from "../../src/types.js";
import { makeVersion1 } from "../store/fixtures/sqlite-version1.js";
import { entriesOf, openedMemories } from "./opened.js";

const { directory, open } = openedMemories();

type Body = Record<string, unknown>;

/** Puts other bodies in the place of entries, with checksums that are right. */
function rewrite(name: string, change: (body: Body) => unknown): void {
  const file = new Sqlite(databaseFile(directory, name));
  for (const { id, body } of file.prepare<[], { id: Buffer; body: string }>("SELECT id, body FROM entries").all()) {
    const changed = JSON.stringify(change(JSON.parse(body) as Body));
    file.prepare("UPDATE entries SET body = ?, checksum = ? WHERE id = ?").run(changed, checksumOf(changed), id);
  }
  file.close();
}

const without = (body: Body, ...keys: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

async function told(): Promise<Memory> {
  const memory = await open();
  await memory.record({ user: "I keep my passport in the blue drawer." });
  await memory.record({ user: "I water the ferns on Mondays." });
  return memory;
}

const isPassport = ({ text }: Body): boolean => String(text).includes("passport");
const saved = (memory: Memory) => new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();

describe("a memory that holds what is no entry by its shape", () => {
  it.each<[string, (body: Body) => Body]>([
    ["without what is searched", (body) => without(body, "indexText")],
    ["with nothing but an id and a text", ({ id, revision, text }) => ({ id, revision, text })],
    ["with a number for its words", (body) => ({ ...body, indexText: 5 })],
    ["with a source without its quote", (body) => ({ ...body, sources: [{ turnId: "gone", role: "user" }] })],
    ["said at a time that no date can hold", (body) => ({ ...body, saidAt: 1e300 })],
    ["of an unknown kind", (body) => ({ ...body, kind: "joke" })],
  ])("writes one %s anew from what was said, and names it once", async (_, change) => {
    const memory = await told();
    const before = await entriesOf(memory);
    await memory.close();
    rewrite(memory.name, (body) => (isPassport(body) ? change(body) : body));
    const again = await open();
    expect((await again.stats()).degraded).toEqual([
      { part: "entries", reason: expect.stringMatching(/shape that entries have; it was written anew/) },
    ]);
    expect((await again.recall("Where is my passport?")).items[0]?.text).toContain("blue drawer");
    expect((await entriesOf(again)).map(({ id, text }) => [id, text])).toEqual(before.map(({ id, text }) => [id, text]));
    await again.close();
    const third = await open();
    expect((await third.stats()).degraded).toEqual([]);
  });

  it.each<[string, Body]>([
    ["context", { previous: 5 }],
    ["changes", 7 as never],
    ["eventTime", { from: "x" }],
    ["validTo", 1e300 as never],
    ["pinned", "yes" as never],
  ])("takes from one what it need not have and is not of its shape: %s", async (field, value) => {
    const memory = await told();
    const passport = (await entriesOf(memory)).find(isPassport as never);
    await memory.update(passport?.id as EntryId, { text: "I keep my passport in the red drawer." });
    await memory.close();
    rewrite(memory.name, (body) => (isPassport(body) ? { ...body, [field]: value, later: 1 } : body));
    const again = await open();
    expect((await again.recall("Where is my passport?")).items[0]?.text).toContain("red drawer");
    const entry = await again.get(passport?.id as EntryId);
    expect(entry).toMatchObject({ text: "I keep my passport in the red drawer.", later: 1 });
    expect(entry?.[field as "context"]).toBeUndefined();
    expect((await again.stats()).degraded).toMatchObject([
      { part: "entries", reason: expect.stringContaining("left out of it") },
    ]);
  });

  it("leaves one aside that no turn tells of, saves what is sound, and lets it go with the first that is forgotten", async () => {
    const memory = await told();
    const passport = (await entriesOf(memory)).find(isPassport as never)?.id as EntryId;
    await memory.close();
    rewrite(memory.name, (body) => (isPassport(body) ? without(body, "indexText", "subject") : body));
    const file = new Sqlite(databaseFile(directory, memory.name));
    file.prepare("DELETE FROM turns WHERE body LIKE '%passport%'").run();
    file.close();
    const again = await open();
    expect((await again.stats()).degraded).toMatchObject([{ reason: expect.stringContaining("stays unread") }]);
    expect((await again.recall("Where is my passport?")).text).not.toContain("passport");
    expect((await entriesOf(again)).map(({ text }) => text)).toEqual(["I water the ferns on Mondays."]);
    expect(await again.get(passport)).toBeUndefined();
    await expect(again.update(passport, { tags: [] })).rejects.toMatchObject({ code: "not-found" });
    await expect(again.undo(passport)).rejects.toMatchObject({ code: "not-found" });
    await again.record({ user: "I bought a red canoe." });
    const other = await open({ userId: "other" });
    expect(await other.import(await saved(again))).toMatchObject({ entries: 2, damaged: 0 });
    await again.forget({ everything: true });
    expect((await again.stats()).entries).toBe(0);
  });

  it("takes from a backup the sound one in its place", async () => {
    const memory = await told();
    const backup = await saved(memory);
    await memory.close();
    rewrite(memory.name, (body) => (isPassport(body) ? without(body, "indexText") : body));
    const file = new Sqlite(databaseFile(directory, memory.name));
    file.prepare("DELETE FROM turns WHERE body LIKE '%passport%'").run();
    file.close();
    const again = await open();
    expect(await again.import(backup)).toMatchObject({ entries: 1 });
    expect((await again.recall("Where is my passport?")).items[0]?.text).toContain("blue drawer");
  });

  it("sets aside what another handle writes meanwhile", async () => {
    const memory = await told();
    const other = await open();
    const passport = (await entriesOf(memory)).find(isPassport as never)?.id as EntryId;
    await memory.update(passport, { tags: ["papers"] });
    rewrite(memory.name, (body) => (isPassport(body) ? without(body, "indexText") : body));
    expect((await other.recall("Where is my passport?")).items[0]?.text).toContain("blue drawer");
    expect((await other.stats()).degraded).toMatchObject([{ reason: expect.stringContaining("written anew") }]);
  });

  it("opens what the first version of the schema left, as its own code wrote it, and what it did not", async () => {
    const { name } = await open();
    for (const body of [FIRST, { id: "e1", revision: 1, text: "likes tea" }]) {
      const database = `${name} ${Object.keys(body).length}`;
      makeVersion1(databaseFile(directory, database));
      const file = new Sqlite(databaseFile(directory, database));
      file.prepare("UPDATE entries SET body = ?").run(JSON.stringify(body));
      file.prepare("UPDATE turns SET body = replace(body, '\\ud800 tea', 'I drink green tea.') WHERE id = ?").run(toKey("t1"));
      file.close();
      const memory = await open({ name: database });
      const { degraded } = await memory.stats();
      expect(degraded.map(({ part }) => part)).toEqual(body === FIRST ? [] : ["entries"]);
      expect((await memory.recall("Which tea?")).items[0]?.text).toMatch(/green tea/);
      await memory.update("e1" as EntryId, { tags: ["drinks"] });
      const copy = await open({ name: database, userId: "copy" });
      expect(await copy.import(await saved(memory))).toMatchObject({ entries: 1, recorded: 1 });
    }
  });
});

/** With every field that commit ddcd172, the last of that schema, had. */
const FIRST = {
  id: "e1",
  conversationId: "c",
  subject: "user",
  text: "I drink green tea.",
  indexText: "I drink green tea.",
  kind: "preference",
  tags: ["tea"],
  eventTime: { from: 5, to: 6 },
  mentions: [{ from: 5, to: 6 }],
  saidAt: 5,
  createdAt: 6,
  validFrom: 5,
  supersedes: ["e0"],
  sources: [{ turnId: "t1", role: "user", speaker: "Ann", quote: "I drink green tea." }],
  identifiers: [],
  salience: 0.5,
  evidence: 1,
  sessionId: "s",
  context: { previous: "What do you drink?" },
  pinned: true,
  consolidatedAt: 7,
  revision: 1,
};
