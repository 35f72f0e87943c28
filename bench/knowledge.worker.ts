/** Measures recalls with and without the graph, and beside its making; `knowledge.ts` starts it. */

import { type Memory, openMemory } from "keepsake";
import type { WorkerAnswer } from "./browser.js";
import { seeded } from "./random.js";
import { question, turn } from "./talk.js";
import { percentile } from "./timing.js";

export interface KnowledgeBenchInput {
  readonly entries: number;
  /** Nodes that another device brings. */
  readonly large: number;
  readonly seed: number;
}

const RECALLS = 200;
const FRESH = 60;
/** Recalls beside batches: some ten of them. */
const BESIDE = 5_000;
const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

async function measure({ entries, large, seed }: KnowledgeBenchInput): Promise<Record<string, number>> {
  const random = seeded(seed);
  const options = { userId: "me", timeZone: "Europe/Berlin", deadlineMs: 10_000, capacity: 100_000 };
  const memory = await openMemory({ ...options, name: `bench knowledge ${Date.now()}` });
  const messages = Array.from({ length: entries }, (_, at) => ({
    role: "user" as const,
    text: turn(random),
    at: START + at * MINUTE,
  }));
  await memory.record({ messages });
  const questions = Array.from({ length: RECALLS }, () => question(random));
  const figures: Record<string, number> = { "knowledge.memories": (await memory.stats()).entries };

  for (const text of questions.slice(0, 30)) await once(memory, text, false);
  // Batches give way to recalls, so that with recalls in a row the whole would take minutes.
  const asking = new AbortController();
  // Whoever makes a batch, this call or what begins by itself in idle time, it is told.
  let batches = 0;
  memory.addEventListener("progress", ({ detail }) => void (detail.task === "consolidate" && batches++));
  const making = memory.consolidate({ signal: asking.signal }).catch((error: unknown) => {
    if (!asking.signal.aborted) throw error;
  });
  const beside: number[] = [];
  while (beside.length < BESIDE) beside.push(await once(memory, questions[beside.length % RECALLS] ?? "", false));
  asking.abort();
  await making;
  figures["consolidate.beside"] = batches;
  batches = 0;
  const started = performance.now();
  figures["knowledge.nodes"] = (await memory.consolidate()).nodes;
  figures["consolidate.batchMs"] = (performance.now() - started) / batches;
  if (!figures["consolidate.beside"] || batches === 0)
    throw new Error("no batch was made beside recalls, or none was left after");

  for (const text of questions.slice(0, 30)) await once(memory, text, true);
  const [without, having]: [number[], number[]] = [[], []];
  for (const text of questions) {
    without.push(await once(memory, text, false));
    having.push(await once(memory, text, true));
  }
  Object.assign(figures, compared("knowledge.recall", without, having));
  // Now that all is consolidated, nothing runs beside.
  figures["consolidate.recall.share.p95"] = percentile(beside, 0.95) / percentile(without, 0.95);

  const recorded = async (name: string, said: () => string, isConsolidated = false) => {
    const times: [number[], number[]] = [[], []];
    for (let at = 0; at < FRESH * 2; at++) {
      await memory.record({ user: said() });
      if (isConsolidated) await memory.consolidate();
      times[(at % 2) as 0 | 1].push(await once(memory, questions[at] ?? "", at % 2 === 1));
    }
    Object.assign(figures, compared(name, times[0], times[1]));
  };
  await recorded("knowledge.fresh", () => turn(random));
  await recorded("knowledge.cold", () => turn(random), true);
  await memory.knowledge.import(knowledgeOf(large, random));
  figures["knowledge.large.nodes"] = (await memory.consolidate()).nodes;
  await recorded("knowledge.large", () => turn(random), true);
  await memory.close();
  return figures;
}

/** General knowledge of made-up things, some of them named as what is talked of. */
function knowledgeOf(count: number, random: () => number): Parameters<Memory["knowledge"]["import"]>[0] {
  const words = question(random).split(" ").slice(2);
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    type: "Concept" as const,
    name: `${words[at % words.length]} ${(at * 7_919).toString(36)}x`,
    confidence: 0.9,
  }));
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: id, type: "IsA" as const, to: `n${at >> 1}`, confidence: 0.9 }));
  return { format: "keepsake-knowledge", version: 1, nodes, edges: edges.slice(0, count / 2) };
}

function compared(name: string, without: readonly number[], having: readonly number[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [point, share] of Object.entries({ p50: 0.5, p95: 0.95 })) {
    figures[`${name}.${point}`] = percentile(having, share);
    figures[`${name}.without.${point}`] = percentile(without, share);
    figures[`${name}.share.${point}`] = percentile(having, share) / percentile(without, share);
  }
  return figures;
}

async function once(memory: Memory, text: string, knowledge: boolean): Promise<number> {
  const start = performance.now();
  await memory.recall(text, { touch: false, knowledge });
  return performance.now() - start;
}

self.onmessage = ({ data }: MessageEvent<KnowledgeBenchInput>) => {
  measure(data).then(
    (value) => postMessage({ ok: true, value } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ ok: false, error: String(error) } satisfies WorkerAnswer),
  );
};
