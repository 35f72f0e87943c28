/** What is put before the model, what was left out of it, and why. */

import type { TurnId } from "./ids.js";
import type { Recall } from "./recall.js";
import type { Message } from "./turns.js";

/** The messages to put before the model, and what did not fit. */
export interface ContextWindow {
  /** The recalled block, the ledger, then turns, oldest first: the newest ones, and older ones that are likely to be needed. */
  readonly messages: readonly Message[];
  /** Of all messages together. */
  readonly tokens: number;
  /** Every turn of the conversation that is not among the messages, oldest first. */
  readonly leftOut: readonly { readonly turnId: TurnId; readonly tokens: number }[];
  /** Identifiers (codes, addresses, paths, amounts) of turns that were left out, as the message before the turns lists them. */
  readonly ledger: readonly LedgerValue[];
  /** Tokens beyond the budget: above 0 only when what was `pinned` does not fit it. */
  readonly overBudgetTokens: number;
  /** Set when the recalled block alone is larger than `maxTokens` and was left out. */
  readonly recallLeftOut?: true;
  /** Only where it was asked for. */
  readonly trace?: ContextTrace;
}

/** A value that outlives its turn in the context. */
export interface LedgerValue {
  /** Byte for byte as it stood. */
  readonly value: string;
  /** The word or JSON field before it; who said it where nothing names it. */
  readonly field: string;
  /** The first turn that held it. */
  readonly turnId: TurnId;
}

/** How the turns of a context were chosen. */
export interface ContextTrace {
  /** "people" where named speakers talk, "assistant" where a person talks with one. */
  readonly profile: "people" | "assistant";
  /** Tokens that turns and ledger could take. */
  readonly budgetTokens: number;
  /** Answered questions of the person's own log that the scores rest on beside the shipped weights. */
  readonly evidence: number;
  /** The turns that were looked at, oldest first; of a very long conversation the last few thousand. */
  readonly units: readonly TracedUnit[];
}

/** One turn as the short-term memory saw it. */
export interface TracedUnit {
  readonly turnId: TurnId;
  readonly tokens: number;
  /** Logit; larger is likelier to be needed. */
  readonly score: number;
  /** 0 to 1, among the turns that were looked at. */
  readonly probability: number;
  readonly kept: boolean;
  /** Why it was kept ("pinned", "recent", "chosen") or left out ("budget": others are worth more a token; "too-large": more
   * than the whole budget). */
  readonly reason: "pinned" | "recent" | "chosen" | "budget" | "too-large";
  /** What spoke for it (above 0) and against it, in parts of the score, strongest first; at most 12. "sinceThen" is what later
   * turns changed, "roleLevel" what brings replies to the level of the person's words. */
  readonly features: readonly { readonly feature: string; readonly term: number }[];
}

export interface ContextOptions {
  /** Its block goes before the turns. */
  readonly recall?: Recall;
  /** Bounds block, ledger and turns together; without it the memory's `stmTokens` bounds ledger and turns. */
  readonly maxTokens?: number;
  /** Ids of messages that are kept whatever they cost. */
  readonly pinned?: readonly string[];
  /** Says how the turns were chosen; false by default. */
  readonly trace?: boolean;
}

/** What the short-term memory has learned from the person's own conversations. */
export interface ScorerStats {
  /** Answered questions in all. */
  readonly answered: number;
  /** Of conversations with an assistant, and between people. */
  readonly assistant: number;
  readonly people: number;
}

/** What was learned, and its export. */
export interface LearnedScorer {
  readonly stats: ScorerStats;
  readonly bytes: Uint8Array;
}
