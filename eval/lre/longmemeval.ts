/** LongMemEval_S in five folds without shared texts: turns on arrival and at eviction time, sessions, retention. */

import { type AssistantRows, collectAssistant, isAssistantFeature, trainAssistant } from "../../scripts/train-lre/assistant.js";
import { ASSISTANT_FEATURES } from "../../src/lre/assistant-features.js";
import { solveKnapsack } from "../../src/lre/knapsack.js";
import { CreditLog } from "../../src/lre/labels.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import { logitsOf } from "../../src/lre/rows.js";
import { calibrate } from "../../src/lre/scorer.js";
import { estimateTokens } from "../../src/text/tokens.js";
import type { Dialogue } from "./dialogues.js";
import type { Figures } from "./figures.js";
import { type Folds, makeFolds } from "./folds.js";
import { auc } from "./ranking.js";
import { sessionAucs } from "./sessions.js";
import { retentionOf } from "./units.js";

const FOLDS = 5;
const BUDGETS = [0.05, 0.1, 0.25, 0.5] as const;
const RECENT = 5;
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

/** Turns of each dialogue, as a slice of all turns. */
function spansOf(dialogues: readonly Dialogue[]): { from: number; to: number }[] {
  let from = 0;
  return dialogues.map(({ turns }) => {
    const span = { from, to: from + turns.length };
    from = span.to;
    return span;
  });
}

export function evaluateLongMemEval(figures: Figures, dialogues: readonly Dialogue[], seed: number): void {
  const rows = collectAssistant(dialogues);
  const folds = makeFolds(dialogues, FOLDS, seed);
  const hasEvidence = dialogues.map(({ gold }) => gold.includes(1));
  const spans = spansOf(dialogues);
  const rank = (name: string, scores: Float64Array): void =>
    figures.add(
      `longmemeval.auc.${name}`,
      dialogues.map(({ gold }, i) => auc(scores.slice(spans[i]?.from, spans[i]?.to), gold)),
    );
  figures.add("longmemeval.auc.session", sessionAucs(rows, dialogues, folds, false));
  figures.add("longmemeval.auc.session-eviction", sessionAucs(rows, dialogues, folds, true));
  const gold = rows.turns.map((turn) => turn.gold);
  const arrival = recipeScores(rows, folds, hasEvidence, "arrival", gold);
  const eviction = recipeScores(rows, folds, hasEvidence, "eviction", gold);
  rank("turn-arrival", arrival);
  rank("turn", eviction);
  rank("turn.self", recipeScores(rows, folds, hasEvidence, "eviction", creditLabels(dialogues, "soft"), CREDIT_OFFSET));
  rank("turn.overlap", recipeScores(rows, folds, hasEvidence, "eviction", creditLabels(dialogues, "overlap"), CREDIT_OFFSET));
  const models = trainFolds(rows, folds, hasEvidence);
  rank("turn-arrival.file", fileScores(rows, folds, hasEvidence, "arrival", models));
  rank("turn.file", fileScores(rows, folds, hasEvidence, "eviction", models));
  rank("turn.recency", Float64Array.from(rows.turns.keys()));
  const costs = dialogues.map(({ turns }) => turns.map(({ text }) => Math.max(1, estimateTokens(text))));
  for (const share of BUDGETS) {
    const keep = (pick: (i: number, left: number, first: number) => Iterable<number>) =>
      dialogues.flatMap((dialogue, i) => {
        if (!hasEvidence[i]) return [];
        const own = costs[i] as number[];
        const first = Math.max(0, own.length - RECENT);
        let left = Math.floor(share * own.reduce((sum, cost) => sum + cost, 0));
        const kept = new Set<number>();
        for (let at = own.length - 1; at >= first && (own[at] as number) <= left; at--) {
          kept.add(at);
          left -= own[at] as number;
        }
        for (const at of pick(i, left, first)) kept.add(at);
        return [retentionOf(dialogue, kept)];
      });
    const byScore = (scores: Float64Array) => (i: number, left: number, first: number) => {
      const probabilities = calibrate(scores.slice(spans[i]?.from, (spans[i]?.from ?? 0) + first));
      const { taken } = solveKnapsack(probabilities, (costs[i] as number[]).slice(0, first), left);
      return [...taken.keys()].filter((at) => taken[at] === 1);
    };
    const newest = (i: number, left: number, first: number): number[] => {
      const kept: number[] = [];
      for (let at = first - 1, room = left; at >= 0 && (costs[i]?.[at] as number) <= room; at--) {
        kept.push(at);
        room -= costs[i]?.[at] as number;
      }
      return kept;
    };
    const name = `longmemeval.evidence@${share * 100}%`;
    figures.add(
      name,
      keep(byScore(eviction)).map(({ evidence }) => evidence),
    );
    figures.add(
      `${name}.arrival`,
      keep(byScore(arrival)).map(({ evidence }) => evidence),
    );
    figures.add(
      `${name}.fifo`,
      keep(newest).map(({ evidence }) => evidence),
    );
  }
}
