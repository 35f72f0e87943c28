/** Measures recalls beside a model that never answers; `stuck-engine.ts` starts it. */

import { type ConnectableSlm, type Memory, openMemory } from "keepsake";
import type { WorkerAnswer } from "./browser.js";
import { seeded } from "./random.js";
import { question, turn } from "./talk.js";
import { percentile } from "./timing.js";

export interface StuckEngineInput {
  readonly entries: number;
  readonly seed: number;
}

const DEADLINE_MS = 100;
const RECALLS = 60;
const BUSY = "for (;;);";

const stuckEngine = (): ConnectableSlm => ({
  id: "bench/stuck",
  capabilities: { schema: true, grammar: true, scores: true, contextTokens: 4_096, device: "cpu" },
  complete: () => new Promise(() => undefined),
  score: () => new Promise(() => undefined),
  close: async () => undefined,
});

async function measure({ entries, seed }: StuckEngineInput): Promise<Record<string, number>> {
  const random = seeded(seed);
  const options = { userId: "me", timeZone: "Europe/Berlin", deadlineMs: DEADLINE_MS };
  const memory = await openMemory({ ...options, name: `bench stuck ${Date.now()}` });
  const start = Date.UTC(2026, 0, 1);
  const messages = Array.from({ length: entries }, (_, at) => ({
    role: "user" as const,
    text: turn(random),
    at: start + at * 60_000,
  }));
  await memory.record({ messages });
  const questions = Array.from({ length: RECALLS }, () => question(random));
  const figures: Record<string, number> = {};
  for (const text of questions.slice(0, 30)) await memory.recall(text, { touch: false });
  await compare("slm.stuck", memory, questions, figures);
  const busy = new Worker(URL.createObjectURL(new Blob([BUSY])));
  await compare("slm.blocked", memory, questions, figures);
  busy.terminate();
  await memory.close();
  return figures;
}

async function compare(
  name: string,
  memory: Memory,
  questions: readonly string[],
  figures: Record<string, number>,
): Promise<void> {
  const [recalls, timers]: [number[], number[]] = [[], []];
  for (const text of questions) {
    // A model that is known to be busy is not waited for: only one that has just come holds a recall up to its deadline.
    await memory.attach({ slm: stuckEngine(), slmRoles: { controller: "generate", selector: "generate" } });
    recalls.push(await over(() => memory.recall(text, { touch: false })));
    timers.push(await over(() => new Promise((resolve) => setTimeout(resolve, DEADLINE_MS))));
  }
  for (const [point, share] of Object.entries({ p50: 0.5, p95: 0.95 })) {
    figures[`${name}.over.${point}`] = percentile(recalls, share);
    figures[`${name}.timer.over.${point}`] = percentile(timers, share);
  }
}

/** Milliseconds beyond the deadline. */
async function over(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start - DEADLINE_MS;
}

self.onmessage = ({ data }: MessageEvent<StuckEngineInput>) => {
  measure(data).then(
    (value) => postMessage({ ok: true, value } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ ok: false, error: String(error) } satisfies WorkerAnswer),
  );
};
