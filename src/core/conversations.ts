/** The open conversations of a memory: their recent turns, rebuilt from the store when one is opened again. */

import type { ConversationRef } from "../backend.js";
import type { Store, Tokenizer } from "../ports.js";
import { ConversationWindow, type LeftOutTurn } from "../stm/conversation-window.js";
import type { Entry, EntryId, ForgetTarget, Turn, TurnId } from "../types.js";

/** Turns read back when a conversation is opened again; further ones when a budget has room for them. */
const MAX_TURNS = 200;
/** Older turns read at a time. */
const PAGE = 500;
/** Stored conversations kept open; the longest unused goes first and is rebuilt when it is asked for again. */
const MAX_OPEN = 100;

export interface OpenConversation {
  readonly ref: ConversationRef;
  readonly window: ConversationWindow;
  /** The entry that the last turn became, which learns of the turn that follows. */
  lastEntryId?: EntryId | undefined;
}

export interface ConversationsParts {
  readonly store: Store;
  readonly maxTokens: number;
  readonly tokenizer: Tokenizer;
  /** Every entry there is now. */
  readonly entries: () => Iterable<Entry>;
}

export class Conversations {
  readonly #store: Store;
  readonly #window: { readonly maxTokens: number; readonly tokenizer: Tokenizer };
  readonly #entries: ConversationsParts["entries"];
  readonly #stored = new Map<string, Promise<OpenConversation>>();
  /** Nothing can rebuild these, so they stay until the memory is closed or they are forgotten. An incognito conversation
   * may bear the id of a stored one and is still another. */
  readonly #incognito = new Map<string, OpenConversation>();

  constructor({ store, entries, ...window }: ConversationsParts) {
    this.#store = store;
    this.#entries = entries;
    this.#window = { maxTokens: window.maxTokens, tokenizer: window.tokenizer };
  }

  async of(ref: ConversationRef): Promise<OpenConversation> {
    return ref.incognito ? this.#incognitoOf(ref) : this.#storedOf(ref);
  }

  /** A conversation that holds as many turns as a budget can show, and names those before them. */
  async filled(ref: ConversationRef, maxTokens: number, signal?: AbortSignal): Promise<OpenConversation> {
    const opened = await this.of(ref);
    const { window } = opened;
    // What an incognito conversation let go is stored nowhere.
    while (!ref.incognito && (window.hasRoom(maxTokens) || !window.isWhole)) {
      const before = window.turns[0]?.id;
      const [oldest] = before === undefined ? [] : await this.#store.turns([before]);
      // Forgotten by another handle just now: what is held is all that can be told.
      if (!oldest) break;
      if (window.hasRoom(maxTokens)) {
        const page = await this.#page(ref, oldest.sequence, signal);
        window.extend(page, before, page.length < PAGE);
      } else window.nameOlder(await this.#named(ref, window, oldest.sequence, signal), before);
    }
    return opened;
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
    const isWhole = turns.length < MAX_TURNS;
    const [last] = turns;
    const lastEntryId = last && entryOf(this.#entries(), last.id);
    const window = new ConversationWindow(turns.reverse(), { ...this.#window, maxTurns: MAX_TURNS, isWhole });
    return { ref, window, lastEntryId };
  }

  /** Turns before a sequence, oldest first. */
  async #page({ id }: ConversationRef, before: number, signal: AbortSignal | undefined): Promise<Turn[]> {
    const page = await this.#store.listTurns({ conversationId: id, after: before, limit: PAGE, reverse: true });
    signal?.throwIfAborted();
    return page.reverse();
  }

  /** Every turn before a sequence by its name, oldest first. */
  async #named(
    ref: ConversationRef,
    window: ConversationWindow,
    before: number,
    signal: AbortSignal | undefined,
  ): Promise<LeftOutTurn[]> {
    const pages: LeftOutTurn[][] = [];
    for (let from = before; ; ) {
      const page = await this.#page(ref, from, signal);
      pages.unshift(page.map(({ id, text }) => ({ turnId: id, tokens: window.cost(text) })));
      const [oldest] = page;
      if (!oldest || page.length < PAGE) return pages.flat();
      from = oldest.sequence;
    }
  }
}

function entryOf(entries: Iterable<Entry>, turnId: TurnId): EntryId | undefined {
  for (const { id, sources } of entries) if (sources.some((source) => source.turnId === turnId)) return id;
  return undefined;
}
