/** What a recall is asked, what it finds, and how it came about. Scores are larger for better. */

import type { Entry, EntryFilter, EntryKind, Source } from "./entries.js";
import type { EntryId, Timestamp, TimeWindow } from "./ids.js";
import type { RoleForm } from "./roles.js";

/** One recalled memory. */
export interface RecallItem {
  readonly entryId: EntryId;
  readonly text: string;
  /** Probability-like, 0 to 1. */
  readonly score: number;
  readonly layer: "mtm" | "ltm";
  readonly kind: EntryKind;
  readonly subject: string;
  /** When it was said. */
  readonly saidAt: Timestamp;
  readonly eventTime?: TimeWindow;
  readonly validTo?: Timestamp;
  /** A rule's guess that a newer entry says otherwise since then. */
  readonly maybeUntil?: Entry["maybeUntil"];
  readonly sources: readonly Source[];
  readonly tokens: number;
}

/** What a recall found; plain data, so it can be stored, sent and passed to `record`. */
export interface Recall {
  /** The block to put before the model: dated, quoted, inside the token budget; "" when nothing was found. */
  readonly text: string;
  /** Best first. */
  readonly items: readonly RecallItem[];
  readonly tokens: number;
  readonly trace: RecallTrace;
}

export type QueryPurpose = "own-words" | "first-person" | "statement" | "sub-question" | "resolved" | "hypothetical";

export interface PlannedQuery {
  readonly text: string;
  readonly purpose: QueryPurpose;
  readonly route: "mtm" | "ltm" | "both";
  /** Share of the candidates, 0 to 1; the shares of a plan add up to 1. */
  readonly share: number;
}

/** What SLM-1 (or lite) makes of a question. */
export interface Plan {
  readonly queries: readonly PlannedQuery[];
  /** The times that the question speaks of, most certain first. */
  readonly windows: readonly TimeWindow[];
  /** Kinds of memory that answer, as a model says; they bind what its queries add. */
  readonly kinds?: readonly EntryKind[];
  /** Memories that the answer needs, 1 to 20, as a model says: its queries add no more than this. */
  readonly budget?: number;
  /** Persons that the question names, as the memory spells them. */
  readonly people: readonly string[];
  /** Whose words answer: a person's name, "user", "assistant", or nobody in particular. */
  readonly subject?: string;
  readonly answerType: AnswerType;
  /** The question asks how things are now, so the newer of two values goes first. */
  readonly asksPresent: boolean;
}

export type AnswerType = "when" | "duration" | "number" | "who" | "where" | "why" | "what";

export interface TracedCandidate {
  readonly entryId: EntryId;
  readonly text: string;
  /** Rank in the coarse order, from 0. */
  readonly rank: number;
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
  readonly selected: boolean;
  /** Why it was taken or left, in words. */
  readonly reason: string;
}

/** How a recall came about. Times in milliseconds. */
export interface RecallTrace {
  readonly plan: Plan;
  readonly candidates: readonly TracedCandidate[];
  readonly steps: readonly { readonly name: string; readonly ms: number }[];
  /** Who played the roles of this recall. */
  readonly roles: { readonly controller: RoleForm; readonly selector: RoleForm };
  /** Whose answer did not count, and why; lite answered, or words alone for the embedder. */
  readonly fallbacks: readonly { readonly role: "controller" | "selector" | "embedder"; readonly reason: string }[];
  readonly totalMs: number;
}

export interface RecallOptions {
  /** At most this many memories; the memory's `k` by default. */
  readonly k?: number;
  /** At most this many tokens of context; the memory's by default. */
  readonly contextTokens?: number;
  /** Milliseconds after which what is found so far is returned; the memory's by default. */
  readonly deadlineMs?: number;
  /** Sees only what was said by then, and reads relative times from there; now by default. */
  readonly at?: Timestamp;
  /** Counts as use of what is recalled; true by default, false for evaluation. */
  readonly touch?: boolean;
  /** Looks at the long-term memory too: at the categories of those the question is about, and at most two steps from what is known of the
   * things that it names. True by default: on LoCoMo it brings .025 of recall at 10 in multi-hop
   * questions and lowers no other kind (LongMemEval: +.004 [−.004, .015] over all of 222). */
  readonly knowledge?: boolean;
  /** Fills `trace.candidates`; true by default. */
  readonly trace?: boolean;
  /** Only entries that pass. */
  readonly filter?: EntryFilter;
  readonly signal?: AbortSignal | undefined;
}
