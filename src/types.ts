/** The plain data that crosses the public surface: structured-clone safe, no methods.
 *
 * Times are milliseconds since 1970-01-01T00:00:00Z, as `Date.now()` gives them; scores are larger for better. */

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<"user">;
export type EntryId = Id<"entry">;
export type TurnId = Id<"turn">;
export type ConversationId = Id<"conversation">;

/** Milliseconds since the epoch. */
export type Timestamp = number;

/** From (inclusive) to (exclusive). */
export interface TimeWindow {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

export type Role = "user" | "assistant" | "system" | "tool";

/** One message of a conversation, as it was said. */
export interface Message {
  readonly role: Role;
  /** The speaker's name, in dialogue between people or where several users share a chat. */
  readonly name?: string;
  readonly text: string;
  /** When it was said; the time of the call by default. */
  readonly at?: Timestamp;
  /** The app's own id; the same id twice is one record. */
  readonly id?: string;
}

/** A stored message. */
export interface Turn {
  readonly id: TurnId;
  readonly conversationId: ConversationId;
  /** The session it was said in: a run of turns without a gap of more than an hour, or the app's own. */
  readonly sessionId: string;
  /** Position in the user's whole log, from 0, without gaps at write time. */
  readonly sequence: number;
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  /** When it was said. */
  readonly at: Timestamp;
  /** When it was stored. */
  readonly recordedAt: Timestamp;
  /** Never leaves the machine, whatever the app allows. */
  readonly private?: true;
}

export type EntryKind = "preference" | "event" | "decision" | "fact" | "plan" | "state";

/** Where an entry comes from, verbatim. */
export interface Source {
  readonly turnId: TurnId;
  readonly role: Role;
  readonly speaker?: string;
  /** A slice of the turn, character for character. */
  readonly quote: string;
}

/** One memory of the mid-term layer (MTM). */
export interface Entry {
  readonly id: EntryId;
  readonly conversationId: ConversationId;
  /** Raised by every change; writes that rest on an older one are refused with "conflict". */
  readonly revision: number;
  /** Who it is about: a speaker's name, "user" or "assistant". */
  readonly subject: string;
  /** What is shown: what matters of the source, with absolute dates beside relative ones. */
  readonly text: string;
  /** What is searched: the source as it was said. Indexing what was said and showing what matters keeps recall
   * and saves tokens against self-contained rewriting. */
  readonly indexText: string;
  readonly kind: EntryKind;
  readonly tags: readonly string[];
  /** When what it tells happened or will happen, where that can be told. */
  readonly eventTime?: TimeWindow;
  /** Times that the source speaks of, as far as they span 62 days or less; recall compares them with the question's. */
  readonly mentions?: readonly TimeWindow[];
  /** When it was said. */
  readonly saidAt: Timestamp;
  /** When it was stored. */
  readonly createdAt: Timestamp;
  readonly validFrom: Timestamp;
  /** Set when a newer entry supersedes it; absent while it holds. */
  readonly validTo?: Timestamp;
  readonly supersedes?: readonly EntryId[];
  readonly sources: readonly Source[];
  /** Codes, ids, amounts, addresses, verbatim. */
  readonly identifiers: readonly string[];
  /** 0 to 1: how much the writer thinks it matters. */
  readonly salience: number;
  /** How often it has been said, 1 or more. */
  readonly evidence: number;
  /** The session of its first source; scores of one session support each other. */
  readonly sessionId: string;
  /** The end of the turn before and the start of the turn after it in its session (80 words each), which the lexical
   * index also sees: an answer is found by its question's words. */
  readonly context?: { readonly previous?: string; readonly next?: string };
  readonly pinned?: true;
  readonly private?: true;
  readonly consolidatedAt?: Timestamp;
}

/** How an entry has been used; kept apart, so that reading never conflicts with writing. */
export interface Usage {
  readonly accessCount: number;
  readonly lastAccessedAt: Timestamp;
}

/** What a user said and what the assistant replied, or any run of messages. */
export type TurnInput =
  | {
      readonly messages: readonly Message[];
      /** The recall that the reply was given with, so that recalled text is not stored again. */
      readonly recalled?: Recall;
      readonly private?: boolean;
      /** Names the session these messages belong to; by default a gap of an hour starts a new one. */
      readonly sessionId?: string;
    }
  | {
      readonly user: string;
      readonly assistant?: string;
      readonly at?: Timestamp;
      readonly recalled?: Recall;
      readonly private?: boolean;
      readonly sessionId?: string;
    };

/** What became of a turn. */
export interface Written {
  readonly turnIds: readonly TurnId[];
  readonly stored: readonly Entry[];
  readonly merged: readonly { readonly into: EntryId; readonly text: string }[];
  readonly superseded: readonly { readonly entryId: EntryId; readonly by: EntryId }[];
  readonly refused: readonly { readonly text: string; readonly reason: RefusalReason }[];
}

export type RefusalReason =
  | "question"
  | "small-talk"
  | "repeats-recalled"
  | "already-recorded"
  | "empty"
  | "not-salient"
  | "incognito"
  | "too-large";

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
  readonly kinds?: readonly EntryKind[];
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
  readonly fallbacks: readonly { readonly role: "controller" | "selector" | "embedder"; readonly reason: string }[];
  readonly totalMs: number;
}

/** Which entries a listing or a filter means; every condition given must hold. */
export interface EntryFilter {
  readonly kinds?: readonly EntryKind[];
  readonly subject?: string;
  readonly conversationId?: ConversationId;
  /** When it was said. */
  readonly said?: Partial<TimeWindow>;
  /** Only what holds at this time. Default: superseded entries too. */
  readonly validAt?: Timestamp;
  /** Words that must occur in the text, ignoring case. */
  readonly text?: string;
  readonly pinned?: boolean;
}

export interface MemoryStats {
  readonly name: string;
  readonly userId: UserId;
  readonly entries: number;
  readonly turns: number;
  readonly vectors: number;
  readonly revision: number;
  readonly embedder: { readonly id: string; readonly dimension: number };
  readonly index: { readonly vector: "flat-wasm" | "flat-js" | "hnsw"; readonly terms: number };
  readonly storage: {
    readonly backend: "indexeddb" | "sqlite";
    /** Whether the browser promised not to evict it; absent where it cannot say. */
    readonly persisted?: boolean;
    readonly usageBytes?: number;
    readonly quotaBytes?: number;
  };
  /** Why a part runs in a lesser form than it could, such as the index without WASM under a CSP. */
  readonly degraded: readonly { readonly part: string; readonly reason: string }[];
  readonly worker: boolean;
}

/** What a listener of `memory.addEventListener` is told. */
export interface MemoryEventMap {
  readonly change: { readonly revision: number; readonly entryIds: readonly EntryId[] };
  readonly progress: { readonly task: string; readonly done: number; readonly total: number };
  readonly degraded: { readonly part: string; readonly reason: string };
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
  /** Fills `trace.candidates`; true by default. */
  readonly trace?: boolean;
  /** Only entries that pass. */
  readonly filter?: EntryFilter;
  readonly signal?: AbortSignal;
}

/** An entry together with how it has been used. */
export interface StoredEntry extends Entry {
  readonly usage: Usage;
}

/** A person's own correction. */
export interface EntryPatch {
  readonly text?: string;
  readonly kind?: EntryKind;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
}

/** What to forget: exactly one of these.
 *
 * By `entryIds`: the entries, the turns that no other entry comes from, and the replies that repeat them, which are turns
 * that follow in the session until the user speaks again and hold an identifier, a number, a name or half of the words of
 * what is forgotten; with such a reply goes an entry that says nothing but such a repetition. By `conversationId` or `said`:
 * every turn of that conversation or time and what came of it; an entry that was said elsewhere too stays, with its other
 * sources alone. Incognito conversations are forgotten with everything, with their id and with their time. */
export type ForgetTarget =
  | { readonly entryIds: readonly EntryId[] }
  | { readonly conversationId: ConversationId }
  | { readonly said: TimeWindow }
  | { readonly everything: true };

/** What would go: entries whole, and turns. */
export interface ForgetPreview {
  readonly entries: readonly Entry[];
  readonly turns: readonly Turn[];
}

/** The proof of a forgetting: what went, and what is left of it. */
export interface Forgotten {
  readonly entryIds: readonly EntryId[];
  readonly turnIds: readonly TurnId[];
  /** Stored entries and turns, after a scan of all of them, in which a quote of a forgotten entry still occurs whole: in an
   * entry's text, its neighbours' words or its quotes, or in a turn; spacing aside, character for character. Above 0 where
   * the same was said in a turn that stays: one that another entry comes from, or one that repeats it
   * elsewhere. Paraphrases are not counted. */
  readonly remaining: number;
}

/** The messages to put before the model, and what did not fit. */
export interface ContextWindow {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** Every turn of the conversation that is not among the messages, oldest first. */
  readonly leftOut: readonly { readonly turnId: TurnId; readonly tokens: number }[];
  /** Set when the recalled block alone is larger than `maxTokens` and was left out. */
  readonly recallLeftOut?: true;
}
