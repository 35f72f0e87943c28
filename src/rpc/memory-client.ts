/** A memory that lives in a worker, seen from the page; a worker that dies is replaced at the next call. */

import type { BackendOptions, ConversationRef, EntryPage, MemoryBackend, MemoryEvent } from "../backend.js";
import { isMemoryError, MemoryError } from "../errors.js";
import type { CallOptions, ConnectableEmbedder } from "../ports.js";
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
import { serveEmbedder } from "./embedder.js";
import { transfer } from "./endpoint.js";
import { EMBEDDER_PART, type ForwardedMethod, type MemoryApi } from "./memory-api.js";
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
  #embedder: ConnectableEmbedder | undefined;
  #link: Promise<WorkerLink<MemoryApi>> | undefined;
  #closed = false;

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
  record(conversation: ConversationRef, turn: TurnInput, call?: CallOptions): Promise<Written> {
    return this.#invoke("record", [conversation, turn], call);
  }
  context(
    conversation: ConversationRef,
    options: { readonly recall?: Recall; readonly maxTokens?: number },
    call?: CallOptions,
  ): Promise<ContextWindow> {
    return this.#invoke("context", [conversation, options], call);
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
  previewForget(target: ForgetTarget, call?: CallOptions): Promise<ForgetPreview> {
    return this.#invoke("previewForget", [target], call);
  }
  forget(target: ForgetTarget, call?: CallOptions): Promise<Forgotten> {
    return this.#invoke("forget", [target], call);
  }
  history(conversation: ConversationRef, limit: number): Promise<readonly Message[]> {
    return this.#invoke("history", [conversation, limit]);
  }
  stats(): Promise<MemoryStats> {
    return this.#invoke("stats", []);
  }
  rebuild(call?: CallOptions): Promise<void> {
    return this.#invoke("rebuild", [], call);
  }

  async attachEmbedder(embedder: ConnectableEmbedder, call?: CallOptions): Promise<void> {
    const link = await this.#linked();
    const port = await portOf(embedder);
    await link.call(
      (remote, cancel) => remote.attachEmbedder(transfer(port, [port]), cancel && transfer(cancel, [cancel])),
      call?.signal,
    );
    this.#embedder = embedder;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const link = await this.#link?.catch(() => undefined);
    if (!link) return;
    try {
      await link.call((remote) => remote.close(), AbortSignal.timeout(CLOSE_LIMIT_MS));
    } catch (error) {
      // A dead or stuck worker has nothing left to close: what was acknowledged is committed.
      if (!isMemoryError(error, "worker-failed") && !(error instanceof DOMException)) throw error;
    } finally {
      link.close();
    }
  }

  async #invoke<T>(method: ForwardedMethod, args: readonly unknown[], call?: CallOptions): Promise<T> {
    const link = await this.#linked();
    const result = await link.call(
      (remote, cancel) => remote.invoke(method, args, cancel && transfer(cancel, [cancel])),
      call?.signal,
    );
    return result as T;
  }

  /** The living link; after a death the first call starts a new worker, and calls beside it wait for the same one. */
  async #linked(): Promise<WorkerLink<MemoryApi>> {
    const current = this.#link;
    const link = await current?.catch(() => undefined);
    if (this.#closed) throw new MemoryError("closed", `the memory "${this.#parts.options.name}" is closed`);
    if (link && link.failure === undefined) return link;
    if (this.#link === current) this.#link = this.#start(undefined);
    return this.#link as Promise<WorkerLink<MemoryApi>>;
  }

  /** Gives the memory a new port after the embedder's worker died; until then recalls go by words alone. */
  async #reconnectEmbedder(): Promise<void> {
    if (!this.#embedder || this.#closed) return;
    try {
      await this.attachEmbedder(this.#embedder);
    } catch (error) {
      const reason = `it could not be started again: ${error instanceof Error ? error.message : String(error)}`;
      if (!this.#closed) this.#parts.emit({ type: "degraded", detail: { part: EMBEDDER_PART, reason } });
    }
  }

  async #start(signal: AbortSignal | undefined): Promise<WorkerLink<MemoryApi>> {
    const link = new WorkerLink<MemoryApi>(this.#parts.spawn(), "memory");
    try {
      const lifeLock = `keepsake:life:${crypto.randomUUID()}`;
      const { port1: events, port2: workerEvents } = new MessageChannel();
      events.onmessage = ({ data }: MessageEvent<MemoryEvent>) => {
        this.#parts.emit(data);
        if (data.type === "degraded" && data.detail.part === EMBEDDER_PART) void this.#reconnectEmbedder();
      };
      const embedder = this.#embedder && (await portOf(this.#embedder));
      await link.call(
        (remote, cancel) =>
          remote.open(
            this.#parts.options,
            lifeLock,
            transfer(workerEvents, [workerEvents]),
            embedder && transfer(embedder, [embedder]),
            cancel && transfer(cancel, [cancel]),
          ),
        signal,
      );
      link.watchLifeLock(lifeLock);
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  }
}

/** A port onto an embedder: its own where it lives in a worker, else one that the page serves. */
async function portOf(embedder: ConnectableEmbedder): Promise<MessagePort> {
  if (embedder.connect) return embedder.connect();
  const { port1, port2 } = new MessageChannel();
  serveEmbedder(embedder, port1);
  return port2;
}
