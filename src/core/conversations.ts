/** The open conversations of a memory: their recent turns, rebuilt from the store when one is opened again. */

import type { ConversationRef } from "../backend.js";
import type { Store, Tokenizer } from "../ports.js";
import { ConversationWindow } from "../stm/conversation-window.js";
import type { EntryId, ForgetTarget, TurnId } from "../types.js";

/** Turns read back when a conversation is opened again; more than any budget of the short-term memory shows. */
const MAX_TURNS = 200;
/** Stored conversations kept open; the longest unused goes first and is rebuilt when it is asked for again. */
const MAX_OPEN = 100;

export interface OpenConversation {
  readonly ref: ConversationRef;
  readonly window: ConversationWindow;
  /** The entry that the last turn became, which learns of the turn that follows. */
  lastEntryId?: EntryId | undefined;
}

export class Conversations {
  readonly #store: Store;
  readonly #window: { readonly maxTokens: number; readonly tokenizer: Tokenizer };
  readonly #stored = new Map<string, Promise<OpenConversation>>();
  /** Nothing can rebuild these, so they stay until the memory is closed or they are forgotten. An incognito conversation
   * may bear the id of a stored one and is still another. */
  readonly #incognito = new Map<string, OpenConversation>();

  constructor(store: Store, window: { readonly maxTokens: number; readonly tokenizer: Tokenizer }) {
    this.#store = store;
    this.#window = window;
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
      found = { ref, window: new ConversationWindow([], { ...this.#window, maxTurns: MAX_TURNS }) };
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
    return { ref, window: new ConversationWindow(turns.reverse(), { ...this.#window, maxTurns: MAX_TURNS }) };
  }
}
