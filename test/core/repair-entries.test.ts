import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import { databaseFile } from "../../src/store/sqlite/file.js";
import { entriesOf, openedMemories } from "./opened.js";

const { directory, open } = openedMemories();

/** Runs a statement on the file behind the memory's back. */
function onDisk(memory: Memory, statement: string, ...values: unknown[]): number {
  const file = new Sqlite(databaseFile(directory, memory.name));
  const { changes } = file.prepare(statement).run(...values);
  file.close();
  return changes;
}

const SPOIL = `UPDATE entries SET body = replace(body, 'passport', 'passpork') WHERE body LIKE '%"indexText":"I keep my passport%'`;

describe("a memory whose entries are damaged on the disk", () => {
  it("writes them anew from what was said, under their ids, names them once, and answers as before", async () => {
    const before = await open();
    await before.record({ user: "I keep my passport in the blue drawer." });
    await before.record({ user: "I water the ferns on Mondays." });
    const told = await entriesOf(before);
    await before.close();
    expect(onDisk(before, SPOIL)).toBe(1);

    const after = await open();
    expect((await after.recall("Where is my passport?", { touch: false })).items[0]?.text).toContain(
      "passport in the blue drawer",
    );
    const { degraded, entries, turns } = await after.stats();
    expect({ entries, turns }).toEqual({ entries: 2, turns: 2 });
    expect(degraded).toEqual([{ part: "entries", reason: expect.stringMatching(/checksum; it was written anew/) }]);
    const [fern, passport] = await entriesOf(after);
    expect({ ...passport, revision: told[1]?.revision }).toEqual(told[1]);
    expect(fern).toEqual(told[0]);
    await after.close();

    const again = await open();
    expect((await again.stats()).degraded).toEqual([]);
    expect(await entriesOf(again)).toHaveLength(2);
  });

  it("finds the turns by their place where the damage hides their names, and doubles nothing", async () => {
    const before = await open();
    for (const user of ["I play the oboe.", "I keep my passport in the blue drawer.", "Is it raining?", "I live in Porto."])
      await before.record({ user });
    await before.close();
    onDisk(before, `UPDATE entries SET body = 'xxxx' WHERE body LIKE '%"indexText":"I keep my passport%'`);
    const after = await open();
    expect((await entriesOf(after)).map(({ text }) => text).sort()).toEqual(
      ["I keep my passport in the blue drawer.", "I live in Porto.", "I play the oboe."].sort(),
    );
    expect((await after.stats()).degraded).toHaveLength(1);
  });

  it("keeps what has no turns any more on the disk, unread, and goes on without it", async () => {
    const before = await open();
    await before.record({ user: "I keep my passport in the blue drawer." });
    await before.record({ user: "I live in Porto." });
    await before.close();
    onDisk(before, SPOIL);
    onDisk(before, "DELETE FROM turns WHERE body LIKE '%passport%'");
    const after = await open();
    expect((await entriesOf(after)).map(({ text }) => text)).toEqual(["I live in Porto."]);
    expect((await after.stats()).degraded).toEqual([{ part: "entries", reason: expect.stringContaining("stays unread") }]);
    expect((await after.recall("passport")).text).not.toContain("passpor");
    await after.record({ user: "I bought a red canoe." });
    expect(onDisk(after, "UPDATE entries SET revision = revision WHERE body LIKE '%passpork%'")).toBe(1);
    await after.forget({ everything: true });
    expect(onDisk(after, "UPDATE entries SET revision = revision")).toBe(0);
  });

  it("names a damaged turn and leaves it out of what is shown", async () => {
    const before = await open();
    await before.record({ user: "I keep my passport in the blue drawer." });
    await before.record({ user: "I live in Porto." });
    await before.close();
    onDisk(before, "UPDATE turns SET body = replace(body, 'Porto', 'Oporto')");
    const after = await open();
    expect((await after.conversation("default").history()).map(({ text }) => text)).toEqual([
      "I keep my passport in the blue drawer.",
    ]);
    await after.record({ user: "I bought a red canoe." });
    expect((await after.stats()).degraded).toEqual([{ part: "turns", reason: expect.stringContaining("left out") }]);
    expect((await after.recall("Where do I live?")).text).toContain("Porto");
  });

  it("is made good once by two handles that open at the same time", async () => {
    const before = await open();
    await before.record({ user: "I keep my passport in the blue drawer." });
    await before.close();
    onDisk(before, SPOIL);
    const [a, b] = await Promise.all([open(), open()]);
    expect(await entriesOf(a)).toHaveLength(1);
    expect(await entriesOf(b)).toHaveLength(1);
    expect((await b.recall("passport")).items[0]?.text).toContain("blue drawer");
  });

  it("can be forgotten where the damage came after they were loaded, and are not shown", async () => {
    const memory = await open();
    await memory.record({ user: "I keep my passport in the blue drawer." });
    await memory.record({ user: "I live in Porto." });
    const passport = (await entriesOf(memory)).find(({ text }) => text.includes("passport"));
    const id = passport?.id ?? ("" as never);
    onDisk(memory, SPOIL);
    expect(await memory.forget({ entryIds: [id] })).toMatchObject({ entryIds: [id], remaining: 0 });
    expect((await entriesOf(memory)).map(({ text }) => text)).toEqual(["I live in Porto."]);
    onDisk(memory, "UPDATE entries SET body = 'xxxx'");
    onDisk(memory, "DELETE FROM turns");
    expect(await entriesOf(memory)).toEqual([]);
    await memory.record({ user: "I bought a red canoe." });
    expect((await memory.recall("Where do I live?")).text).not.toContain("Porto");
  });

  it("answers while another handle writes beside vectors that are damaged", async () => {
    const [a, b] = [await open(), await open()];
    await a.record({ user: "I keep my passport in the blue drawer." });
    expect((await b.recall("passport")).items).toHaveLength(1);
    onDisk(a, "UPDATE vectors SET rows = zeroblob(LENGTH(rows))");
    const [entry] = await entriesOf(a);
    await a.update(entry?.id ?? ("" as never), { tags: ["papers"] });
    const found = await b.recall("Where is my passport?");
    expect(found.items[0]?.text).toContain("blue drawer");
  });
});
