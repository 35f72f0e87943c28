import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/node/index.js";
import { entriesOf, openedMemories, wordsIn } from "./opened.js";

const { open, directory } = openedMemories();
const JAN = Date.UTC(2026, 0, 15, 19);
const DAY = 86_400_000;
const INK = "I have a heron tattoo on my left calf.";

function claudeExport(...texts: readonly string[]): Blob {
  const messages = texts.map((text, at) => ({
    uuid: `8f0c1d52-6a0e-4d0c-9c51-${String(at).padStart(12, "0")}`,
    sender: at % 2 === 0 ? "human" : "assistant",
    text,
    created_at: new Date(JAN + at * 1_000).toISOString(),
  }));
  return new Blob([JSON.stringify([{ uuid: "7f0c1d52-6a0e-4d0c-9c51-000000000000", name: "", chat_messages: messages }])]);
}

const linesOf = (...lines: readonly object[]) => new Blob([lines.map((line) => JSON.stringify(line)).join("\n")]);

async function forget(memory: Memory, query: string): Promise<void> {
  const { token } = await memory.forget({ query }, { preview: true });
  await memory.forget({ preview: token });
}

async function wordsOf(memory: Memory): Promise<string> {
  return (await entriesOf(memory)).map(wordsIn).join("\n");
}

describe("what was forgotten", () => {
  it("does not come back with the export that it came from, nor does anything that was not forgotten go", async () => {
    const memory = await open();
    const file = claudeExport(INK, "Sounds elegant.", "I also keep bees on the roof.", "Nice.");
    expect(await memory.import(file)).toMatchObject({ recorded: 4 });
    await forget(memory, "my tattoo");
    const again = await memory.import(file);
    expect(again).toMatchObject({ recorded: 0, messages: 4, skipped: { "already-recorded": 3, forgotten: 1 } });
    expect(await wordsOf(memory)).not.toContain("heron");
    expect(await wordsOf(memory)).toContain("bees");
  });

  it("does not come back with another export of the same words, in which it is one sentence of several", async () => {
    const memory = await open();
    await memory.record({ user: INK, at: JAN });
    await forget(memory, "my tattoo");
    const report = await memory.import(
      linesOf(
        { role: "user", content: `Hello! ${INK} My dentist is in Kirchgasse.`, at: JAN + 50 * DAY },
        { role: "user", content: INK.toUpperCase(), at: JAN + 60 * DAY },
      ),
    );
    expect(report).toMatchObject({ recorded: 1, skipped: { forgotten: 1 } });
    const words = await wordsOf(memory);
    expect(words.toLowerCase()).not.toContain("heron");
    expect(words).toContain("Kirchgasse");
  });

  it("blocks short words in their place alone", async () => {
    const memory = await open();
    const yes = { role: "user", content: "Yes, on Monday.", id: "m1", at: JAN };
    await memory.import(linesOf(yes));
    await memory.forget({ everything: true });
    const report = await memory.import(linesOf(yes, { ...yes, id: "m2", at: JAN + 5 * DAY }));
    expect(report).toMatchObject({ recorded: 1, skipped: { forgotten: 1 } });
  });

  it("is new when the person says it again, and blocked in old exports still", async () => {
    const memory = await open();
    const file = claudeExport(INK, "Sounds elegant.");
    await memory.import(file);
    await forget(memory, "my tattoo");
    const { stored } = await memory.record({ user: INK, at: JAN + 90 * DAY });
    expect(stored).toHaveLength(1);
    expect(await memory.import(file)).toMatchObject({ recorded: 0, skipped: { forgotten: 1, "already-recorded": 1 } });
    expect((await entriesOf(memory)).filter((entry) => wordsIn(entry).includes("heron"))).toMatchObject([{ evidence: 1 }]);
  });

  it("is refused when an app records its history anew under the ids of then", async () => {
    const memory = await open();
    const turn = { messages: [{ id: "chat-1", role: "user" as const, text: INK, at: JAN }] };
    const { stored } = await memory.record(turn);
    await memory.forget({ entryIds: stored.map(({ id }) => id) });
    expect(await memory.record(turn)).toMatchObject({ stored: [], turnIds: [], refused: [{ reason: "forgotten" }] });
  });

  it("is known to every handle and after opening again, and to no other user", async () => {
    const memory = await open();
    const other = await open();
    const file = claudeExport(INK, "Sounds elegant.");
    await memory.import(file);
    await forget(memory, "my tattoo");
    expect(await other.import(file)).toMatchObject({ recorded: 0 });
    await other.close();
    expect(await (await open()).import(file)).toMatchObject({ recorded: 0, skipped: { forgotten: 1 } });
    expect(await (await open({ userId: "you" })).import(file)).toMatchObject({ recorded: 2 });
  });

  it("keeps what a conversation said in another one from being blocked with it", async () => {
    const memory = await open();
    await memory.conversation("c1").record({ user: INK, at: JAN });
    await memory.forget({ conversationId: "c1" as never });
    expect(await memory.import(linesOf({ role: "user", content: INK, at: JAN + 7 * DAY }))).toMatchObject({ recorded: 1 });
  });

  it("leaves marks in which neither its words nor a plain hash of them can be found", async () => {
    const memory = await open();
    const { stored } = await memory.record({ user: "My PIN is 4417.", at: JAN });
    const forgotten = await memory.forget({ entryIds: stored.map(({ id }) => id) });
    expect(forgotten.marks).toBeGreaterThan(0);
    await memory.close();
    const bytes = Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
    expect(bytes.includes("4417")).toBe(false);
    const { createHash } = await import("node:crypto");
    for (const text of ["My PIN is 4417.", "my pin is 4417", "text\nmy pin is 4417"]) {
      const hash = createHash("sha256").update(text).digest();
      expect(bytes.includes(hash.subarray(0, 8))).toBe(false);
      expect(bytes.includes(Buffer.from(hash.subarray(0, 8)).reverse())).toBe(false);
    }
  });
});

describe("messages without ids", () => {
  it("are the same in every import of their file, also when it has grown at either end", async () => {
    const memory = await open();
    const line = (content: string, at: number) => ({ role: "user", content, at });
    const lines = [line("I sold the boat.", JAN), line("I sold the boat.", JAN), line("I bought a canoe.", JAN + DAY)];
    expect(await memory.import(linesOf(...lines))).toMatchObject({ recorded: 3 });
    const grown = [line("I built a boat.", JAN - DAY), ...lines, line("I bought a kayak.", JAN + 2 * DAY)];
    expect(await memory.import(linesOf(...grown))).toMatchObject({ recorded: 2, skipped: { "already-recorded": 3 } });
  });
});
