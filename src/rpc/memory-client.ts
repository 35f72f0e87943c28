/** A memory that lives in a worker, seen from the page; a worker that dies is replaced at the next call. */

import type {
  BackendOptions,
  ConversationRef,
  EntryPage,
  KnowledgeAnswer,
  KnowledgeRequest,
  MemoryBackend,
  MemoryEvent,
} from "../backend.js";
import { isMemoryError, MemoryError } from "../errors.js";
import type { CallOptions, ConnectableEmbedder, ConnectableSlm } from "../ports.js";
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
import { untilAborted } from "./cancel.js";
import { openEmbedderPort } from "./embedder-port.js";
import { transfer } from "./endpoint.js";
import { EMBEDDER_PART, type ForwardedMethod, type MemoryApi, MODEL_PART, WRITES } from "./memory-api.js";
import { plain, plainRecall, plainTurn } from "./plain.js";
import { exportFrom, importInto } from "./remote-backup.js";
import type { RemoteSlm } from "./remote-slm.js";
import { WorkerLink } from "./worker-link.js";

/** How long a worker may take to close its database before it is ended. */
const CLOSE_LIMIT_MS = 5_000;

export interface RemoteMemoryParts {
  readonly options: BackendOptions;
  readonly spawn: () => Worker;
  readonly emit: (event: MemoryEvent) => void;
  readonly embedder?: ConnectableEmbedder;
}

export class RemoteMemory implements MemoryBackend {
  readonly #parts: RemoteMemoryParts;
  readonly #ended = new AbortController();
  #embedder: ConnectableEmbedder | undefined;
  /** Ends the port that the worker embeds through. */
  #stopEmbedderPort: () => void = () => undefined;
  #attaching: Promise<unknown> = Promise.resolve();
  /** Loaded with the first model. */
  #slm: RemoteSlm | undefined;
  #link: Promise<WorkerLink<MemoryApi>> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(parts: RemoteMemoryParts) {
    this.#parts = parts;
    this.#embedder = parts.embedder;
  }

  static async open(parts: RemoteMemoryParts, call?: CallOptions): Promise<RemoteMemory> {
    const memory = new RemoteMemory(parts);
    memory.#link = memory.#start(call?.signal);
    await memory.#link;
    return memory;
  }

  recall(
    conversation: ConversationRef,
    text: string,
    options: Omit<RecallOptions, "signal">,
    call?: CallOptions,
  ): Promise<Recall> {
    return this.#invoke("recall", [conversation, text, options], call);
  }
  async record(conversation: ConversationRef, turn: TurnInput, call?: CallOptions): Promise<Written> {
    return this.#invoke("record", [conversation, plainTurn(turn)], call);
  }
  async context(
    conversation: ConversationRef,
    { recall, ...options }: ContextOptions,
    call?: CallOptions,
  ): Promise<ContextWindow> {
    return this.#invoke("context", [conversation, { ...options, ...(recall && { recall: plainRecall(recall) }) }], call);
  }
  listEntries(
    filter: EntryFilter,
    page: { readonly after?: EntryId; readonly limit: number },
    call?: CallOptions,
  ): Promise<EntryPage> {
    return this.#invoke("listEntries", [filter, page], call);
  }
  getEntry(id: EntryId): Promise<StoredEntry | undefined> {
    return this.#invoke("getEntry", [id]);
  }
  updateEntry(id: EntryId, patch: EntryPatch): Promise<Entry> {
    return this.#invoke("updateEntry", [id, patch]);
  }
  undoEntry(id: EntryId): ReturnType<MemoryBackend["undoEntry"]> {
    return this.#invoke("undoEntry", [id]);
  }
  previewForget(target: ForgetTarget, call?: CallOptions): ReturnType<MemoryBackend["previewForget"]> {
    return this.#invoke("previewForget", [target], call);
  }
  forget(target: ForgetTarget, call?: CallOptions): Promise<Forgotten> {
    return this.#invoke("forget", [target], call);
  }
  async *export(options: Omit<ExportOptions, "signal">, call?: CallOptions): AsyncGenerator<Uint8Array, void> {
    yield* exportFrom(await this.#linked(call?.signal), options, call);
  }
  async import(source: ImportSource, options: Omit<ImportOptions, "signal">, call?: CallOptions): Promise<ImportReport> {
    return importInto(await this.#linked(call?.signal), source, options, call);
  }
  history(conversation: ConversationRef, limit: number): Promise<readonly Message[]> {
    return this.#invoke("history", [conversation, limit]);
  }
  stats(): ReturnType<MemoryBackend["stats"]> {
    return this.#invoke("stats", []);
  }
  learned(): ReturnType<MemoryBackend["learned"]> {
    return this.#invoke("learned", []);
  }
  replaceLearned(bytes: Uint8Array | undefined): Promise<void> {
    return this.#invoke("replaceLearned", [bytes]);
  }
  longTerm<R extends KnowledgeRequest>(request: R, call?: CallOptions): Promise<KnowledgeAnswer[R["type"]]> {
    return this.#invoke("longTerm", [request], call);
  }
  rebuild(call?: CallOptions): Promise<void> {
    return this.#invoke("rebuild", [], call);
  }
  pauseEmbedding(): Promise<void> {
    return this.#invoke("pauseEmbedding", []);
  }
  resumeEmbedding(): Promise<void> {
    return this.#invoke("resumeEmbedding", []);
  }
  untilEmbedded(call?: CallOptions): Promise<void> {
    return this.#invoke("untilEmbedded", [], call);
  }

  attachEmbedder(embedder: ConnectableEmbedder, call?: CallOptions): Promise<void> {
    const attached = this.#attach(embedder, call?.signal);
    this.#attaching = attached.catch(() => undefined);
    return attached;
  }

  async attachSlm(slm: ConnectableSlm | undefined, giving: RoleGiving, call?: CallOptions): Promise<void> {
    const { RemoteSlm } = await import("./remote-slm.js");
    const linked = (signal: AbortSignal | undefined) => this.#linked(signal);
    this.#slm ??= new RemoteSlm({ linked, emit: this.#parts.emit, ended: this.#ended.signal });
    return this.#slm.attach(slm, giving, call);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #attach(embedder: ConnectableEmbedder, signal: AbortSignal | undefined): Promise<void> {
    const link = await this.#linked(signal);
    const { port, stop } = await openEmbedderPort(embedder, this.#until(signal));
    try {
      await link.call(
        (remote, cancel) => remote.attachEmbedder(transfer(port, [port]), cancel && transfer(cancel, [cancel])),
        signal,
        "by-answer",
      );
    } catch (error) {
      stop();
      throw error;
    }
    this.#embedder = embedder;
    const stopFormer = this.#stopEmbedderPort;
    this.#stopEmbedderPort = stop;
    // Until all entries are in the new space the old embedder answers questions in its own.
    void this.untilEmbedded().then(stopFormer, stopFormer);
  }

  async #close(): Promise<void> {
    this.#ended.abort(new MemoryError("closed", `the memory "${this.#parts.options.name}" is closed`));
    const link = await this.#link?.catch(() => undefined);
    try {
      if (link && link.failure === undefined) await link.call((remote) => remote.close(), AbortSignal.timeout(CLOSE_LIMIT_MS));
    } catch (error) {
      // A dead or stuck worker has nothing left to close: what was acknowledged is committed.
      if (!isMemoryError(error, "worker-failed") && !(error instanceof DOMException)) throw error;
    } finally {
      link?.close();
      this.#stopEmbedderPort();
      this.#slm?.stop();
    }
  }

  async #invoke<T>(method: ForwardedMethod, args: readonly unknown[], call?: CallOptions): Promise<T> {
    // Copied before anything is awaited: what the caller changes later is not meant.
    const sent = plain(args);
    const link = await this.#linked(call?.signal);
    const result = await link.call(
      (remote, cancel) => remote.invoke(method, sent, cancel && transfer(cancel, [cancel])),
      call?.signal,
      WRITES.has(method) ? "by-answer" : "at-once",
    );
    return result as T;
  }

  /** The living link; after a death the first call starts a new worker, and calls beside it wait for the same one. */
  async #linked(signal?: AbortSignal): Promise<WorkerLink<MemoryApi>> {
    const until = this.#until(signal);
    until.throwIfAborted();
    const current = this.#link;
    const link = await untilAborted(current?.catch(() => undefined) ?? Promise.resolve(undefined), until);
    if (link && link.failure === undefined) return link;
    // The start is not this caller's alone, so only `close` ends it.
    if (this.#link === current) this.#link = this.#start();
    return untilAborted(this.#link as Promise<WorkerLink<MemoryApi>>, until);
  }

  /** Gives the memory a new port after the embedder's worker died; until then recalls go by words alone. */
  async #reconnectEmbedder(): Promise<void> {
    const lost = this.#embedder;
    await this.#attaching;
    // Another one may have taken its place by now.
    if (!lost || this.#embedder !== lost || this.#ended.signal.aborted) return;
    try {
      await this.attachEmbedder(lost);
    } catch (error) {
      const reason = `it could not be started again: ${error instanceof Error ? error.message : String(error)}`;
      if (!this.#ended.signal.aborted) this.#parts.emit({ type: "degraded", detail: { part: EMBEDDER_PART, reason } });
    }
  }

  async #start(signal?: AbortSignal): Promise<WorkerLink<MemoryApi>> {
    const until = this.#until(signal);
    // That of the worker before, which is dead.
    this.#stopEmbedderPort();
    const link = await WorkerLink.start<MemoryApi>(this.#parts.spawn, "memory", until);
    const { port1: events, port2: workerEvents } = new MessageChannel();
    events.onmessage = ({ data }: MessageEvent<MemoryEvent>) => {
      this.#parts.emit(data);
      if (data.type === "degraded" && data.detail.part === EMBEDDER_PART) void this.#reconnectEmbedder();
      if (data.type === "degraded" && data.detail.part === MODEL_PART) void this.#slm?.again();
    };
    try {
      const served = this.#embedder && (await openEmbedderPort(this.#embedder, until));
      this.#stopEmbedderPort = served?.stop ?? (() => undefined);
      await link.call(
        (remote, cancel) =>
          remote.open(
            this.#parts.options,
            transfer(workerEvents, [workerEvents]),
            served && transfer(served.port, [served.port]),
            cancel && transfer(cancel, [cancel]),
          ),
        until,
      );
      void this.#slm?.again();
      return link;
    } catch (error) {
      link.close();
      events.close();
      this.#stopEmbedderPort();
      throw error;
    }
  }

  /** Until the caller gives up or the memory is closed. */
  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
  }
}
