/** Measures saving and restoring a memory, and moving it to another embedder, through its public surface; `backup.ts` starts it. */

import { type Embedder, type Memory, openMemory } from "keepsake";
import type { WorkerAnswer } from "./browser.js";
import { seeded } from "./random.js";
import { question, turn } from "./talk.js";
import { percentile } from "./timing.js";

export interface BackupBenchInput {
  readonly entries: number;
  readonly seed: number;
}

const RECALLS = 200;
const WARM_UP = 60;
const START = Date.UTC(2026, 0, 1);

async function measure({ entries, seed }: BackupBenchInput): Promise<Record<string, number>> {
  const random = seeded(seed);
  const name = `backup ${Date.now()}`;
  const open = (userId: string, embedder?: Embedder) =>
    openMemory({
      name,
      userId,
      timeZone: "Europe/Berlin",
      deadlineMs: 10_000,
      capacity: 100_000,
      ...(embedder && { embedder }),
    });
  const memory = await open("me", lettersOf());
  await memory.record({
    messages: Array.from({ length: entries }, (_, index) => ({
      role: "user" as const,
      text: turn(random),
      at: START + index * 600_000,
    })),
  });

  // What it would do by itself in idle time is done, and does not run beside what is timed.
  await memory.consolidate();

  const figures: Record<string, number> = {};
  const timed = async <T>(figure: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    figures[figure] = performance.now() - start;
    return result;
  };
  const file = await timed("backup.export.ms", () => saved(memory));
  figures["backup.sizeKB"] = file.size / 1_000;
  const encrypted = await timed("backup.export.password.ms", () => saved(memory, "correct horse"));
  const other = await open("other", lettersOf());
  const report = await timed("backup.import.ms", () => other.import(file));
  if (report.recorded !== entries) throw new Error(`${report.recorded} of ${entries} turns were restored`);
  await other.close();
  const third = await open("third", lettersOf());
  await timed("backup.import.password.ms", () => third.import(encrypted, { password: "correct horse" }));
  await third.close();
  await memory.close();

  // The same memory with the package's own embedder, whose vectors it has none of.
  const questions = Array.from({ length: RECALLS }, () => question(random));
  const moved = await timed("reembed.open.ms", () => open("me"));
  // What the engine learns of the first recalls is not the embedding's cost.
  await moved.pauseEmbedding();
  for (const asked of questions.slice(0, WARM_UP)) await recallMs(moved, asked);
  const busy: number[] = [];
  const left = (await moved.stats()).reembedding;
  const start = performance.now();
  let isDone = false;
  await moved.resumeEmbedding();
  const embedded = moved.untilEmbedded().then(() => {
    isDone = true;
    figures["reembed.ms"] = performance.now() - start;
  });
  for (let index = 0; !isDone; index++) busy.push(await recallMs(moved, questions[index % RECALLS] as string));
  await embedded;
  const idle: number[] = [];
  for (const asked of questions) idle.push(await recallMs(moved, asked));
  figures["reembed.recall.p95"] = percentile(busy, 0.95);
  figures["reembed.recall.idle.p95"] = percentile(idle, 0.95);
  figures["reembed.recall.ratio"] = percentile(busy, 0.95) / percentile(idle, 0.95);
  figures["reembed.entries"] = left ? left.total - left.done : 0;
  await moved.close();
  return figures;
}

async function recallMs(memory: Memory, asked: string): Promise<number> {
  const start = performance.now();
  await memory.recall(asked, { touch: false });
  return performance.now() - start;
}

async function saved(memory: Memory, password?: string): Promise<Blob> {
  return new Response(memory.export({ ...(password !== undefined && { password }) })).blob();
}

/** A cheap embedder of another space: shares of letters. */
function lettersOf(): Embedder {
  return {
    id: "letters",
    dimension: 26,
    async embed(texts) {
      const rows = new Float32Array(texts.length * 26);
      texts.forEach((text, row) => {
        const vector = rows.subarray(row * 26, row * 26 + 26);
        for (let at = 0; at < text.length; at++) {
          const column = (text.charCodeAt(at) | 32) - 97;
          if (column >= 0 && column < 26) vector[column] = (vector[column] as number) + 1;
        }
        const norm = Math.hypot(...vector) || 1;
        for (let column = 0; column < 26; column++) vector[column] = (vector[column] as number) / norm;
      });
      return rows;
    },
    close: async () => undefined,
  };
}

self.onmessage = ({ data }: MessageEvent<BackupBenchInput>) => {
  measure(data).then(
    (value) => postMessage({ ok: true, value } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ ok: false, error: String(error) } satisfies WorkerAnswer),
  );
};
