/** The open conversations of a memory: their last turns, rebuilt from the store when one is opened again. */

import type { ConversationRef } from "../backend.js";
import type { Store } from "../ports.js";
import { RecentTurns } from "../stm/recent-turns.js";
import type { Entry, EntryId, ForgetTarget, TurnId } from "../types.js";
import type { OpenFrame } from "../write/role-play.js";

/** Turns read back when a conversation is opened again. */
const MAX_TURNS = 32;
/** Stored conversations kept open; the longest unused goes first and is rebuilt when it is asked for again. */
const MAX_OPEN = 100;

export interface OpenConversation {
  readonly ref: ConversationRef;
  /** The last turns; of an incognito conversation all. */
  readonly window: RecentTurns;
  /** The entry that the last turn became, which learns of the turn that follows. */
  lastEntryId?: EntryId | undefined;
  /** The role that is played in it since before its last turns; undefined where that is not known yet, null for none. */
  role?: OpenFrame | null;
}

export interface ConversationsParts {
  readonly store: Store;
  /** Every entry there is now. */
  readonly entries: () => Iterable<Entry>;
}

export class Conversations {
  readonly #store: Store;
  readonly #entries: ConversationsParts["entries"];
  readonly #stored = new Map<string, Promise<OpenConversation>>();
  /** Nothing can rebuild these, so they stay until the memory is closed or they are forgotten. An incognito conversation
   * may bear the id of a stored one and is still another. */
  readonly #incognito = new Map<string, OpenConversation>();

  constructor({ store, entries }: ConversationsParts) {
    this.#store = store;
    this.#entries = entries;
  }

  async of(ref: ConversationRef): Promise<OpenConversation> {
    return ref.incognito ? this.#incognitoOf(ref) : this.#storedOf(ref);
  }

  /** Drops what is kept of stored conversations, so that the next call reads the store: another handle wrote.
   * @param removed turns that are gone; who holds such a conversation now must not go on with them */
  reset(removed: readonly TurnId[] = []): void {
    if (removed.length > 0)
      for (const opened of this.#stored.values())
        void opened.then(
          ({ window }) => window.remove(removed),
          () => undefined,
        );
    this.#stored.clear();
  }

  /** Drops everything, what is incognito too. */
  clear(): void {
    this.reset();
    this.#incognito.clear();
  }

  /** Forgets of the incognito conversations what a target means, and has the others read anew.
   * @param removed turns that went from the store */
  forget(target: ForgetTarget, removed: readonly TurnId[]): void {
    this.reset(removed);
    if ("everything" in target) this.#incognito.clear();
    if ("conversationId" in target) this.#incognito.delete(target.conversationId);
    if ("said" in target)
      for (const { window } of this.#incognito.values())
        window.remove(window.turns.filter(({ at }) => at >= target.said.from && at < target.said.to).map(({ id }) => id));
  }

  #incognitoOf(ref: ConversationRef): OpenConversation {
    let found = this.#incognito.get(ref.id);
    if (!found) {
      found = { ref, window: new RecentTurns([], { maxTurns: Number.POSITIVE_INFINITY }) };
      this.#incognito.set(ref.id, found);
    }
    return found;
  }

  #storedOf(ref: ConversationRef): Promise<OpenConversation> {
    const found = this.#stored.get(ref.id) ?? this.#read(ref);
    this.#stored.delete(ref.id);
    this.#stored.set(ref.id, found);
    // A failed read is not kept: the next call tries again.
    found.catch(() => this.#stored.get(ref.id) === found && this.#stored.delete(ref.id));
    if (this.#stored.size > MAX_OPEN) this.#stored.delete(this.#stored.keys().next().value as string);
    return found;
  }

  async #read(ref: ConversationRef): Promise<OpenConversation> {
    const turns = await this.#store.listTurns({ conversationId: ref.id, limit: MAX_TURNS, reverse: true });
    const [last] = turns;
    const lastEntryId = last && entryOf(this.#entries(), last.id);
    return { ref, window: new RecentTurns(turns.reverse(), { maxTurns: MAX_TURNS }), lastEntryId };
  }
}

function entryOf(entries: Iterable<Entry>, turnId: TurnId): EntryId | undefined {
  for (const { id, sources } of entries) if (sources.some((source) => source.turnId === turnId)) return id;
  return undefined;
}
