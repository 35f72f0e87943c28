/** `npm run eval -- lre`: learned relevance eviction on dialogue and agent histories, beside its baselines. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { shippedBytes } from "../../src/lre/shipped.js";
import type { Embedder, SlmEngine } from "../../src/ports.js";
import { openEmbedder } from "../embedders.js";
import type { EvalOptions } from "../options.js";
import type { Findings } from "../report.js";
import { evaluateAgents } from "./agent-runs.js";
import { type AgentRun, loadApiBank, loadSweAgent, loadTauBench } from "./agents.js";
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

/** The dense baselines' embedders, those whose files are there. */
async function denseEmbedders(): Promise<Record<string, Embedder>> {
  const found: Record<string, Embedder> = {};
  for (const name of ["minilm", "static"] as const) {
    try {
      found[name] = (await openEmbedder(name)).embedder;
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
    }
  }
  return found;
}

/** Runs by set: tau-bench has the figures without a name, as it alone has enough tasks. */
async function loadAgentSets(data: string, limit: number): Promise<Record<string, readonly AgentRun[]>> {
  const sets: Record<string, readonly AgentRun[]> = {};
  for (const [suffix, folder, load] of [
    ["", "tau-bench", loadTauBench],
    ["swe-agent", "swe-agent", loadSweAgent],
    ["api-bank", join("api-bank", "lv1-lv2-samples"), loadApiBank],
  ] as const) {
    const path = join(data, folder);
    if ((await stat(path).catch(() => undefined))?.isDirectory()) sets[suffix] = (await load(path)).slice(0, limit);
  }
  return sets;
}

/** What a reader must know of the figures; goes into the report. */
const NOTES = [
  "LoCoMo: one conversation is left out, the model is trained on the others; intervals are bootstraps over conversations. What ships has never seen LoCoMo.",
  "LongMemEval: 5 folds, drawn with the seed; questions on the same evidence share a fold, and a session that a test fold holds is not learned from.",
  "Agents: 10 folds by task over all sets together. `agents.values@…` is the share of tool calls whose needed earlier values are in context when the call is made, streaming and without a way back. It stands in for the paper's AppWorld success rate, which needs live environments and cannot be replayed from logs.",
  "Recent window of 5. Dialogue figures count it inside the budget (the harder setting), those with `.beside` keep it unconditionally as the paper does. Agent figures keep it beside the budget, those with `.inside` do not.",
  "`minilm` and `static` rank by the cosine with the conversation's centroid, `pruning` by the mean self-information of a turn's words under the unigrams heard so far; `oracle` knows the evidence.",
  "`answers@…`: share of answers whose content words can all be read in what is kept. Compression by a language model (`.llm`) is left empty: this run had no engine.",
];

/** Runs on what it finds of LoCoMo, LongMemEval and agent sets under `data`.
 * @param engine compresses LoCoMo's histories, for comparison; without one that row is left empty
 * @throws RangeError when there is none of them */
export async function runLre(
  options: Pick<EvalOptions, "data" | "seed" | "sets" | "limit">,
  engine?: SlmEngine,
): Promise<Findings> {
  const figures = new Figures(options.seed);
  const { data, seed, sets, limit } = options;
  const embedders = await denseEmbedders();
  const notes = [...NOTES];
  const locomo = sets.includes("locomo")
    ? ((await find(join(data, "locomo"), /^locomo.*\.json$/)) ?? (await find(data, /^locomo.*\.json$/)))
    : undefined;
  if (locomo) {
    const dialogues = (await loadLocomo(locomo)).slice(0, limit);
    measureSpeed(figures, dialogues);
    if (dialogues.length < 2) notes.push("LoCoMo was left out: leaving one conversation out needs two.");
    else await evaluateLocomo(figures, dialogues, seed, { embedders, ...(engine && { engine }) });
  }
  const agents = sets.includes("agents") ? await loadAgentSets(data, limit) : {};
  if (Object.keys(agents).length > 0) evaluateAgents(figures, agents);
  const folder = sets.includes("longmemeval") ? await find(data, /^longmemeval/) : undefined;
  if (folder) {
    // A sentence model would take an hour for its hundred thousand long turns.
    const { minilm: _, ...quick } = embedders;
    const measured = await evaluateLongMemEval(figures, (await loadLongMemEval(folder)).slice(0, limit), seed, quick);
    if (!measured) notes.push("LongMemEval was left out: what was asked for has too little evidence for five folds.");
  }
  if (!locomo && Object.keys(agents).length === 0 && !folder)
    throw new RangeError(`no LoCoMo, LongMemEval or agent histories under ${data}; give the data with --data PATH`);
  figures.set("lre.modelBytes.dialogue", Math.max(shippedBytes("people").length, shippedBytes("assistant").length));
  figures.set("lre.modelBytes.agent", shippedBytes("agent").length);
  return { ...figures.findings, notes };
}
