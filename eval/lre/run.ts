/** `npm run eval -- lre`: learned relevance eviction on dialogue and agent histories, beside its baselines. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { shippedBytes } from "../../src/lre/shipped.js";
import type { Embedder } from "../../src/ports.js";
import { openEmbedder } from "../embedders.js";
import type { EvalOptions } from "../options.js";
import type { Findings } from "../report.js";
import { evaluateAgents } from "./agent-runs.js";
import { loadTauBench } from "./agents.js";
import { loadLocomo, loadLongMemEval } from "./dialogues.js";
import { Figures } from "./figures.js";
import { evaluateLocomo } from "./locomo.js";
import { evaluateLongMemEval } from "./longmemeval.js";
import { measureSpeed } from "./speed.js";

/** The first entry of a folder that a pattern names; undefined when there is none. */
async function find(folder: string, pattern: RegExp): Promise<string | undefined> {
  const kind = await stat(folder).catch(() => undefined);
  if (!kind?.isDirectory()) return undefined;
  const name = (await readdir(folder)).find((entry) => pattern.test(entry));
  return name === undefined ? undefined : join(folder, name);
}

/** The dense baseline's embedder, or none when its file is not there. */
async function optionalEmbedder(name: EvalOptions["embedder"]): Promise<Embedder | undefined> {
  try {
    return (await openEmbedder(name)).embedder;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** Runs on what it finds of LoCoMo, LongMemEval and tau-bench under `data`; LLM compression is left empty, it needs an engine.
 * @throws RangeError when there is none of them */
export async function runLre(options: Pick<EvalOptions, "data" | "seed" | "sets" | "embedder" | "limit">): Promise<Findings> {
  const figures = new Figures(options.seed);
  const { data, seed, sets, limit } = options;
  const locomo = sets.includes("locomo")
    ? ((await find(join(data, "locomo"), /^locomo.*\.json$/)) ?? (await find(data, /^locomo.*\.json$/)))
    : undefined;
  if (locomo) {
    const dialogues = (await loadLocomo(locomo)).slice(0, limit);
    await evaluateLocomo(figures, dialogues, seed, await optionalEmbedder(options.embedder));
    measureSpeed(figures, dialogues);
  }
  const tau = await find(data, /^tau-bench$/);
  if (tau) evaluateAgents(figures, (await loadTauBench(tau)).slice(0, limit));
  const folder = sets.includes("longmemeval") ? await find(data, /^longmemeval/) : undefined;
  if (folder) evaluateLongMemEval(figures, (await loadLongMemEval(folder)).slice(0, limit), seed);
  if (!locomo && !tau && !folder)
    throw new RangeError(`no LoCoMo, LongMemEval or tau-bench under ${data}; give the data with --data PATH`);
  figures.set("lre.modelBytes.dialogue", Math.max(shippedBytes("people").length, shippedBytes("assistant").length));
  figures.set("lre.modelBytes.agent", shippedBytes("agent").length);
  return figures.findings;
}
