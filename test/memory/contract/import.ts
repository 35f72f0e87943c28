/** What importing a chat export does, in whichever thread and on whichever store. */

import { expect, it } from "vitest";
import { type ImportProgress, isMemoryError, type Memory } from "../../../src/index.js";

const JAN = Date.UTC(2026, 0, 15, 19);
const JUNE = Date.UTC(2026, 5, 20, 12);

function claudeExport(count: number): object[] {
  return Array.from({ length: count }, (_, number) => ({
    uuid: `7f0c1d52-6a0e-4d0c-9c51-${String(number).padStart(12, "0")}`,
    name: "",
    created_at: new Date(JAN + number * 86_400_000).toISOString(),
    chat_messages: [
      {
        uuid: `8f0c1d52-6a0e-4d0c-9c51-${String(number).padStart(12, "0")}`,
        sender: "human",
        content: [
          { type: "text", text: `I visited lighthouse number ${number} on the ${number % 2 ? "north" : "south"} coast.` },
        ],
        created_at: new Date(JAN + number * 86_400_000).toISOString(),
      },
      { uuid: `9f0c1d52-6a0e-4d0c-9c51-${String(number).padStart(12, "0")}`, sender: "assistant", text: "How nice." },
    ],
  }));
}

const blobOf = (value: unknown) => new Blob([JSON.stringify(value)]);

export function importContract(open: () => Promise<Memory>): void {
  it("imports a chat export with the dates of then, and the same one twice changes nothing", async () => {
    const memory = await open();
    const report = await memory.import(blobOf(claudeExport(3)));
    expect(report).toMatchObject({
      format: "claude",
      conversations: 3,
      emptyConversations: 0,
      messages: 6,
      recorded: 6,
      skipped: {},
      damaged: 0,
    });
    expect(report.entries).toBeGreaterThanOrEqual(3);
    expect(structuredClone(report)).toEqual(report);
    const { items } = await memory.recall("Which lighthouse on the north coast did I visit?", { at: JUNE });
    expect(items[0]).toMatchObject({ saidAt: JAN + 86_400_000 });
    expect(items[0]?.text).toContain("lighthouse number 1");
    const before = await memory.stats();
    expect(await memory.import(blobOf(claudeExport(3)))).toMatchObject({ recorded: 0, skipped: { "already-recorded": 6 } });
    expect(await memory.stats()).toMatchObject({ entries: before.entries, turns: 6, vectors: before.vectors });
    const grown = await memory.import(blobOf(claudeExport(4)), { format: "claude" });
    expect(grown).toMatchObject({ conversations: 4, recorded: 2, skipped: { "already-recorded": 6 } });
  });

  it("imports a stream as it comes, and tells how far it is", async () => {
    const memory = await open();
    const told: ImportProgress[] = [];
    const events: number[] = [];
    memory.addEventListener("progress", ({ detail }) => detail.task === "import" && events.push(detail.done));
    const text = JSON.stringify(claudeExport(5));
    const chunks = (async function* () {
      for (let at = 0; at < text.length; at += 100) yield new TextEncoder().encode(text.slice(at, at + 100));
    })();
    expect(await memory.import(chunks, { onProgress: (progress) => told.push(progress) })).toMatchObject({ recorded: 10 });
    expect(told.at(-1)).toMatchObject({ done: text.length, total: 0, conversations: 5, messages: 10 });
    expect(events.at(-1)).toBe(text.length);
    const stream = await memory.import(blobOf(claudeExport(5)).stream());
    expect(stream).toMatchObject({ recorded: 0, messages: 10 });
  });

  it("stops when it is told to, keeps what it has, and goes on from there when it is called again", async () => {
    const memory = await open();
    const reason = new Error("the person left");
    const controller = new AbortController();
    const importing = memory.import(blobOf(claudeExport(60)), {
      signal: controller.signal,
      onProgress: ({ messages }) => messages > 0 && controller.abort(reason),
    });
    await expect(importing).rejects.toBe(reason);
    const { turns } = await memory.stats();
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(120);
    const rest = await memory.import(blobOf(claudeExport(60)));
    expect(rest).toMatchObject({ messages: 120, recorded: 120 - turns, skipped: { "already-recorded": turns } });
    await expect(memory.import(blobOf(claudeExport(1)), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("puts everything into one conversation on demand", async () => {
    const memory = await open();
    await memory.import(blobOf(claudeExport(2)), { conversation: "old times" });
    expect(await memory.conversation("old times").history()).toHaveLength(4);
  });

  it("refuses what is no export with a typed error, and fails with what a stream fails with", async () => {
    const memory = await open();
    await expect(memory.import(new Blob(["once upon a time"]))).rejects.toSatisfy((error: unknown) =>
      isMemoryError(error, "unsupported"),
    );
    const broken = (async function* () {
      yield "[";
      throw new RangeError("the line went dead");
    })();
    await expect(memory.import(broken)).rejects.toThrow("the line went dead");
    await expect(memory.import("file.json" as unknown as Blob)).rejects.toBeInstanceOf(TypeError);
    await expect(memory.import(new Blob([]), { format: "icq" as "claude" })).rejects.toBeInstanceOf(TypeError);
    expect(await memory.stats()).toMatchObject({ turns: 0 });
  });

  it("takes thousands of turns while questions are answered", { timeout: 180_000 }, async () => {
    const memory = await open();
    const lines = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({
        id: index,
        role: "user",
        content: `I noted the reading ${index * 7} of gauge ${index % 97}.`,
        at: JAN + index,
      }),
    );
    let done = false;
    const importing = memory.import(new Blob([lines.join("\n")])).finally(() => {
      done = true;
    });
    let answered = 0;
    while (!done) {
      await memory.recall("gauge 13", { at: JUNE });
      answered += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await importing).toMatchObject({ format: "messages", conversations: 1, recorded: 3_000 });
    expect(answered).toBeGreaterThan(5);
    expect((await memory.stats()).turns).toBe(3_000);
  });
}
