/** What a context window can be told, and what it answers. */

import type { Tokenizer } from "../ports.js";
import type { LedgerLine } from "./ledger.js";
import type { Profile, ScorerModel } from "./model.js";
import type { FeatureTerm, LocalModel } from "./scorer.js";
import type { Unit } from "./unit.js";

export interface ContextWindowOptions {
  /** Tokens for what is kept of older units, pinned ones and ledger; with `recentInside` for everything. 0 or more. */
  readonly budgetTokens: number;
  /** "people" for dialogue between people, "assistant" (default) for a person with an assistant, "agent" for actions with observations. */
  readonly profile?: Profile;
  /** So many newest units are always kept; 5 (the paper's R_k). */
  readonly recent?: number;
  /** Count the recent units inside the budget, newest first as long as they fit; false (the paper: beside it). */
  readonly recentInside?: boolean;
  /** With `recentInside`: further newest units are kept as long as the recent ones take no more than this share of the budget,
   * 0 to 1; 0. */
  readonly recentShare?: number;
  /** "reselect" (default): everything stays at hand and each selection is made anew, scored with what is known by then. "streaming":
   * what is evicted is gone, scores are those of arrival; memory stays within the budget but for ids and tokens of the evicted. */
  readonly mode?: "reselect" | "streaming";
  /** Share of the budget that the identifiers of evicted units may take, 0 to 1; .8 for agents, .1 for an assistant, 0 for people. */
  readonly ledgerShare?: number;
  /** Tokens that the ledger costs beside its text, as a message of its own; 0. */
  readonly ledgerCost?: number;
  /** Counts tokens; an estimate within a few percent of o200k_base by default. */
  readonly tokenizer?: Tokenizer;
  /** Scores instead of the shipped model; of the same profile. */
  readonly model?: ScorerModel;
  /** What a `Learner` learned from the user's own log. */
  readonly local?: LocalModel;
}

/** A unit that did not stay. */
export interface LeftOut {
  readonly id: string;
  readonly tokens: number;
  /** "too-large": more than the whole budget; "budget": others were worth more a token. */
  readonly reason: "budget" | "too-large";
}

/** A kept unit and why. */
export interface Kept<U extends Unit = Unit> {
  readonly unit: U;
  readonly tokens: number;
  /** 0 to 1; how likely it is to be needed, among the units at hand. */
  readonly probability: number;
  readonly why: "pinned" | "recent" | "chosen";
}

export interface WindowSelection<U extends Unit = Unit> {
  /** In the order in which they came, whole and unchanged: the very objects that were pushed. */
  readonly kept: readonly Kept<U>[];
  readonly ledger: readonly LedgerLine[];
  /** The ledger as text, to go before the units; "" without lines. */
  readonly ledgerText: string;
  /** Of everything: kept units and ledger. */
  readonly tokens: number;
  /** Of the recent units, where they stand beside the budget; else 0. */
  readonly besideTokens: number;
  readonly leftOut: readonly LeftOut[];
  /** Tokens over the budget; above 0 only when what is pinned does not fit it. */
  readonly overBudgetTokens: number;
  /** Sum of probabilities among older units: reached, and what no choice could exceed. 0 for agents, who are kept by coverage. */
  readonly value: number;
  readonly bound: number;
}

export interface UnitExplanation {
  readonly id: string;
  readonly score: number;
  /** Strongest first; what each feature adds to the score on arrival. */
  readonly terms: readonly FeatureTerm[];
}

/** @throws RangeError that names the option */
export const wholeNumber = (name: string, value: number): number => {
  if (!Number.isInteger(value) || value < 0) throw new RangeError(`${name} is an integer of 0 or more, got ${value}`);
  return value;
};

/** @throws RangeError that names the option */
export const share = (name: string, value: number): number => {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is 0 to 1, got ${value}`);
  return value;
};
