/** Times of backups and of a move to another embedder in a Chromium worker, and the memory that backups take in Node. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openMemory } from "keepsake/node";
import type { BackupBenchInput } from "./backup.worker.js";
import { runInChromium } from "./browser.js";
import { seeded } from "./random.js";
import { turn } from "./talk.js";

const MEGABYTE = 2 ** 20;
const SAMPLE_MS = 5;

// Without a collection before it, idle would hold the garbage of what went before, and hide as much of the work's.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Figures in milliseconds: `backup.export.ms | .import.ms`, with `.password`; `backup.export.memoryMB | .import.memoryMB`, the most
 * above idle, garbage and what the restored memory's own indexes hold included, and `backup.import.indexMB`, the latter alone; `reembed.ms`, `reembed.open.ms`, and p95 of recalls meanwhile and after, with their ratio. Measures
 * dist/ in Chromium: build first. */
export async function benchBackup({ entries = 10_000, seed = 1 } = {}): Promise<Readonly<Record<string, number>>> {
  const input: BackupBenchInput = { entries, seed };
  const { value } = await runInChromium("bench/backup.worker.ts", { input, timeoutMs: 600_000, built: true });
  return { ...(value as Record<string, number>), ...(await memoryFigures(input)) };
}

async function memoryFigures({ entries, seed }: BackupBenchInput): Promise<Record<string, number>> {
  const directory = mkdtempSync(join(tmpdir(), "keepsake-bench-"));
  const random = seeded(seed);
  try {
    const memory = await openMemory({ name: "bench", userId: "me", directory, capacity: 100_000 });
    await memory.record({ messages: Array.from({ length: entries }, () => ({ role: "user" as const, text: turn(random) })) });
    let file = new Blob([]);
    const saving = await heldAboveIdle(async () => {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of memory.export()) chunks.push(chunk as Uint8Array<ArrayBuffer>);
      file = new Blob(chunks);
    });
    await memory.close();
    const other = await openMemory({ name: "bench", userId: "other", directory, capacity: 100_000 });
    const restoring = await heldAboveIdle(async () => {
      await other.import(file);
    });
    await other.close();
    return {
      "backup.export.memoryMB": saving.peak,
      "backup.import.memoryMB": restoring.peak,
      "backup.import.indexMB": restoring.kept,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Megabytes that the heap and buffers hold above what they held before: at most while the work runs, and after it. */
async function heldAboveIdle(work: () => Promise<void>): Promise<{ readonly peak: number; readonly kept: number }> {
  collectGarbage();
  const idle = heldBytes();
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, heldBytes());
  }, SAMPLE_MS);
  await work();
  clearInterval(timer);
  peak = Math.max(peak, heldBytes());
  collectGarbage();
  return { peak: (peak - idle) / MEGABYTE, kept: (heldBytes() - idle) / MEGABYTE };
}

function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
