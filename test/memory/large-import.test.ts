/** What is imported may be larger than the memory of the machine: it is refused, or read, in pieces. */

import { closeSync, ftruncateSync, mkdtempSync, openAsBlob, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { frameOf, HEAD_BYTES } from "../../src/backup/frames.js";
import { isMemoryError, type Memory, openMemory } from "../../src/node/index.js";
import { rowsWith, written } from "../backup/files.js";

const TWO_GIGABYTES = 2 * 2 ** 30;
/** Held at most, whatever is read. */
const MOST_BYTES = 200 * 2 ** 20;
/** Of a page that a stream gives over and over. */
const LINES = 250;
/** In the head of a frame. */
const SIZE_AT = 16;

let directory: string;
let memory: Memory;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "keepsake-large-"));
  memory = await openMemory({ name: "large", userId: "me", directory });
});
afterEach(async () => {
  await memory.close();
  rmSync(directory, { recursive: true });
});

/** Runs a task and looks now and then at what the process holds above what it held.
 * @returns bytes at most */
async function heldBy(task: (look: () => void) => Promise<unknown>): Promise<number> {
  const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = held();
  let most = 0;
  const look = () => {
    most = Math.max(most, held() - before);
  };
  const timer = setInterval(look, 20);
  try {
    await task(look);
  } finally {
    clearInterval(timer);
    look();
  }
  return most;
}

/** A file of two gigabytes that begins so; the rest is a hole that takes no room on the disk. */
async function sparseFile(start: Uint8Array): Promise<Blob> {
  const file = join(directory, "large");
  const opened = openSync(file, "w");
  writeSync(opened, start);
  ftruncateSync(opened, TWO_GIGABYTES);
  closeSync(opened);
  return openAsBlob(file);
}

/** The first frame of a backup, which says only what it is. */
async function beginningOfBackup(): Promise<Uint8Array> {
  const bytes = await written(rowsWith(["I like tea."]));
  return bytes.slice(0, new DataView(bytes.buffer).getUint32(SIZE_AT, true));
}

/** The head of a second frame that tells of two gigabytes. */
function hugeFrame(): Uint8Array {
  const frame = frameOf(1, new Uint8Array(1), { crc: 0, length: 1 }, false).slice(0, HEAD_BYTES);
  new DataView(frame.buffer).setUint32(SIZE_AT, TWO_GIGABYTES, true);
  return frame;
}

/** A second frame that tells of two gigabytes of text. */
const hugeText = (): Uint8Array => frameOf(1, new Uint8Array(100), { crc: 0, length: TWO_GIGABYTES }, false);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

describe("a source of two gigabytes", () => {
  it("that gives lines is read as it comes, and what is known among them is taken", async () => {
    const encoder = new TextEncoder();
    const other = encoder.encode(`${JSON.stringify({ note: "tea ".repeat(1_000) })}\n`);
    const page = new Uint8Array(other.length * LINES);
    for (let at = 0; at < page.length; at += other.length) page.set(other, at);
    const message = (text: string) => encoder.encode(`${JSON.stringify({ role: "user", content: text, id: text })}\n`);
    let given = 0;
    const held = await heldBy(async (look) => {
      const source = (async function* () {
        yield message("I keep bees on the roof.");
        for (; given < TWO_GIGABYTES; given += page.length) {
          look();
          yield page;
        }
        yield message("I lent my ladder to Oskar.");
      })();
      const report = await memory.import(source);
      expect(report).toMatchObject({ recorded: 2, damaged: 0 });
      expect(report.skipped.unknown).toBe((given / page.length) * LINES);
    });
    expect(given).toBeGreaterThanOrEqual(TWO_GIGABYTES);
    expect(held).toBeLessThan(MOST_BYTES);
    expect(await memory.stats()).toMatchObject({ turns: 2 });
  });

  it.each<[string, string, () => Promise<Uint8Array>]>([
    ["that is a backup with a hole", "backup-damaged", beginningOfBackup],
    ["with a frame that tells of as much", "backup-damaged", async () => joined(await beginningOfBackup(), hugeFrame())],
    ["with a frame that tells of as much text", "backup-damaged", async () => joined(await beginningOfBackup(), hugeText())],
    ["that begins as a zip does", "unsupported", async () => Uint8Array.of(0x50, 0x4b, 3, 4)],
  ])("%s is refused without being read, and nothing is stored", async (_, code, start) => {
    const file = await sparseFile(await start());
    expect(file.size).toBe(TWO_GIGABYTES);
    const held = await heldBy(() =>
      expect(memory.import(file)).rejects.toSatisfy((error: unknown) => isMemoryError(error, code as never)),
    );
    expect(held).toBeLessThan(MOST_BYTES);
    expect(await memory.stats()).toMatchObject({ turns: 0, entries: 0, revision: 0 });
  });
});
