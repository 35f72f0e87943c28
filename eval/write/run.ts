/** `npm run eval -- write`: what the write path keeps, adds, joins, marks and costs. */

import type { DatasetMemory, DatasetQuestion } from "../data/dataset.js";
import { openEmbedder } from "../embedders.js";
import { findData } from "../find-data.js";
import { Figures } from "../lre/figures.js";
import { mean } from "../metrics.js";
import type { EvalOptions } from "../options.js";
import type { Findings } from "../report.js";
import { measureGate } from "./gate.js";
import { identifiersKept } from "./identifiers.js";
import { recordTimes } from "./latency.js";
import { NOISE_FORMS, type NoiseForm, noiseRecalls } from "./noise.js";
import { addReplayed, addTallies, replaySet } from "./replayed.js";

export const WRITE_PARTS = ["gate", "recorded", "identifiers", "noise", "latency"] as const;

/** Of LongMemEval's haystacks each so many-th stands for all: one takes as long as a conversation of LoCoMo. */
const EVERY = 4;

/** Runs the parts that `--methods` names, all by default, on what it finds under `--data`. */
export async function runWrite(options: EvalOptions): Promise<Findings> {
  const { seed, limit, methods } = options;
  const wants = (part: (typeof WRITE_PARTS)[number]): boolean => methods.includes(part);
  const sets = (await findData(options.data)).filter(({ name }) => options.sets.includes(name));
  const figures = new Figures(seed);
  const opened = await openEmbedder("static");
  const notes: string[] = [];

  const longMemEval = sets.find(({ name }) => name === "longmemeval");
  if (wants("gate") && longMemEval) {
    const { curve, kept, stored } = await measureGate(longMemEval.path, seed);
    figures.add("longmemeval.gate.recall", kept);
    figures.set("longmemeval.gate.stored", stored);
    for (const { share, kept: at, turns } of curve) {
      figures.add(`longmemeval.gate.recall@${100 * share}%`, at);
      figures.set(`longmemeval.gate.turns@${100 * share}%`, turns);
    }
    notes.push(
      "longmemeval.gate: gates and turn scores of five folds by question that share no session; the curve counts each session once and goes by the score alone, the default is the running gate with its rules over whole haystacks.",
    );
  }

  if (wants("recorded")) {
    const tallies = [];
    for (const set of sets) {
      const isSampled = (at: number): boolean => set.name === "locomo" || at % EVERY === 0;
      const isUpdate = ({ category }: DatasetQuestion): boolean => category === "knowledge-update";
      const wanted = (memory: DatasetMemory, at: number): boolean =>
        at < limit && (isSampled(at) || memory.questions.some(isUpdate));
      const found = await replaySet(set, opened, wanted, isSampled);
      addReplayed(figures, set.name, found);
      tallies.push(found.tally);
    }
    addTallies(figures, tallies);
    notes.push(
      `Recorded through the public surface: LoCoMo whole, of LongMemEval each ${EVERY}th haystack, and for what is superseded every one about a knowledge update; weights as shipped. ` +
        "write.supersede.wrong counts every mark that is not between two evidence turns of a question, per 1,000 entries; an upper bound.",
    );
  }

  if (wants("identifiers")) figures.add("write.identifiers", await identifiersKept(options.data, limit));

  const locomo = sets.find(({ name }) => name === "locomo");
  if (wants("noise") && locomo) {
    const found = new Map<NoiseForm, number[]>(NOISE_FORMS.map((form) => [form, []]));
    let at = 0;
    for await (const memory of locomo.memories()) {
      if (at++ >= limit) break;
      const recalls = await noiseRecalls(memory, opened, seed);
      for (const form of NOISE_FORMS) found.get(form)?.push(...recalls[form]);
      process.stderr.write(`\rnoise: ${at} conversations `);
    }
    process.stderr.write("\n");
    const clean = mean(found.get("clean") ?? []);
    for (const form of NOISE_FORMS) {
      figures.add(`write.noise50.recall@10.${form}`, found.get(form) ?? []);
      const name = form === "source" ? "write.noise50.kept" : `write.noise50.kept.${form}`;
      if (form !== "clean") figures.set(name, mean(found.get(form) ?? []) / clean);
    }
    notes.push(
      "write.noise50: half of the statements say what another one of their conversation says. `source` searches what was said, as Keepsake does; `written` searches the writer's words; `.ungrounded` without the check against the source.",
    );
  }

  if (wants("latency")) {
    for await (const { turns } of (longMemEval ?? locomo)?.memories() ?? []) {
      const times = [...(await recordTimes(turns, seed))];
      for (const [size, ms] of times) figures.set(`write.record.p50.${size}`, ms);
      figures.set("write.record.growth", (times.at(-1)?.[1] ?? 0) / (times[0]?.[1] ?? 1));
      break;
    }
  }

  await opened.embedder.close();
  return { ...figures.findings, notes };
}
