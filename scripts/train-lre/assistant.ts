/** Trains the model for a person with an assistant: one part a role, from LongMemEval. */

import type { Dialogue } from "../../eval/lre/dialogues.js";
import { ASSISTANT_FEATURES, AssistantFeatures, REVISABLE } from "../../src/lre/assistant-features.js";
import { type FitOptions, fitLogistic, type Logistic } from "../../src/lre/logistic.js";
import type { ModelPart, ScorerModel } from "../../src/lre/model.js";
import { deviationOf, logitsOf, RowStore, toPart } from "../../src/lre/rows.js";

/** Every turn twice: rows 2i as known on arrival, 2i + 1 as known at eviction time, so that one model serves both. */
export interface AssistantRows {
  readonly store: RowStore;
  /** By turn: its dialogue, session and role, and whether it is evidence. */
  readonly turns: readonly {
    readonly dialogue: number;
    readonly session: number;
    readonly role: "user" | "assistant";
    readonly gold: number;
  }[];
}

export function collectAssistant(dialogues: readonly Dialogue[]): AssistantRows {
  const store = new RowStore(ASSISTANT_FEATURES.length);
  const turns: AssistantRows["turns"][number][] = [];
  dialogues.forEach((dialogue, number) => {
    const stream = new AssistantFeatures();
    const first = turns.length;
    dialogue.turns.forEach((turn, at) => {
      stream.push(turn);
      store.add(stream.dense, stream.all.buckets, stream.all.bucketCount);
      store.add(stream.dense, stream.all.buckets, stream.all.bucketCount);
      turns.push({ dialogue: number, session: turn.session, role: turn.role, gold: dialogue.gold[at] as number });
    });
    stream.revise((at, revised) => store.revise(2 * (first + at) + 1, REVISABLE, revised));
  });
  return { store, turns };
}

/** The person's words alone add .001 AUC to those of all turns and a kilobyte to the file. */
const isUserFeature = (name: string): boolean => !name.startsWith("own.");
/** What speaks for an assistant's turn: its form, its session, the human turn before; few enough for the few examples there are. */
const ASSISTANT_FEATURE =
  /^(?:end|session|earlierSession|anySession|asked|chars$|lengthToMean|lineBreaks|listItems|bold|code|table|quotes|quantities|clocks|places|asAnAi|overlap|capitals|sentences|foreign|startsAsking|request)|^all\.(?:sumIdf|meanIdf|newStems|newShare|stopShare|entities|newEntities|digits|numbers|sessionTurn|idfRank|secondPerson|firstPerson|reaction|freshStems|sessionNewStems|length|lengthRatio|previousEndsAsking|previousAsksWh|previousQuestionShare|questionShare|timeWord)$/;

export const isAssistantFeature = (name: string): boolean => ASSISTANT_FEATURE.test(name);
/** Assistant turns are labelled too seldom for what they are worth: two logits are added (measured best on held-out folds, 1.5 to 2.5). */
const ASSISTANT_OFFSET = 2;

export interface RoleRecipe {
  readonly l2: number;
  /** So many features of the largest weight stay in the file. */
  readonly keep: number;
}

export const USER_RECIPE: RoleRecipe = { l2: 800, keep: 56 };
export const ASSISTANT_RECIPE: RoleRecipe = { l2: 60, keep: 36 };

/** Fits, keeps the features of the largest weights, and fits those again. */
function fitPruned({ store }: AssistantRows, options: Omit<FitOptions, "use">, use: readonly number[], keep: number): Logistic {
  const whole = fitLogistic(store.data, { ...options, use });
  const order = use
    .map((_, k) => k)
    .sort((a, b) => Math.abs(whole.weights[b] as number) - Math.abs(whole.weights[a] as number) || a - b);
  const kept = order
    .slice(0, keep)
    .map((k) => use[k] as number)
    .sort((a, b) => a - b);
  return kept.length === use.length ? whole : fitLogistic(store.data, { ...options, use: kept });
}

/** @param learns which turns may be learned from, by their number in `rows` */
export function trainAssistant(rows: AssistantRows, provenance: string, learns: (turn: number) => boolean): ScorerModel {
  const labels = new Uint8Array(2 * rows.turns.length);
  rows.turns.forEach(({ gold }, turn) => {
    labels[2 * turn] = labels[2 * turn + 1] = gold;
  });
  const train = (role: "user" | "assistant", recipe: RoleRecipe, uses: (name: string) => boolean): ModelPart => {
    const subset = Uint32Array.from(rows.turns.flatMap((turn, i) => (turn.role === role && learns(i) ? [2 * i, 2 * i + 1] : [])));
    const use = ASSISTANT_FEATURES.flatMap((name, column) => (uses(name) ? [column] : []));
    const fitted = fitPruned(rows, { labels, subset, l2: recipe.l2 }, use, recipe.keep);
    return toPart(fitted, ASSISTANT_FEATURES, role, deviationOf(logitsOf(fitted, rows.store.data, subset)));
  };
  const user = train("user", USER_RECIPE, isUserFeature);
  const assistant = train("assistant", ASSISTANT_RECIPE, isAssistantFeature);
  // Both roles are compared with each other, so they share one scale.
  return {
    profile: "assistant",
    provenance,
    parts: [user, { ...assistant, bias: assistant.bias + ASSISTANT_OFFSET, spread: user.spread }],
  };
}
