/** Paths and scripts in what is exported and imported are texts as any others, and lead nowhere. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMemoryError, type Memory, openMemory } from "../../src/node/index.js";
import type { Message, StoredEntry } from "../../src/types.js";
import { zipOf } from "../chat-imports/zip-of.js";

const HOSTILE = [
  "../../etc/passwd",
  "..\\..\\Windows\\System32",
  "C:\\",
  "/etc/shadow",
  "file:///etc/hosts",
  "<script>globalThis.ran = true</script>",
  `"><img src=x onerror="globalThis.ran = true">`,
  "javascript:globalThis.ran = true",
  "{{globalThis.ran = true}}",
  "%2e%2e%2fescape",
  "__proto__",
  "con.txt",
];
const AT = Date.UTC(2026, 4, 7, 12);

let outer: string;
let directory: string;
const opened: Memory[] = [];
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), "keepsake-hostile-"));
  directory = join(outer, "a/b/c/memories");
  mkdirSync(directory, { recursive: true });
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
  rmSync(outer, { recursive: true });
});

async function open(name: string, userId: string): Promise<Memory> {
  const memory = await openMemory({ name, userId, directory, timeZone: "UTC" });
  opened.push(memory);
  return memory;
}

const conversationOf = (hostile: string) => `talk ${hostile}`;

/** In every place where a person or an app may put a text. */
async function lived(memory: Memory): Promise<void> {
  for (const [at, hostile] of HOSTILE.entries()) {
    const message = {
      id: hostile,
      role: "user",
      name: hostile,
      text: `I keep note ${at} in ${hostile} at home.`,
      at: AT + at,
    } as const;
    const { stored } = await memory.conversation(conversationOf(hostile)).record({ messages: [message], sessionId: hostile });
    for (const { id } of stored) await memory.update(id, { tags: [hostile] });
  }
}

interface Contents {
  readonly entries: readonly StoredEntry[];
  readonly turns: readonly Message[];
}

async function contentsOf(memory: Memory): Promise<Contents> {
  const entries: StoredEntry[] = [];
  for await (const entry of memory.entries()) entries.push(entry);
  const turns: Message[] = [];
  for (const hostile of HOSTILE) turns.push(...(await memory.conversation(conversationOf(hostile)).history()));
  return { entries: entries.sort((one, other) => (one.id < other.id ? -1 : 1)), turns };
}

/** Every file and folder below the outermost folder, and nothing ran. */
function expectNothingElse(): void {
  const files = readdirSync(outer, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const { name, parentPath } of files) {
    expect(parentPath).toBe(directory);
    expect(name).toMatch(/^keepsake-[a-z0-9_-]+\.sqlite(?:-[a-z0-9-]+)?$/);
  }
  expect((globalThis as { readonly ran?: unknown }).ran).toBeUndefined();
  expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  for (const name of ["etc", "passwd", "escape", "Windows"]) expect(existsSync(join(process.cwd(), name))).toBe(false);
}

describe("an export with paths and scripts in it", () => {
  it("brings them back as the texts they are, whatever database and user they go to", async () => {
    const memory = await open("memories", "me");
    await lived(memory);
    const before = await contentsOf(memory);
    expect(before.turns.map(({ id, name }) => [id, name])).toEqual(HOSTILE.map((hostile) => [hostile, hostile]));
    const told = before.entries.map(({ tags, subject, sessionId, conversationId }) => [
      ...tags,
      subject,
      sessionId,
      conversationId,
    ]);
    expect(told).toEqual(HOSTILE.map((hostile) => [hostile, hostile, hostile, conversationOf(hostile)]));
    for (const [at, hostile] of HOSTILE.entries()) expect(before.entries[at]?.indexText).toContain(hostile);
    const file = await new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
    for (const hostile of HOSTILE) {
      const other = await open(hostile, hostile);
      expect(await other.import(file)).toMatchObject({ recorded: HOSTILE.length, damaged: 0 });
      expect(await contentsOf(other)).toEqual(before);
      await other.close();
    }
    expectNothingElse();
  });

  it("is read out of a zip whose files have scripts as names, and refused where they have paths; it is unpacked nowhere", async () => {
    const memory = await open("memories", "me");
    const outcomes = { read: 0, refused: 0 };
    for (const [at, hostile] of HOSTILE.entries()) {
      const text = `I keep note ${at} in ${hostile} at home.`;
      const line = { id: hostile, role: "user", content: text, conversation: hostile };
      const zip = zipOf({ [`${hostile}/notes.json`]: JSON.stringify([line]).replace("{", '{"__proto__":{"polluted":true},') });
      const report = await memory.import(new Blob([zip])).catch((error: unknown) => {
        if (!isMemoryError(error, "unsupported")) throw error;
      });
      outcomes[report ? "read" : "refused"]++;
      if (report) expect(report).toMatchObject({ recorded: 1, damaged: 0 });
      const { entries } = await contentsOf(memory);
      expect(entries.some(({ indexText }) => indexText.includes(text.slice(0, -1)))).toBe(report !== undefined);
    }
    expect(outcomes.read).toBeGreaterThan(HOSTILE.length / 2);
    expect(outcomes.refused).toBeGreaterThan(0);
    expectNothingElse();
  });
});
