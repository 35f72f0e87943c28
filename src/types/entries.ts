/** Memories of the mid-term layer, and the person's own hands on them. */

import type { ConversationId, EntryId, Timestamp, TimeWindow, TurnId } from "./ids.js";
import type { Role, Turn } from "./turns.js";

export type EntryKind = "preference" | "event" | "decision" | "fact" | "plan" | "state";

/** Where an entry comes from, verbatim. */
export interface Source {
  readonly turnId: TurnId;
  readonly role: Role;
  readonly speaker?: string;
  /** A slice of the turn, character for character; "[secret left out]" stands for a password or key in it. */
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
  /** Set when the person corrected or withdrew it, or a newer entry supersedes it for certain; absent while it holds. */
  readonly validTo?: Timestamp;
  /** The entry that took its place; absent for what was only withdrawn. */
  readonly supersededBy?: EntryId;
  /** An entry that took back a part of what was said with it; the part is an entry of its own, and over. */
  readonly amendedBy?: EntryId;
  /** A rule's guess that a newer entry says otherwise since then. It hides nothing, and most such guesses on unseen text are
   * wrong: a person settles it with `update(id, { validTo })`, or takes it away with `undo(id)`. */
  readonly maybeUntil?: { readonly by: EntryId; readonly at: Timestamp };
  readonly supersedes?: readonly EntryId[];
  /** When it was said last, where it was said again. */
  readonly lastSaidAt?: Timestamp;
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
  /** When it was brought into the long-term memory last, by whichever consolidator. */
  readonly consolidatedAt?: Timestamp;
  /** When an engine did so: what the device has learned by itself, an engine has not yet seen. */
  readonly consolidatedByEngineAt?: Timestamp;
  /** The writer's wording held something that was not said, so the words themselves are shown. */
  readonly fellBack?: true;
  /** What became of it since it was stored, oldest first, at most eight; `undo` takes back the last. */
  readonly changes?: readonly EntryChange[];
}

/** What a change keeps of an entry as it was before. */
export type EntryVersion = Pick<
  Entry,
  | "text"
  | "indexText"
  | "kind"
  | "tags"
  | "sources"
  | "identifiers"
  | "salience"
  | "evidence"
  | "eventTime"
  | "mentions"
  | "validTo"
  | "lastSaidAt"
  | "maybeUntil"
  | "supersededBy"
>;

/** A change of an entry that can be taken back. It lies in the entry's own row, so that it is forgotten with it. */
export type EntryChange =
  /** By the person's own hands. */
  | { readonly kind: "edited"; readonly at: Timestamp; readonly before: EntryVersion }
  /** It was said again: `said` is the entry that this would have become by itself. */
  | { readonly kind: "merged"; readonly at: Timestamp; readonly before: EntryVersion; readonly said: Omit<Entry, "revision"> }
  /** It was corrected, or withdrawn where there is no `by`. */
  | { readonly kind: "superseded"; readonly at: Timestamp; readonly by?: EntryId }
  /** A rule guessed that it is over. */
  | { readonly kind: "marked"; readonly at: Timestamp; readonly by: EntryId };

/** What `undo` did. */
export interface Undone {
  readonly kind: EntryChange["kind"];
  /** The entry as it is now. */
  readonly entry: Entry;
  /** What a merge had taken in, an entry of its own again. */
  readonly restored?: Entry;
}

/** How an entry has been used; kept apart, so that reading never conflicts with writing. */
export interface Usage {
  readonly accessCount: number;
  readonly lastAccessedAt: Timestamp;
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
  /** When it ceased to hold; null says that it holds. */
  readonly validTo?: Timestamp | null;
}

/** What to forget: exactly one of these.
 *
 * By `preview`: what a preview showed, by its token, and nothing else; `except` those entries, whose turns then stay. What
 * was said since, in the very words even, was not shown and stays.
 *
 * By `query`, only to preview: what speaks of a topic ("my knee and the physiotherapy"), by words and by meaning, the turns
 * that became no entry too, and those that go on about it with a pronoun. It is a guess, so it is never final by itself.
 *
 * By `entryIds`: the entries, the turns that no other entry comes from, and the replies that repeat them, which are turns
 * that follow in the session until the user speaks again and hold an identifier, a number, a name or half of the words of
 * what is forgotten; with such a reply goes an entry that says nothing but such a repetition. By `conversationId` or `said`:
 * every turn of that conversation or time and what came of it; an entry that was said elsewhere too stays, with its other
 * sources alone. Incognito conversations are forgotten with everything, with their id and with their time. */
export type ForgetTarget =
  | { readonly preview: string; readonly except?: readonly EntryId[] }
  | { readonly query: string }
  | { readonly entryIds: readonly EntryId[] }
  | { readonly conversationId: ConversationId }
  | { readonly said: TimeWindow }
  | { readonly everything: true };

/** What would go: entries whole, turns, and parts of entries that stay. */
export interface ForgetPreview {
  readonly entries: readonly Entry[];
  readonly turns: readonly Turn[];
  /** Entries that were said elsewhere too and lose a source, or that lose the words of a neighbour, as they are and as they would be. */
  readonly stripped: readonly { readonly before: Entry; readonly after: Entry }[];
  /** For `forget({ preview: token })`, which forgets exactly this; known as long as the memory is open, for the last 16. */
  readonly token: string;
}

/** The proof of a forgetting: what went, and what is left of it. */
export interface Forgotten {
  readonly entryIds: readonly EntryId[];
  readonly turnIds: readonly TurnId[];
  /** Entries that stay without a part of them. */
  readonly strippedIds: readonly EntryId[];
  /** How much was removed from which part of the memory: "entries", "turns", "sources" of entries that stay, "neighbours" (their
   * words in entries that stay), and other parts by their names. */
  readonly removed: Readonly<Record<string, number>>;
  /** Keyed hashes that were left, by which an import knows what must not come again. */
  readonly marks: number;
  /** What was looked through afterwards: every row of this user in every table of the store. */
  readonly scanned: { readonly rows: number; readonly tables: readonly string[] };
  /** Stored rows, after a scan of all of them, in which a quote of a forgotten entry still occurs whole: in an
   * entry's text, its neighbours' words, its quotes or its past, in a turn, or wherever else; spacing aside, character for character. Above 0 where
   * the same was said in a turn that stays: one that another entry comes from, or one that repeats it
   * elsewhere. Paraphrases are not counted. */
  readonly remaining: number;
  /** The same by table. */
  readonly remainingIn: Readonly<Record<string, number>>;
}
