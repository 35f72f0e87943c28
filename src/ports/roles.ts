/** The three on-line roles of LightMem: plan, select, write. Each has a lite form without a model. */

import type {
  Entry,
  EntryKind,
  Plan,
  RefusalReason,
  Role,
  RoleForm,
  Source,
  Timestamp,
  TimeWindow,
  Turn,
  TurnId,
} from "../types.js";
import type { CallOptions } from "./platform.js";

/** A recent turn as the roles see it. */
export interface RecentTurn {
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  /** When it was said. */
  readonly at: Timestamp;
}

export interface PlanInput {
  readonly text: string;
  /** Working memory C_t, oldest first. */
  readonly recent: readonly RecentTurn[];
  /** Names of speakers that the memory knows, without "user" and "assistant". */
  readonly speakers: readonly string[];
  readonly now: Timestamp;
  /** IANA name. */
  readonly timeZone: string;
}

/** SLM-1: what to search for. */
export interface Controller {
  /** How it plays the role, for traces; "generate" where it does not say. */
  readonly form?: RoleForm;
  plan(input: PlanInput, options?: CallOptions): Promise<Plan>;
}

/** A candidate of the coarse search, as a selector sees it. */
export interface Candidate {
  readonly entry: Entry;
  /** Stage-1 score, about 0 to 1.5. */
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
}

export interface SelectInput {
  readonly text: string;
  readonly plan: Plan;
  /** In coarse order, best first. */
  readonly candidates: readonly Candidate[];
  /** At most this many are wanted. */
  readonly k: number;
}

export interface Selected {
  /** Index into the candidates. */
  readonly index: number;
  /** 0 to 1. */
  readonly score: number;
  /** What decided, for traces; the score where it does not say. */
  readonly why?: string;
}

/** SLM-2: which candidates support the question; fewer when fewer do. */
export interface Selector {
  /** How it plays the role, for traces; "generate" where it does not say. */
  readonly form?: RoleForm;
  /** All candidates worth showing, best first; never more than `k`. */
  select(input: SelectInput, options?: CallOptions): Promise<readonly Selected[]>;
}

/** A conversation before the new turns, as it is stored. */
export interface WriteHistory {
  /** The turn just before them; absent at the start. */
  readonly lastTurnId?: TurnId;
  /** The last turns before them, oldest first. @param limit at most so many */
  read(limit: number): Promise<readonly Omit<Turn, "sequence">[]>;
}

export interface WriteInput {
  /** The new turns, oldest first. */
  readonly turns: readonly Omit<Turn, "sequence">[];
  /** Turns before them in the conversation, oldest first. */
  readonly recent: readonly RecentTurn[];
  /** More of what came before, for writers that go by the whole conversation; absent where there is no more to know. */
  readonly history?: WriteHistory;
  /** The turn after them, where it is known already: a long history is written in batches. */
  readonly next?: RecentTurn & { readonly sessionId?: string };
  /** Texts that were recalled for the reply. */
  readonly recalled: readonly string[];
  readonly timeZone: string;
}

/** A statement that may become an entry. */
export interface Statement {
  readonly turnId: TurnId;
  readonly subject: string;
  readonly text: string;
  readonly indexText: string;
  readonly kind: EntryKind;
  readonly tags: readonly string[];
  readonly eventTime?: TimeWindow;
  readonly mentions?: readonly TimeWindow[];
  readonly saidAt: Timestamp;
  readonly sources: readonly Source[];
  readonly identifiers: readonly string[];
  readonly salience: number;
  readonly context?: { readonly previous?: string; readonly next?: string };
  /** Set where the sources' own words took the place of a writer's. */
  readonly fellBack?: true;
  /** The person asked for it to be kept: it is never evicted. */
  readonly pinned?: true;
}

export interface WriteOutput {
  readonly statements: readonly Statement[];
  readonly refused: readonly { readonly text: string; readonly reason: RefusalReason }[];
}

/** SLM-3: what is worth keeping of a turn. */
export interface Writer {
  write(input: WriteInput, options?: CallOptions): Promise<WriteOutput>;
}
