/** A memory in this thread: joins the store, the indexes and the roles. The worker serves one, Node holds one. */

import type { ConversationRef, EntryPage, MemoryBackend } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions, ConnectableEmbedder, Embedder, Store, Tokenizer } from "../ports.js";
import { messageOf } from "../stm/conversation-window.js";
import { loadTimeLanguagesOf } from "../text/time-cues.js";
import { defaultTokenizer } from "../text/tokens.js";
import type {
  ContextWindow,
  Entry,
  EntryFilter,
  EntryId,
  EntryPatch,
  ForgetPreview,
  ForgetTarget,
  Forgotten,
  MemoryStats,
  Message,
  Recall,
  RecallOptions,
  StoredEntry,
  TurnInput,
  Written,
} from "../types.js";
import { LiteWriter } from "../write/writer.js";
import { Calls } from "./calls.js";
import { untilSettled } from "./conflict.js";
import { contextWindow } from "./context.js";
import { Conversations } from "./conversations.js";
import { Degradations } from "./degradations.js";
import { EntryAccess } from "./entry-access.js";
import { Follower } from "./follower.js";
import { Forgetting } from "./forgetting.js";
import { IndexKeeper } from "./index-keeper.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import { SerialQueue } from "./queue.js";
import { Recaller } from "./recaller.js";
import { Recorder } from "./recorder.js";
import { UsageLedger } from "./usage-ledger.js";

export class LocalMemory implements MemoryBackend {
  readonly #parts: LocalMemoryParts;
  readonly #store: Store;
  readonly #tokenizer: Tokenizer;
  readonly #writes = new SerialQueue();
  readonly #conversations: Conversations;
  readonly #usage: UsageLedger;
  readonly #follower: Follower;
  readonly #recaller: Recaller;
  readonly #recorder: Recorder;
  readonly #forgetting: Forgetting;
  readonly #entries: EntryAccess;
  readonly #ended = new AbortController();
  readonly #calls = new Calls(this.#ended.signal);
  readonly #degradations: Degradations;
  readonly #keeper: IndexKeeper;
  #closing: Promise<void> | undefined;

  private constructor({ emit, ...rest }: LocalMemoryParts) {
    this.#degradations = new Degradations(emit);
    const parts = { ...rest, emit: this.#degradations.emit };
    const { store, options } = parts;
    this.#parts = parts;
    this.#store = store;
    this.#tokenizer = parts.tokenizer ?? defaultTokenizer;
    this.#keeper = new IndexKeeper(parts);
    this.#conversations = new Conversations({
      store,
      maxTokens: options.stmTokens,
      tokenizer: this.#tokenizer,
      entries: () => this.#keeper.index.table,
    });
    this.#usage = new UsageLedger(store, (error) => this.#degradations.tell("usage", error));
    const index = () => this.#keeper.index;
    this.#follower = new Follower({
      name: options.name,
      userId: options.userId,
      store,
      index,
      onChange: ({ revision, entryIds, removedTurnIds, ours }) => {
        if (!ours) this.#conversations.reset(removedTurnIds);
        parts.emit({ type: "change", detail: { revision, entryIds } });
      },
      onHeard: () => this.#inBackground(() => this.#catchUp()),
      onErased: () => this.#inBackground(() => this.#startOver()),
      reload: () => this.#startOver(),
    });
    const shared = { store, index, follower: this.#follower, usage: this.#usage };
    this.#forgetting = new Forgetting({ ...shared, embedder: () => this.#keeper.embedder });
    this.#entries = new EntryAccess({ ...shared, keeper: this.#keeper, timeZone: options.timeZone });
    this.#recaller = new Recaller({
      ...parts,
      keeper: this.#keeper,
      conversations: this.#conversations,
      usage: this.#usage,
      tokenizer: this.#tokenizer,
      level: () => this.#level(),
      prepareLanguages: (texts) => this.#prepareLanguages(texts),
      onMissing: (part, reason) => this.#degradations.tell(part, reason),
    });
    this.#recorder = new Recorder({
      ...shared,
      embedder: () => this.#keeper.embedder,
      catchUp: async () => {
        await this.#catchUp();
        this.#conversations.reset();
      },
      writer: new LiteWriter(),
      prepareLanguages: (texts) => this.#prepareLanguages(texts),
      clock: parts.clock,
      newId: parts.newId,
      timeZone: options.timeZone,
      capacity: options.capacity,
    });
  }

  static async open(parts: LocalMemoryParts, call: CallOptions = {}): Promise<LocalMemory> {
    const memory = new LocalMemory(parts);
    try {
      await memory.#load(call.signal);
      for (const detail of parts.degraded) memory.#parts.emit({ type: "degraded", detail });
      return memory;
    } catch (error) {
      await memory.close();
      throw error;
    }
  }

  recall(ref: ConversationRef, text: string, options: Omit<RecallOptions, "signal">, call: CallOptions = {}): Promise<Recall> {
    return this.#calls.run(call.signal, (signal) => this.#recaller.recall(ref, text, options, signal));
  }

  record(ref: ConversationRef, turn: TurnInput, call: CallOptions = {}): Promise<Written> {
    return this.#write(async (signal) => {
      // What another handle has forgotten must not come back as the neighbour of what is recorded now.
      await this.#catchUp();
      return this.#recorder.record(ref, () => this.#conversations.of(ref), turn, signal);
    }, call);
  }

  async context(
    ref: ConversationRef,
    options: { readonly recall?: Recall; readonly maxTokens?: number },
    call: CallOptions = {},
  ): Promise<ContextWindow> {
    this.#checkOpen(call);
    await this.#level(call.signal);
    const maxTokens = options.maxTokens ?? this.#parts.options.stmTokens;
    const { window } = await this.#conversations.filled(ref, maxTokens, call.signal);
    this.#checkOpen(call);
    return contextWindow(window, this.#tokenizer, options);
  }

  async history(ref: ConversationRef, limit: number): Promise<readonly Message[]> {
    this.#checkOpen();
    if (ref.incognito) return (await this.#conversations.of(ref)).window.turns.slice(-limit).map(messageOf);
    const turns = await this.#store.listTurns({ conversationId: ref.id, limit, reverse: true });
    return turns.reverse().map(messageOf);
  }

  async listEntries(
    filter: EntryFilter,
    page: { readonly after?: EntryId; readonly limit: number },
    call: CallOptions = {},
  ): Promise<EntryPage> {
    this.#checkOpen(call);
    const listed = await this.#entries.list(filter, page);
    this.#checkOpen(call);
    return listed;
  }

  async getEntry(id: EntryId): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    return this.#entries.get(id);
  }

  updateEntry(id: EntryId, patch: EntryPatch): Promise<Entry> {
    return this.#write((signal) =>
      untilSettled(
        () => this.#entries.update(id, patch, signal),
        () => this.#catchUp(),
      ),
    );
  }

  previewForget(target: ForgetTarget, call: CallOptions = {}): Promise<ForgetPreview> {
    return this.#calls.run(call.signal, async (signal) => {
      await this.#level(signal);
      return this.#forgetting.preview(target, signal);
    });
  }

  forget(target: ForgetTarget, call: CallOptions = {}): Promise<Forgotten> {
    return this.#write(async (signal) => {
      await this.#catchUp();
      const forgotten = await untilSettled(
        () => this.#forgetting.forget(target, signal),
        () => this.#catchUp(),
      );
      this.#conversations.forget(target, forgotten.turnIds);
      return forgotten;
    }, call);
  }

  async stats(): Promise<MemoryStats> {
    this.#checkOpen();
    const { options, worker, storageState } = this.#parts;
    const [counts, storage] = await Promise.all([this.#store.counts(), storageState?.()]);
    return {
      name: options.name,
      userId: options.userId,
      ...counts,
      vectors: this.#keeper.index.vector.size,
      revision: this.#follower.applied,
      embedder: { id: this.#keeper.embedder.embedder.id, dimension: this.#keeper.embedder.embedder.dimension },
      index: { vector: this.#keeper.index.vector.kind, terms: this.#keeper.index.lexical.terms },
      storage: { backend: this.#store.backend, ...storage },
      degraded: this.#degradations.kept,
      worker,
    };
  }

  rebuild(call: CallOptions = {}): Promise<void> {
    return this.#write((signal) => this.#load(signal), call);
  }

  attachEmbedder(embedder: ConnectableEmbedder, call: CallOptions = {}): Promise<void> {
    return this.#write(async (signal) => {
      if (this.#keeper.serves(embedder)) this.#keeper.replaceEmbedder(embedder);
      else await this.#load(signal, embedder);
    }, call);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort(new MemoryError("closed", `the memory "${this.#parts.options.name}" is closed`));
    await this.#writes.idle();
    // What was counted is a convenience: a store that fails now has already told its writers.
    await this.#usage.flush().catch((error: unknown) => this.#degradations.tell("usage", error));
    this.#follower.close();
    this.#keeper.close();
    try {
      await this.#store.close();
    } finally {
      await this.#parts.release?.();
    }
  }

  async #load(signal: AbortSignal | undefined, embedder?: Embedder): Promise<void> {
    this.#follower.start(await this.#keeper.load(signal, embedder));
    await this.#follower.catchUp();
  }

  /** Entries of a handle with another embedder come without vectors of ours. */
  async #catchUp(): Promise<void> {
    await this.#follower.catchUp();
    await this.#keeper.fill(this.#ended.signal);
  }

  /** After an erasure: nothing that was known is stored, and the use that was counted is of nobody. */
  async #startOver(): Promise<void> {
    const gone = [...this.#keeper.index.table].map(({ id }) => id);
    this.#usage.forget(gone);
    this.#conversations.clear();
    await this.#load(this.#ended.signal);
    this.#parts.emit({ type: "change", detail: { revision: this.#follower.applied, entryIds: gone } });
  }

  /** Catches up with what other handles wrote. Nothing waits for that behind a long import of our own, but turns are read
   * from the store then: another handle may have forgotten some. */
  async #level(signal?: AbortSignal): Promise<void> {
    if (await this.#follower.isLevel()) return;
    if (this.#writes.isBusy) this.#conversations.reset();
    else await this.#writes.run(() => this.#catchUp(), signal);
  }

  #inBackground(task: () => Promise<void>): void {
    this.#writes.run(task).catch((error: unknown) => this.#ended.signal.aborted || this.#degradations.tell("other tabs", error));
  }

  #write<T>(task: (signal: AbortSignal) => Promise<T>, call: CallOptions = {}): Promise<T> {
    return this.#calls.run(call.signal, (signal) => this.#writes.run(() => task(signal), signal));
  }

  /** Times in other languages are a gain, not a need: without their grammar English ones are still read. */
  async #prepareLanguages(texts: readonly string[]): Promise<void> {
    await loadTimeLanguagesOf(texts).catch((error: unknown) => this.#degradations.tell("time expressions", error));
  }

  #checkOpen({ signal }: CallOptions = {}): void {
    this.#ended.signal.throwIfAborted();
    signal?.throwIfAborted();
  }
}
