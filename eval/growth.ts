/** `growth`: what recall loses when a memory grows.
 *
 * Pooled: the history of a LongMemEval question shares one memory with those of others, up to 10,000 turns. Along one trajectory: the
 * conversations of LoCoMo follow each other in one memory, and the first one's questions are asked again as it grows. */

import type { Dataset, DatasetMemory, DatasetQuestion } from "./data/dataset.js";
import { openEmbedder } from "./embedders.js";
import { findData } from "./find-data.js";
import { loadKernelFile } from "./kernel-file.js";
import { type Method, runMethod } from "./methods.js";
import { bootstrapInterval, mean, quantile, rankMetrics } from "./metrics.js";
import { type ModelRoles, openModelRoles } from "./model-roles.js";
import type { EvalOptions } from "./options.js";
import type { Findings } from "./report.js";
import { joinTurns, type PreparedTurn, prepareTurns, type TurnMemoryParts } from "./turn-memory.js";

/** Histories of one pool: about 500 turns each, so the whole is about 10,000. */
const POOL = 20;
/** Histories that a question's own one shares a memory with, itself counted. */
const SHARES = [1, 2, 4, 10, 20] as const;
/** Turns at which the trajectory is stopped to ask. */
const STOPS = [100, 500, 1_000, 2_000, 4_000, 10_000] as const;

interface Parts extends TurnMemoryParts {
  readonly roles?: ModelRoles;
}

interface History {
  readonly memory: DatasetMemory;
  readonly turns: readonly PreparedTurn[];
}

type Samples = Map<string, number[]>;

const push = (samples: Samples, key: string, value: number): void => {
  const values = samples.get(key);
  if (values) values.push(value);
  else samples.set(key, [value]);
};

async function askAll(
  histories: readonly History[],
  parts: Parts,
  asked: readonly { readonly history: History; readonly question: DatasetQuestion }[],
  methods: readonly Method[],
  key: string,
  samples: Samples,
): Promise<void> {
  const built = joinTurns(
    histories.flatMap(({ turns }) => turns),
    parts,
  );
  for (const { history, question } of asked) {
    const evidence = question.evidence.map((id) => `${history.memory.id}/${id}`);
    for (const method of methods) {
      const { entries, ms } = await runMethod(method, { ...parts, memory: built }, question);
      const ranked = entries.map(({ sources }) => sources.map(({ turnId }) => turnId as string));
      const metrics = rankMetrics(ranked, evidence);
      const suffix = method === "lite" ? "" : `.${method}`;
      push(samples, `${key}.recall@10${suffix}`, metrics["recall@10"]);
      push(samples, `${key}.all@10${suffix}`, metrics["all@10"]);
      push(samples, `${key}.ms${suffix}`, ms);
    }
  }
  built.close();
}

async function pooled(set: Dataset, options: EvalOptions, parts: Parts, samples: Samples): Promise<void> {
  let pool: History[] = [];
  let done = 0;
  const startedAt = performance.now();
  const flush = async (): Promise<void> => {
    for (const share of SHARES) {
      if (share > pool.length) break;
      const turns = Math.round(mean(pool.map((history) => history.turns.length)) * share);
      for (let from = 0; from + share <= pool.length; from += share) {
        const group = pool.slice(from, from + share);
        const asked = group.flatMap((history) => history.memory.questions.map((question) => ({ history, question })));
        await askAll(group, parts, asked, options.methods as Method[], `growth.pooled.x${share}`, samples);
      }
      push(samples, `growth.pooled.x${share}.turns`, turns);
    }
    done += pool.length;
    pool = [];
    process.stderr.write(`\rpooled: ${done} histories, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s `);
  };
  for await (const memory of set.memories()) {
    if (done + pool.length >= options.limit) break;
    pool.push({ memory, turns: await prepareTurns(memory.turns, parts.embedder, `${memory.id}/`) });
    if (pool.length === POOL) await flush();
  }
  // A part of a pool has no full size to compare with.
  process.stderr.write("\n");
}

/** Differences between a size and the smallest one, question by question. */
function losses(samples: Samples, methods: readonly string[], seed: number) {
  const figures: Record<string, number> = {};
  const intervals: Record<string, readonly [number, number]> = {};
  for (const method of methods) {
    const suffix = method === "lite" ? "" : `.${method}`;
    const least = samples.get(`growth.pooled.x1.recall@10${suffix}`) ?? [];
    for (const share of SHARES.slice(1)) {
      const grown = samples.get(`growth.pooled.x${share}.recall@10${suffix}`) ?? [];
      if (grown.length === 0 || grown.length !== least.length) continue;
      const lost = least.map((value, index) => value - (grown[index] as number));
      figures[`growth.pooled.x${share}.loss${suffix}`] = mean(lost);
      intervals[`growth.pooled.x${share}.loss${suffix}`] = bootstrapInterval(lost, seed);
    }
  }
  return { figures, intervals };
}

async function trajectory(set: Dataset, options: EvalOptions, parts: Parts, samples: Samples): Promise<void> {
  const histories: History[] = [];
  for await (const memory of set.memories())
    histories.push({ memory, turns: await prepareTurns(memory.turns, parts.embedder, `${memory.id}/`) });
  const first = histories[0];
  if (!first) return;
  const all = histories.flatMap((history) => history.turns);
  // Said by the first stop, or the question has nothing to find.
  for (const stop of STOPS.filter((size) => size < all.length || size === STOPS.find((other) => other >= all.length))) {
    const turns = all.slice(0, stop);
    const held = new Set(turns.flatMap(({ entry }) => entry.sources.map(({ turnId }) => turnId as string)));
    const asked = first.memory.questions
      .filter(({ adversarial, evidence }) => !adversarial && evidence.every((id) => held.has(`${first.memory.id}/${id}`)))
      .slice(0, options.limit)
      .map((question) => ({ history: first, question }));
    await askAll(
      [{ memory: first.memory, turns }],
      parts,
      asked,
      options.methods as Method[],
      `growth.trajectory.${turns.length}`,
      samples,
    );
  }
}

export async function runGrowth(options: EvalOptions): Promise<Findings> {
  const sets = (await findData(options.data)).filter((set) => options.sets.includes(set.name));
  const opened = await openEmbedder(options.embedder);
  const kernel = await loadKernelFile();
  const roles = await openModelRoles(options, opened);
  const parts: Parts = { ...opened, ...(kernel && { kernel }), ...(roles && { roles }) };
  const samples: Samples = new Map();
  for (const set of sets) await (set.name === "locomo" ? trajectory : pooled)(set, options, parts, samples);
  await roles?.close();
  const { figures, intervals } = losses(samples, options.methods, options.seed);
  for (const [name, values] of samples) {
    if (/\.ms(?:\.|$)/.test(name)) {
      figures[`${name}.p50`] = quantile(values, 0.5);
      figures[`${name}.p95`] = quantile(values, 0.95);
      continue;
    }
    figures[name] = mean(values);
    if (!name.endsWith(".turns")) intervals[name] = bootstrapInterval(values, options.seed);
  }
  return { figures, intervals, failed: 0, ...(roles && { notes: roles.notes }) };
}
