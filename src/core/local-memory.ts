/** A memory in this thread: joins the store, the indexes and the roles. The worker serves one, Node holds one. */

import type { ConversationRef, EntryPage, KnowledgeAnswer, KnowledgeRequest, MemoryBackend } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions, ConnectableEmbedder, SlmEngine, Store } from "../ports.js";
import { messageOf } from "../stm/recent-turns.js";
import type {
  ContextOptions,
  ContextWindow,
  Entry,
  EntryFilter,
  EntryId,
  EntryPatch,
  ExportOptions,
  ForgetTarget,
  Forgotten,
  ImportOptions,
  ImportReport,
  ImportSource,
  Message,
  Recall,
  RecallOptions,
  RoleGiving,
  StoredEntry,
  TurnInput,
  Written,
} from "../types.js";
import { Calls } from "./calls.js";
import { untilSettled } from "./conflict.js";
import { contextWindow } from "./context.js";
import type { LocalMemoryParts } from "./local-memory-parts.js";
import { SerialQueue } from "./queue.js";
import { joinRooms, type Rooms } from "./rooms.js";
import { memoryStats } from "./stats.js";
import type { WritingRooms } from "./writing-rooms.js";

export class LocalMemory implements MemoryBackend {
  readonly #parts: LocalMemoryParts;
  readonly #store: Store;
  readonly #rooms: Rooms;
  readonly #writes = new SerialQueue();
  readonly #ended = new AbortController();
  readonly #calls = new Calls(this.#ended.signal);
  #closing: Promise<void> | undefined;

  private constructor(parts: LocalMemoryParts) {
    this.#rooms = joinRooms(parts, {
      catchUp: () => this.#catchUp(),
      level: () => this.#level(),
      record: (ref, turn, call) => this.record(ref, turn, call),
      startOver: (why) => this.#startOver(why),
      inBackground: (task) => this.#inBackground(task),
      inQueue: (task) => this.#writes.run(task),
      ended: this.#ended.signal,
    });
    this.#parts = { ...parts, emit: this.#rooms.degradations.emit };
    this.#store = parts.store;
  }

  static async open(parts: LocalMemoryParts, call: CallOptions = {}): Promise<LocalMemory> {
    const memory = new LocalMemory(parts);
    try {
      await memory.#load(call.signal);
      for (const detail of parts.degraded) memory.#parts.emit({ type: "degraded", detail });
      // Fetched ahead, so that the first record need not wait, nor fail where the page is off line by then; a call tells of a failure.
      void memory.#rooms.writing().catch(() => undefined);
      return memory;
    } catch (error) {
      await memory.close();
      throw error;
    }
  }

  recall(ref: ConversationRef, text: string, options: Omit<RecallOptions, "signal">, call: CallOptions = {}): Promise<Recall> {
    return this.#calls.run(call.signal, (signal) => this.#rooms.recaller.recall(ref, text, options, signal));
  }

  record(ref: ConversationRef, turn: TurnInput, call: CallOptions & { readonly isOld?: true } = {}): Promise<Written> {
    return this.#write(async (signal) => {
      // What another handle has forgotten must not come back as the neighbour of what is recorded now.
      await this.#catchUp();
      const { conversations, learning } = this.#rooms;
      const { recorder } = await this.#rooms.writing();
      const written = await recorder.record(ref, () => conversations.of(ref), turn, { ...call, signal });
      const { turns } = (await conversations.of(ref)).window;
      if (written.turnIds.length > 0) learning.recorded(ref.id, turns.slice(-written.turnIds.length - 1));
      return written;
    }, call);
  }

  async context(ref: ConversationRef, options: ContextOptions, call: CallOptions = {}): Promise<ContextWindow> {
    this.#checkOpen(call);
    await this.#level(call.signal);
    await this.#rooms.learning.refresh();
    const parts = { ...this.#rooms, stmTokens: this.#parts.options.stmTokens };
    const window = await contextWindow(ref, options, parts, call.signal);
    this.#checkOpen(call);
    return window;
  }

  async history(ref: ConversationRef, limit: number): Promise<readonly Message[]> {
    this.#checkOpen();
    if (ref.incognito) return (await this.#rooms.conversations.of(ref)).window.turns.slice(-limit).map(messageOf);
    const turns = await this.#store.listTurns({ conversationId: ref.id, limit, reverse: true });
    return turns.reverse().map(messageOf);
  }

  async listEntries(
    filter: EntryFilter,
    page: { readonly after?: EntryId; readonly limit: number },
    call: CallOptions = {},
  ): Promise<EntryPage> {
    this.#checkOpen(call);
    const listed = await this.#rooms.entries.list(filter, page);
    this.#checkOpen(call);
    return listed;
  }

  async getEntry(id: EntryId): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    return this.#rooms.entries.get(id);
  }

  updateEntry(id: EntryId, patch: EntryPatch): Promise<Entry> {
    return this.#settle(({ edits }, signal) => edits.update(id, patch, signal));
  }

  undoEntry(id: EntryId): ReturnType<MemoryBackend["undoEntry"]> {
    return this.#settle(({ undoing }, signal) => undoing.undo(id, signal));
  }

  previewForget(target: ForgetTarget, call: CallOptions = {}): ReturnType<MemoryBackend["previewForget"]> {
    return this.#calls.run(call.signal, async (signal) => {
      await this.#level(signal);
      return (await this.#rooms.writing()).forgetting.preview(target, signal);
    });
  }

  forget(target: ForgetTarget, call: CallOptions = {}): Promise<Forgotten> {
    return this.#write(async (signal) => {
      await this.#catchUp();
      const { forgetting } = await this.#rooms.writing();
      const meaning = forgetting.meaningOf(target);
      const forgotten = await untilSettled(
        (isLast) => forgetting.forget(target, isLast, signal),
        () => this.#catchUp(),
      );
      this.#rooms.conversations.forget(meaning, forgotten.turnIds);
      this.#rooms.memories.reset(forgotten.turnIds);
      await this.#rooms.learning.refresh({ isStale: true });
      return forgotten;
    }, call);
  }

  async *export(options: Omit<ExportOptions, "signal">, { signal }: CallOptions = {}): AsyncGenerator<Uint8Array, void> {
    const { signal: ended } = this.#ended;
    const { exporting } = await this.#rooms.writing();
    yield* exporting.bytes(options, signal ? AbortSignal.any([signal, ended]) : ended);
  }

  import(source: ImportSource, options: Omit<ImportOptions, "signal">, call: CallOptions = {}): Promise<ImportReport> {
    return this.#calls.run(call.signal, async (signal) =>
      (await this.#rooms.writing()).importing.import(source, options, { signal }),
    );
  }

  stats(): ReturnType<MemoryBackend["stats"]> {
    return this.#calls.run(undefined, () => memoryStats(this.#parts, this.#rooms, this.#store));
  }

  learned(): ReturnType<MemoryBackend["learned"]> {
    return this.#calls.run(undefined, () => this.#rooms.learning.learned());
  }

  replaceLearned(bytes: Uint8Array | undefined): Promise<void> {
    return this.#calls.run(undefined, () => this.#rooms.learning.replace(bytes));
  }

  longTerm<R extends KnowledgeRequest>(request: R, call: CallOptions = {}): Promise<KnowledgeAnswer[R["type"]]> {
    return this.#calls.run(call.signal, (signal) => this.#rooms.knowledge.ask(request, { signal }));
  }

  rebuild(call: CallOptions = {}): Promise<void> {
    return this.#write((signal) => this.#load(signal), call);
  }

  attachEmbedder(embedder: ConnectableEmbedder, call: CallOptions = {}): Promise<void> {
    return this.#calls.run(call.signal, (signal) => this.#rooms.reEmbedding.attach(embedder, signal));
  }

  attachSlm(slm: SlmEngine | undefined, giving: RoleGiving, call: CallOptions = {}): Promise<void> {
    // By its answer: a caller who gave up must know whether the model is there.
    return this.#calls.run(undefined, () => this.#rooms.model.attach(slm, giving, call.signal));
  }

  async pauseEmbedding(): Promise<void> {
    this.#checkOpen();
    this.#rooms.reEmbedding.pause();
  }

  async resumeEmbedding(): Promise<void> {
    this.#checkOpen();
    this.#rooms.reEmbedding.resume();
  }

  untilEmbedded(call: CallOptions = {}): Promise<void> {
    return this.#calls.run(call.signal, (signal) => this.#rooms.reEmbedding.done(signal));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort(new MemoryError("closed", `the memory "${this.#parts.options.name}" is closed`));
    await this.#rooms.close();
    await this.#writes.idle();
    // What was counted is a convenience: a store that fails now has already told its writers.
    await this.#rooms.usage.flush().catch((error: unknown) => this.#rooms.degradations.tell("usage", error));
    this.#rooms.follower.close();
    this.#rooms.keeper.close();
    try {
      await this.#store.close();
    } finally {
      await this.#parts.release?.();
    }
  }

  async #load(signal: AbortSignal | undefined): Promise<void> {
    const { epoch } = await this.#store.standing();
    this.#rooms.follower.start(await this.#rooms.keeper.load(signal), epoch);
    await this.#catchUp();
  }

  /** Entries of a handle with another embedder come without vectors of ours. */
  async #catchUp(): Promise<void> {
    await this.#rooms.follower.catchUp();
    // What reads came upon is made good where the next write cannot overtake it.
    await this.#rooms.mend(this.#ended.signal);
    this.#rooms.reEmbedding.wake();
    this.#rooms.compaction.wake();
    this.#rooms.storageWatch.wake();
  }

  /** After an erasure nothing that was known is stored, and the use that was counted is of nobody; of a handle that was too far
   * behind anything may have changed. */
  async #startOver(why: "erased" | "behind"): Promise<void> {
    const { keeper, usage, conversations, memories, learning, follower } = this.#rooms;
    const idsNow = () => [...keeper.index.table].map(({ id }) => id);
    const before = idsNow();
    if (why === "erased") {
      usage.forget(before);
      conversations.clear();
      memories.clear();
      learning.heard();
    } else {
      conversations.reset();
      memories.reset();
    }
    await this.#load(this.#ended.signal);
    const entryIds = [...new Set([...before, ...(why === "behind" ? idsNow() : [])])];
    this.#parts.emit({ type: "change", detail: { revision: follower.applied, entryIds } });
  }

  /** Catches up with what other handles wrote. Nothing waits for that behind a long import of our own, but turns are read
   * from the store then: another handle may have forgotten some. */
  async #level(signal?: AbortSignal): Promise<void> {
    if (await this.#rooms.follower.isLevel()) return;
    if (this.#writes.isBusy) {
      this.#rooms.conversations.reset();
      this.#rooms.memories.reset();
    } else await this.#writes.run(() => this.#catchUp(), signal);
  }

  #inBackground(task: () => Promise<void>): void {
    this.#writes
      .run(task)
      .catch((error: unknown) => this.#ended.signal.aborted || this.#rooms.degradations.tell("other tabs", error));
  }

  #settle<T>(change: (rooms: WritingRooms, signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#write(async (signal) => {
      const rooms = await this.#rooms.writing();
      return untilSettled(
        () => change(rooms, signal),
        () => this.#catchUp(),
      );
    });
  }

  #write<T>(task: (signal: AbortSignal) => Promise<T>, call: CallOptions = {}): Promise<T> {
    return this.#calls.run(call.signal, (signal) => this.#writes.run(() => task(signal), signal));
  }

  #checkOpen({ signal }: CallOptions = {}): void {
    this.#ended.signal.throwIfAborted();
    signal?.throwIfAborted();
  }
}
