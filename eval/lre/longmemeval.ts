/** LongMemEval_S in five folds without shared texts: turns on arrival and at eviction time, sessions, retention. */

import { type AssistantRows, collectAssistant, isAssistantFeature, trainAssistant } from "../../scripts/train-lre/assistant.js";
import { ASSISTANT_FEATURES } from "../../src/lre/assistant-features.js";
import { CreditLog } from "../../src/lre/labels.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import { levelled } from "../../src/lre/role-level.js";
import { logitsOf } from "../../src/lre/rows.js";
import type { Embedder } from "../../src/ports.js";
import { baselinePolicy, baselines, scorePolicy } from "./baselines.js";
import type { Dialogue } from "./dialogues.js";
import type { Figures } from "./figures.js";
import { type Folds, makeFolds } from "./folds.js";
import { auc } from "./ranking.js";
import { type Policy, RetentionTable } from "./retention.js";
import { sessionAucs } from "./sessions.js";

const FOLDS = 5;
const BUDGETS = [0.05, 0.1, 0.25, 0.5] as const;
/** What is added to assistant turns, whose labels are rare. */
const ASSISTANT_OFFSET = 2;
/** Credit favours them instead: answers resemble earlier replies. */
const CREDIT_OFFSET = -1;
const L2 = { user: 400, assistant: 40 } as const;

type Moment = "arrival" | "eviction";

const rowOf = (turn: number, moment: Moment): number => 2 * turn + (moment === "eviction" ? 1 : 0);

/** Scores on held-out folds with a model for this moment alone and all features: what the recipe can do.
 * @returns one a turn */
function recipeScores(
  rows: AssistantRows,
  folds: Folds,
  hasEvidence: readonly boolean[],
  moment: Moment,
  turnLabels: ArrayLike<number>,
  assistantOffset = ASSISTANT_OFFSET,
): Float64Array {
  const labels = new Float32Array(2 * rows.turns.length);
  rows.turns.forEach((_, turn) => {
    labels[2 * turn] = labels[2 * turn + 1] = turnLabels[turn] as number;
  });
  const scores = new Float64Array(rows.turns.length);
  for (const role of ["user", "assistant"] as const) {
    const use = ASSISTANT_FEATURES.flatMap((name, column) => (role === "user" || isAssistantFeature(name) ? [column] : []));
    const own = rows.turns.flatMap((turn, i) => (turn.role === role ? [i] : []));
    for (let fold = 0; fold < folds.count; fold++) {
      const learned = own.filter((i) => {
        const { dialogue, session } = rows.turns[i] as AssistantRows["turns"][number];
        return hasEvidence[dialogue] === true && folds.learns(fold, dialogue, session);
      });
      const subset = Uint32Array.from(learned, (turn) => rowOf(turn, moment));
      const fitted = fitLogistic(rows.store.data, { labels, subset, use, l2: L2[role] });
      const held = own.filter((i) => folds.of[rows.turns[i]?.dialogue ?? 0] === fold);
      logitsOf(
        fitted,
        rows.store.data,
        held.map((turn) => rowOf(turn, moment)),
      ).forEach((score, k) => {
        scores[held[k] as number] = score + (role === "assistant" ? assistantOffset : 0);
      });
    }
  }
  return scores;
}

/** Labels from the log alone: each dialogue's question and answer. */
function creditLabels(dialogues: readonly Dialogue[], label: "soft" | "overlap"): Float32Array {
  return Float32Array.from(
    dialogues.flatMap(({ turns, questions }) => {
      const log = new CreditLog();
      for (const { text } of turns) log.add(text);
      const answered = questions.flatMap(({ question, answer }) => (answer === undefined ? [] : [{ question, answer }]));
      return [...log.labels(answered, { label }).labels];
    }),
  );
}

/** Scores on held-out folds of what would ship: one small model for both moments. */
function fileScores(
  rows: AssistantRows,
  folds: Folds,
  hasEvidence: readonly boolean[],
  moment: Moment,
  models: ReturnType<typeof trainFolds>,
): Float64Array {
  const index = new Map(ASSISTANT_FEATURES.map((name, column) => [name, column]));
  const { dense, columns } = rows.store.data;
  return Float64Array.from(rows.turns, ({ dialogue, role }, turn) => {
    const part = models[folds.of[dialogue] as number]?.parts.find((one) => one.role === role);
    if (!part || hasEvidence.length === 0) return 0;
    const base = rowOf(turn, moment) * columns;
    return part.features.reduce((z, name, k) => {
      const value = ((dense[base + (index.get(name) ?? 0)] as number) - (part.mean[k] as number)) / (part.deviation[k] as number);
      return z + (part.weights[k] as number) * Math.max(-4, Math.min(4, value));
    }, part.bias);
  });
}

function trainFolds(rows: AssistantRows, folds: Folds, hasEvidence: readonly boolean[]) {
  return Array.from({ length: folds.count }, (_, fold) =>
    trainAssistant(rows, "fold", (turn) => {
      const { dialogue, session } = rows.turns[turn] as AssistantRows["turns"][number];
      return hasEvidence[dialogue] === true && folds.learns(fold, dialogue, session);
    }),
  );
}

/** The part of each dialogue in one value a turn. */
function split(dialogues: readonly Dialogue[], values: Float64Array): Float64Array[] {
  let from = 0;
  return dialogues.map(({ turns }) => {
    from += turns.length;
    return values.slice(from - turns.length, from);
  });
}

/** Whether every fold has evidence of both roles to learn from; a small part of the data has not. */
function canLearn({ turns }: AssistantRows, folds: Folds): boolean {
  return Array.from({ length: folds.count }, (_, fold) =>
    (["user", "assistant"] as const).every((role) =>
      turns.some((turn) => turn.role === role && turn.gold === 1 && folds.learns(fold, turn.dialogue, turn.session)),
    ),
  ).every(Boolean);
}

/** @returns false when there is too little evidence to learn from, and nothing was measured */
export async function evaluateLongMemEval(
  figures: Figures,
  dialogues: readonly Dialogue[],
  seed: number,
  embedders: Readonly<Record<string, Embedder>>,
): Promise<boolean> {
  const rows = collectAssistant(dialogues);
  const folds = makeFolds(dialogues, FOLDS, seed);
  if (!canLearn(rows, folds)) return false;
  const hasEvidence = dialogues.map(({ gold }) => gold.includes(1));
  const rank = (name: string, scores: readonly Float64Array[]): void =>
    figures.add(
      `longmemeval.auc.${name}`,
      dialogues.map(({ gold }, i) => auc(scores[i] ?? [], gold)),
    );
  figures.add("longmemeval.auc.session", sessionAucs(rows, dialogues, folds, false));
  figures.add("longmemeval.auc.session-eviction", sessionAucs(rows, dialogues, folds, true));
  const scored = (moment: Moment, labels: ArrayLike<number>, offset?: number): Float64Array[] =>
    split(dialogues, recipeScores(rows, folds, hasEvidence, moment, labels, offset));
  const gold = rows.turns.map((turn) => turn.gold);
  const arrival = scored("arrival", gold);
  const eviction = scored("eviction", gold);
  const self = scored("eviction", creditLabels(dialogues, "soft"), CREDIT_OFFSET);
  const overlap = scored("eviction", creditLabels(dialogues, "overlap"), CREDIT_OFFSET);
  const models = trainFolds(rows, folds, hasEvidence);
  rank("turn", eviction);
  rank("turn-arrival", arrival);
  rank("turn.self", self);
  rank("turn.overlap", overlap);
  for (const [name, moment] of [
    ["turn.file", "eviction"],
    ["turn-arrival.file", "arrival"],
  ] as const)
    rank(name, split(dialogues, fileScores(rows, folds, hasEvidence, moment, models)));
  const table = new RetentionTable(figures, "longmemeval", dialogues, BUDGETS);
  /** As the context window does, which brings both roles to one level first. */
  const byScore = (scores: readonly Float64Array[]): Policy =>
    scorePolicy(scores.map((own, i) => levelled([...own], (at) => dialogues[i]?.turns[at]?.role === "user")));
  table.add("", byScore(eviction));
  table.add("beside", byScore(eviction), "beside");
  table.add("arrival", byScore(arrival));
  table.add("self", byScore(self));
  table.add("overlap", byScore(overlap));
  table.addUnbounded();
  for (const baseline of baselines(seed, embedders)) {
    const scores: Float64Array[] = [];
    // One after the other: a sentence model keeps what it is given.
    for (const dialogue of dialogues) scores.push(await baseline.score(dialogue));
    const policy = baselinePolicy(baseline, scores);
    rank(`turn.${baseline.name}`, scores);
    table.add(baseline.name, policy);
    table.add(`${baseline.name}.beside`, policy, "beside");
  }
  return true;
}
