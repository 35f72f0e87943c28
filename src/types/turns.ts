/** What is said, what becomes of it, and what is put before the model. */

import type { Entry } from "./entries.js";
import type { ConversationId, EntryId, Timestamp, TurnId } from "./ids.js";
import type { Recall } from "./recall.js";

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
  /** Entries that are over for certain: corrected by a newer one, or withdrawn where there is no `by`. */
  readonly superseded: readonly { readonly entryId: EntryId; readonly by?: EntryId }[];
  /** Entries that a rule guesses to be over; nothing is hidden by it. */
  readonly marked: readonly { readonly entryId: EntryId; readonly by: EntryId }[];
  /** Statements that held something which was not said: the words themselves were stored instead. */
  readonly fallbacks: readonly { readonly text: string; readonly missing: readonly UngroundedFact[] }[];
  readonly refused: readonly { readonly text: string; readonly reason: RefusalReason }[];
}

/** Something in a statement that its sources do not say. */
export interface UngroundedFact {
  /** "words": those of a sentence that is about something else. */
  readonly kind: "number" | "date" | "identifier" | "name" | "negation" | "wish" | "words";
  readonly text: string;
}

export type RefusalReason =
  | "question"
  | "small-talk"
  | "repeats-recalled"
  | "already-recorded"
  /** The person had a message of this id forgotten. */
  | "forgotten"
  | "empty"
  | "not-salient"
  | "incognito"
  | "withdrawn"
  | "secret"
  | "too-large";
