/** Measures a whole memory through its public surface, inside a worker; `memory.ts` starts it. */

import { type Embedder, type Memory, openMemory } from "keepsake";
import { minilm } from "keepsake/minilm";
import type { WorkerAnswer } from "./browser.js";
import { seeded, unit } from "./random.js";
import { question, turn } from "./talk.js";
import { percentile } from "./timing.js";

export interface MemoryBenchInput {
  readonly entries: number;
  readonly seed: number;
  /** URL of the MiniLM weights; without it the MiniLM figures are left out. */
  readonly modelBase?: string;
}

const RECALLS = 300;
const RECORDS = 100;
const OPENINGS = 5;
const IMPORTED = 10_000;
const ZONE = "Europe/Berlin";
const START = Date.UTC(2026, 0, 1);

async function measure(input: MemoryBenchInput): Promise<Record<string, number>> {
  const random = seeded(input.seed);
  const name = `bench ${Date.now()}`;
  const open = (embedder?: Embedder) =>
    openMemory({ name, userId: "me", timeZone: ZONE, deadlineMs: 10_000, capacity: 100_000, ...(embedder && { embedder }) });

  let memory = await open();
  await memory.record({
    messages: Array.from({ length: input.entries }, (_, index) => ({
      role: "user" as const,
      text: turn(random),
      at: START + index * 600_000,
    })),
  });
  const questions = Array.from({ length: RECALLS }, () => question(random));
  const idle = await recalls(memory, questions);
  const figures: Record<string, number> = {
    "memory.entries": (await memory.stats()).entries,
    "memory.vectors": (await memory.stats()).vectors,
    "recall.static.p50": percentile(idle, 0.5),
    "recall.static.p95": percentile(idle, 0.95),
  };

  const records: number[] = [];
  for (let index = 0; index < RECORDS; index++) {
    const start = performance.now();
    await memory.record({ user: turn(random), assistant: turn(random) });
    records.push(performance.now() - start);
  }
  figures["record.p50"] = percentile(records, 0.5);
  figures["record.p95"] = percentile(records, 0.95);

  const openings: number[] = [];
  for (let index = 0; index < OPENINGS; index++) {
    await memory.close();
    const start = performance.now();
    memory = await open();
    await memory.recall(questions[index] ?? "", { touch: false });
    openings.push(performance.now() - start);
  }
  figures["open.ms"] = percentile(openings, 0.5);

  if (input.modelBase !== undefined) Object.assign(figures, await measureMiniLm(memory, input.modelBase, questions));
  await memory.close();

  // Last, since it changes the memory: recalls while a long history comes in.
  memory = await open();
  let done = false;
  const importing = memory
    .record({ messages: Array.from({ length: IMPORTED }, () => ({ role: "user" as const, text: turn(random) })) })
    .finally(() => {
      done = true;
    });
  const busy: number[] = [];
  for (let index = 0; !done; index++) {
    const start = performance.now();
    await memory.recall(questions[index % questions.length] ?? "", { touch: false });
    busy.push(performance.now() - start);
  }
  await importing;
  figures["recall.static.p95.duringImport"] = percentile(busy, 0.95);
  await memory.close();
  return figures;
}

/** The question is embedded by MiniLM itself; the entries get random vectors, since times do not depend on the values
 * and embedding ten thousand entries takes minutes. */
async function measureMiniLm(memory: Memory, modelBase: string, questions: readonly string[]): Promise<Record<string, number>> {
  const model = await minilm({ modelBase, localOnly: true }).open();
  const random = seeded(2);
  const bulk = 32;
  await memory.attach({
    embedder: {
      id: model.id,
      dimension: model.dimension,
      embed: async (texts, options) =>
        texts.length >= bulk ? randomRows(texts.length, model.dimension, random) : model.embed(texts, options),
      close: () => model.close(),
    },
  });
  const times = await recalls(memory, questions.slice(0, 150));
  await model.close();
  return { "recall.minilm.p50": percentile(times, 0.5), "recall.minilm.p95": percentile(times, 0.95) };
}

async function recalls(memory: Memory, questions: readonly string[]): Promise<number[]> {
  for (const question of questions.slice(0, 30)) await memory.recall(question, { touch: false });
  const times: number[] = [];
  for (const question of questions) {
    const start = performance.now();
    await memory.recall(question, { touch: false });
    times.push(performance.now() - start);
  }
  return times;
}

function randomRows(count: number, dimension: number, random: () => number): Float32Array {
  const rows = new Float32Array(count * dimension);
  for (let row = 0; row < count; row++) rows.set(unit(dimension, random), row * dimension);
  return rows;
}

self.onmessage = ({ data }: MessageEvent<MemoryBenchInput>) => {
  measure(data).then(
    (value) => postMessage({ ok: true, value } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ ok: false, error: String(error) } satisfies WorkerAnswer),
  );
};
