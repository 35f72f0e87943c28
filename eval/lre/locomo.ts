/** LoCoMo, leaving one conversation out: ranking of evidence, retention under a budget, self-supervision, what ships and how it adapts. */

import { ContextWindow } from "../../src/lre/context-window.js";
import { DIALOGUE_FEATURES, DialogueFeatures } from "../../src/lre/dialogue-features.js";
import { featuresOf } from "../../src/lre/extractor.js";
import { type Answered, CreditLog, type CreditOptions } from "../../src/lre/labels.js";
import { Learner } from "../../src/lre/learner.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import { decodeModel, encodeModel, type ScorerModel } from "../../src/lre/model.js";
import { deviationOf, logitsOf, RowStore, toPart } from "../../src/lre/rows.js";
import { calibrate, type LocalModel, StreamScorer } from "../../src/lre/scorer.js";
import { shippedModel } from "../../src/lre/shipped.js";
import { BUCKETS } from "../../src/lre/vocabulary.js";
import type { WindowSelection } from "../../src/lre/window-options.js";
import type { Embedder, SlmEngine } from "../../src/ports.js";
import { seededRandom } from "../metrics.js";
import { baselinePolicy, baselines } from "./baselines.js";
import { compareCompression } from "./compression.js";
import type { Dialogue, GoldQuestion } from "./dialogues.js";
import { exactValue } from "./exact.js";
import type { Figures } from "./figures.js";
import { auc } from "./ranking.js";
import { type Ask, costsOf, type Policy, percent, RECENT, RetentionTable } from "./retention.js";
import { unitsOf } from "./units.js";

const BUDGETS = [0.1, 0.25, 0.5] as const;
/** Chosen on the training folds alone, in six of seven cases between 200 and 400; the choice made so gives .0005 less (.8486). */
const PENALTY = { l2: 200, bucketL2: 32 };
/** The recipe's, with which the paper's label gives the paper's figure. */
const PAPER_PENALTY = { l2: 20, bucketL2: 4 };

interface Rows {
  readonly store: RowStore;
  /** Rows of each conversation. */
  readonly of: Uint32Array[];
}

function collect(dialogues: readonly Dialogue[]): Rows {
  const store = new RowStore(DIALOGUE_FEATURES.length);
  const of = dialogues.map((dialogue) => {
    const stream = new DialogueFeatures();
    return Uint32Array.from(dialogue.turns, (turn) => {
      stream.push(turn);
      return store.add(stream.dense, stream.buckets, stream.bucketCount);
    });
  });
  return { store, of };
}

interface Labels {
  readonly labels: Float32Array;
  readonly weights?: Float32Array;
}

interface Penalty {
  readonly l2: number;
  readonly bucketL2: number;
}

/** A model for each conversation, trained on all others, as its file keeps it. */
function leaveOneOut(rows: Rows, { labels, weights }: Labels, penalty: Penalty = PENALTY): ScorerModel[] {
  return rows.of.map((_, out): ScorerModel => {
    const subset = Uint32Array.from(rows.of.flatMap((own, i) => (i === out ? [] : [...own])));
    const fitted = fitLogistic(rows.store.data, {
      labels,
      subset,
      bucketCount: BUCKETS,
      ...penalty,
      ...(weights && { weights }),
    });
    const spread = deviationOf(logitsOf(fitted, rows.store.data, subset));
    const parts = [toPart(fitted, DIALOGUE_FEATURES, "", spread)];
    const file = encodeModel({ profile: "people", provenance: "leave one conversation out", parts });
    return decodeModel(file, featuresOf);
  });
}

/** Evidence of several questions counts more: it is what is asked for. */
function goldLabels(dialogues: readonly Dialogue[]): Labels {
  const uses = dialogues.flatMap(({ turns, questions }) => {
    const counts = new Array<number>(turns.length).fill(0);
    for (const { evidence } of questions) for (const at of evidence) counts[at] = (counts[at] as number) + 1;
    return counts;
  });
  return {
    labels: Float32Array.from(uses, (count) => (count > 0 ? 1 : 0)),
    weights: Float32Array.from(uses, (count) => Math.max(1, count)),
  };
}

function scoresOf(dialogue: Dialogue, model: ScorerModel, local?: LocalModel): number[] {
  const scorer = new StreamScorer(model, local);
  return unitsOf(dialogue).map((unit) => scorer.push(unit));
}

const answeredOf = (questions: readonly GoldQuestion[]): Answered[] =>
  questions.flatMap(({ question, answer }) => (answer === undefined ? [] : [{ question, answer }]));

function creditLabels(dialogues: readonly Dialogue[], options: CreditOptions): Float32Array {
  return Float32Array.from(
    dialogues.flatMap((dialogue) => {
      const log = new CreditLog();
      for (const { speaker, text, caption } of dialogue.turns)
        log.add(`${options.label === "overlap" ? "" : speaker} ${text} ${caption ?? ""}`);
      return [...log.labels(answeredOf(dialogue.questions), options).labels];
    }),
  );
}

/** A window of ours over one dialogue. */
function selectionOf(
  { dialogue, budgetTokens, recent }: Ask,
  model: ScorerModel,
  mode: "reselect" | "streaming",
): WindowSelection {
  const recentInside = recent === "inside";
  const window = new ContextWindow({ budgetTokens, profile: "people", recent: RECENT, recentInside, mode, model });
  for (const unit of unitsOf(dialogue)) window.push(unit);
  return window.select();
}

const windowPolicy =
  (models: readonly ScorerModel[], mode: "reselect" | "streaming" = "reselect"): Policy =>
  (ask) =>
    new Set(selectionOf(ask, models[ask.number] as ScorerModel, mode).kept.map(({ unit }) => Number(unit.id)));

/** How far the greedy choice stays behind the exact one (`greedyGap`) and behind the bound that it reports (`boundGap`), both as shares
 * of the better, recent turns beside the budget so that all else is chosen. */
function addGaps(figures: Figures, dialogues: readonly Dialogue[], models: readonly ScorerModel[]): void {
  for (const share of BUDGETS) {
    const gaps: number[] = [];
    const bounds: number[] = [];
    dialogues.forEach((dialogue, number) => {
      const costs = costsOf(dialogue);
      const budgetTokens = Math.floor(share * costs.reduce((sum, cost) => sum + cost, 0));
      const model = models[number] as ScorerModel;
      const { value, bound } = selectionOf({ dialogue, number, costs, budgetTokens, recent: "beside" }, model, "reselect");
      const older = costs
        .slice(0, -RECENT)
        .map((_, at) => at)
        .filter((at) => (costs[at] as number) <= budgetTokens);
      const scores = scoresOf(dialogue, model);
      const probabilities = calibrate(older.map((at) => scores[at] as number));
      const exact = exactValue(
        probabilities,
        older.map((at) => costs[at] as number),
        budgetTokens,
      );
      gaps.push(1 - value / exact);
      bounds.push(1 - value / bound);
    });
    figures.add(`locomo.greedyGap@${percent(share)}`, gaps);
    figures.add(`locomo.boundGap@${percent(share)}`, bounds);
  }
}

function shuffled(values: readonly number[], random: () => number): number[] {
  const order = [...values];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** After so many of the user's own answered questions: evidence of the other questions is ranked, turns that only the observed
 * ones rest on are left aside. Three draws a conversation. */
function adapted(dialogue: Dialogue, count: number, seed: number): number[] {
  const units = unitsOf(dialogue);
  return [0, 1, 2].map((draw) => {
    const answerable = dialogue.questions.flatMap(({ answer }, i) => (answer === undefined ? [] : [i]));
    const observed = new Set(shuffled(answerable, seededRandom(seed * 1_000 + draw)).slice(0, count));
    const learner = new Learner("people");
    learner.observe({ id: dialogue.id, units, answered: answeredOf(dialogue.questions.filter((_, i) => observed.has(i))) });
    const gold = new Uint8Array(units.length);
    const seen = new Uint8Array(units.length);
    dialogue.questions.forEach(({ evidence }, i) => {
      for (const at of evidence) (observed.has(i) ? seen : gold)[at] = 1;
    });
    const scores = scoresOf(dialogue, shippedModel("people"), learner.local);
    const judged = scores.map((_, at) => at).filter((at) => gold[at] === 1 || seen[at] === 0);
    return auc(
      judged.map((at) => scores[at] as number),
      judged.map((at) => gold[at] as number),
    );
  });
}

/** What is compared with ours, by the name that ends its figures. */
export interface Comparison {
  readonly embedders: Readonly<Record<string, Embedder>>;
  /** Compresses the history instead; the row is left empty without one. */
  readonly engine?: SlmEngine;
}

export async function evaluateLocomo(
  figures: Figures,
  dialogues: readonly Dialogue[],
  seed: number,
  { embedders, engine }: Comparison,
): Promise<void> {
  const rows = collect(dialogues);
  const rank = (name: string, scores: readonly ArrayLike<number>[]): void =>
    figures.add(
      `locomo.auc.${name}`,
      dialogues.map(({ gold }, i) => auc(scores[i] ?? [], gold)),
    );
  const scored = (models: readonly ScorerModel[]): number[][] =>
    dialogues.map((dialogue, i) => scoresOf(dialogue, models[i] as ScorerModel));
  const supervised = leaveOneOut(rows, goldLabels(dialogues));
  const self = leaveOneOut(rows, { labels: creditLabels(dialogues, { label: "soft" }) });
  const overlap = leaveOneOut(rows, { labels: creditLabels(dialogues, { label: "overlap" }) }, PAPER_PENALTY);
  const shipped = dialogues.map(() => shippedModel("people"));
  for (const [name, models] of Object.entries({ supervised, self, overlap, shipped })) rank(name, scored(models));
  for (const count of [25, 50, 100])
    figures.add(
      `locomo.auc.adapted${count}`,
      dialogues.flatMap((dialogue) => adapted(dialogue, count, seed)),
    );
  const table = new RetentionTable(figures, "locomo", dialogues, BUDGETS);
  table.add("", windowPolicy(supervised));
  table.add("beside", windowPolicy(supervised), "beside");
  table.add("streaming", windowPolicy(supervised, "streaming"));
  table.add("self", windowPolicy(self));
  table.add("overlap", windowPolicy(overlap));
  table.add("shipped", windowPolicy(shipped));
  table.addUnbounded();
  addGaps(figures, dialogues, supervised);
  const policies: Record<string, Policy> = { "": windowPolicy(supervised), unbounded: ({ costs }) => new Set(costs.keys()) };
  for (const baseline of baselines(seed, embedders)) {
    const scores = await Promise.all(dialogues.map((dialogue) => baseline.score(dialogue)));
    const policy = baselinePolicy(baseline, scores);
    rank(baseline.name, scores);
    table.add(baseline.name, policy);
    table.add(`${baseline.name}.beside`, policy, "beside");
    if (baseline.name === "fifo" || baseline.name === "tfidf") policies[baseline.name] = policy;
  }
  await compareCompression(figures, dialogues, BUDGETS, policies, engine);
}
