/** `Memory`: what an app holds. The work is done by a backend, in a worker or in this thread. */

import type { BackendOptions, ConversationRef, MemoryBackend } from "./backend.js";
import { Conversation } from "./conversation.js";
import { forgetTarget } from "./forget-target.js";
import { type OpenedEmbedder, openEmbedder } from "./opened-embedder.js";
import { text } from "./options.js";
import type { CallOptions, ConnectableEmbedder, EmbedderProvider } from "./ports.js";
import type {
  ContextWindow,
  ConversationId,
  Entry,
  EntryFilter,
  EntryId,
  EntryPatch,
  ForgetPreview,
  ForgetTarget,
  Forgotten,
  MemoryEventMap,
  MemoryStats,
  Recall,
  RecallOptions,
  StoredEntry,
  TurnInput,
  UserId,
  Written,
} from "./types.js";

const DEFAULT_CONVERSATION = "default" as ConversationId;
const PAGE = 100;

/** A person's memory. `recall`, `record` and `context` are those of its default conversation. */
export class Memory implements AsyncDisposable {
  readonly name: string;
  readonly userId: UserId;
  readonly #backend: MemoryBackend;
  readonly #events: EventTarget;
  readonly #conversation: Conversation;
  #embedder: OpenedEmbedder | undefined;
  #closing: Promise<void> | undefined;

  /** Made by `openMemory`. */
  constructor(backend: MemoryBackend, options: BackendOptions, events: EventTarget, embedder?: OpenedEmbedder) {
    this.name = options.name;
    this.userId = options.userId;
    this.#backend = backend;
    this.#events = events;
    this.#embedder = embedder;
    this.#conversation = this.conversation(DEFAULT_CONVERSATION);
  }

  /** A conversation by its id, with its short-term memory rebuilt from its last stored turns; a new one without an id.
   * An incognito conversation recalls, but stores nothing and counts no use. */
  conversation(id?: string, { incognito = false }: { readonly incognito?: boolean } = {}): Conversation {
    const ref: ConversationRef = { id: (id === undefined ? randomId() : text("id", id)) as ConversationId, incognito };
    return new Conversation(this.#backend, ref);
  }

  recall(query: string, options?: RecallOptions): Promise<Recall> {
    return this.#conversation.recall(query, options);
  }

  record(turn: TurnInput, options?: { readonly signal?: AbortSignal | undefined }): Promise<Written> {
    return this.#conversation.record(turn, options);
  }

  context(options?: Parameters<Conversation["context"]>[0]): Promise<ContextWindow> {
    return this.#conversation.context(options);
  }

  /** Every entry that passes, newest first. Rows are read as they are asked for, so a change in between may show. */
  async *entries(
    filter: EntryFilter = {},
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<StoredEntry> {
    let after: EntryId | undefined;
    do {
      const page = await this.#backend.listEntries(filter, { limit: PAGE, ...(after !== undefined && { after }) }, { signal });
      for (const entry of page.entries) {
        signal?.throwIfAborted();
        yield entry;
      }
      after = page.next;
    } while (after !== undefined);
  }

  async get(id: EntryId): Promise<StoredEntry | undefined> {
    return this.#backend.getEntry(text("id", id) as EntryId);
  }

  /** The person's own correction of an entry; its sources stay as they were said.
   * @throws MemoryError "not-found" */
  async update(id: EntryId, patch: EntryPatch): Promise<Entry> {
    return this.#backend.updateEntry(text("id", id) as EntryId, patch);
  }

  /** A pinned entry is never evicted. */
  async pin(id: EntryId, pinned = true): Promise<Entry> {
    return this.update(id, { pinned });
  }

  /** With `preview: true` says what would go; without it removes the entries with their vectors, the turns that they
   * come from, the replies that repeat them and every copy of those turns, and scans the store for what is left. Final.
   * @throws TypeError | RangeError for a target that is not exactly one known thing; MemoryError; the signal's reason,
   * and nothing is forgotten then */
  forget(
    target: ForgetTarget,
    options: { readonly preview: true; readonly signal?: AbortSignal | undefined },
  ): Promise<ForgetPreview>;
  forget(
    target: ForgetTarget,
    options?: { readonly preview?: false; readonly signal?: AbortSignal | undefined },
  ): Promise<Forgotten>;
  async forget(
    target: ForgetTarget,
    { preview = false, signal }: { readonly preview?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ForgetPreview | Forgotten> {
    const checked = forgetTarget(target);
    return preview ? this.#backend.previewForget(checked, { signal }) : this.#backend.forget(checked, { signal });
  }

  /** Changes the embedder: what is stored is embedded again from its text, then searched in the new space.
   * @throws MemoryError; the signal's reason, and the old embedder stays then */
  async attach(
    { embedder }: { readonly embedder: ConnectableEmbedder | EmbedderProvider },
    options: CallOptions = {},
  ): Promise<void> {
    const opened = await openEmbedder(embedder, options);
    if (!opened) throw new TypeError("attach takes { embedder }");
    try {
      await this.#backend.attachEmbedder(opened.embedder, options);
    } catch (error) {
      if (opened.owned) await opened.embedder.close();
      throw error;
    }
    const before = this.#embedder;
    this.#embedder = opened;
    if (before?.owned) await before.embedder.close();
  }

  stats(): Promise<MemoryStats> {
    return this.#backend.stats();
  }

  /** Makes the indexes anew from the store. */
  rebuild({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#backend.rebuild({ signal });
  }

  addEventListener<Type extends keyof MemoryEventMap>(
    type: Type,
    listener: (event: CustomEvent<MemoryEventMap[Type]>) => void,
    options?: AddEventListenerOptions,
  ): void {
    this.#events.addEventListener(type, listener as EventListener, options);
  }

  removeEventListener<Type extends keyof MemoryEventMap>(
    type: Type,
    listener: (event: CustomEvent<MemoryEventMap[Type]>) => void,
  ): void {
    this.#events.removeEventListener(type, listener as EventListener);
  }

  /** Ends the memory; calls in flight reject with "closed". Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#backend.close();
    } finally {
      if (this.#embedder?.owned) await this.#embedder.embedder.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
