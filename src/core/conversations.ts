/** The open conversations of a memory: their recent turns, rebuilt from the store when one is opened again. */

import type { ConversationRef } from "../backend.js";
import type { Store, Tokenizer } from "../ports.js";
import { ConversationWindow } from "../stm/conversation-window.js";
import type { ConversationId, EntryId } from "../types.js";

/** Turns read back when a conversation is opened again; more than any budget of the short-term memory shows. */
const MAX_TURNS = 200;
/** Conversations kept open; the longest unused goes first and is rebuilt when it is asked for again. */
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
  readonly #open = new Map<ConversationId, Promise<OpenConversation>>();

  constructor(store: Store, window: { readonly maxTokens: number; readonly tokenizer: Tokenizer }) {
    this.#store = store;
    this.#window = window;
  }

  of(ref: ConversationRef): Promise<OpenConversation> {
    const found = this.#open.get(ref.id) ?? this.#read(ref);
    this.#open.delete(ref.id);
    this.#open.set(ref.id, found);
    // A failed read is not kept: the next call tries again.
    found.catch(() => this.#open.delete(ref.id));
    if (this.#open.size > MAX_OPEN) this.#open.delete(this.#open.keys().next().value as ConversationId);
    return found;
  }

  /** Drops what is kept, so that the next call reads the store: after a forgetting, or another tab's write. */
  reset(): void {
    for (const [id, opened] of this.#open)
      void opened.then(
        ({ ref }) => ref.incognito || this.#open.delete(id),
        () => this.#open.delete(id),
      );
  }

  async #read(ref: ConversationRef): Promise<OpenConversation> {
    const turns = ref.incognito ? [] : await this.#store.listTurns({ conversationId: ref.id, limit: MAX_TURNS, reverse: true });
    return { ref, window: new ConversationWindow(turns.reverse(), { ...this.#window, maxTurns: MAX_TURNS }) };
  }
}
