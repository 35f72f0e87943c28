/** `Memory`: what an app holds. The work is done by a backend, in a worker or in this thread. */

import { type Attachment, Attachments, type AttachmentsParts } from "./attachments.js";
import type { BackendOptions, ConversationRef, MemoryBackend } from "./backend.js";
import type { AttachedConsolidation, ConsolidateOptions } from "./consolidation-run.js";
import { Conversation } from "./conversation.js";
import { exportOptions, streamOf } from "./export-stream.js";
import { forgetTarget } from "./forget-target.js";
import { importOptions } from "./import-options.js";
import { Knowledge } from "./knowledge.js";
import { text } from "./options.js";
import type { CallOptions, ConnectableEmbedder, ConnectableSlm, EmbedderProvider, SlmProvider } from "./ports.js";
import { Scorer } from "./scorer.js";
import type {
  Consolidation,
  ContextWindow,
  ConversationId,
  Entry,
  EntryFilter,
  EntryId,
  EntryPatch,
  ExportOptions,
  ForgetPreview,
  ForgetTarget,
  Forgotten,
  ImportOptions,
  ImportReport,
  ImportSource,
  MemoryEventMap,
  MemoryStats,
  Recall,
  RecallOptions,
  RoleGiving,
  StoredEntry,
  TurnInput,
  Undone,
  UserId,
  Written,
} from "./types.js";

const DEFAULT_CONVERSATION = "default" as ConversationId;
const PAGE = 100;

/** A person's memory. `recall`, `record` and `context` are those of its default conversation. */
export class Memory implements AsyncDisposable {
  readonly name: string;
  readonly userId: UserId;
  /** What the short-term memory has learned of which turns are needed. */
  readonly scorer: Scorer;
  /** The long-term memory: a graph of what the memories have taught. */
  readonly knowledge: Knowledge;
  readonly #backend: MemoryBackend;
  readonly #events: EventTarget;
  readonly #conversation: Conversation;
  readonly #attachments: Attachments;
  #closing: Promise<void> | undefined;

  /** Made by `openMemory`. */
  constructor(options: BackendOptions, parts: AttachmentsParts) {
    const { backend, events } = parts;
    this.name = options.name;
    this.userId = options.userId;
    this.#backend = backend;
    this.scorer = new Scorer(backend);
    this.knowledge = new Knowledge(backend);
    this.#events = events;
    this.#attachments = new Attachments(parts);
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

  /** Takes back the last change of an entry (see its `changes`): a person's edit, a repetition that was joined into it, its end, or a
   * guess that it is over. Again and again it goes further back, eight changes at most.
   * @throws MemoryError "not-found" for an entry that is not stored or has no change left */
  async undo(id: EntryId): Promise<Undone> {
    return this.#backend.undoEntry(text("id", id) as EntryId);
  }

  /** A pinned entry is never evicted. */
  async pin(id: EntryId, pinned = true): Promise<Entry> {
    return this.update(id, { pinned });
  }

  /** With `preview: true` says what would go; without it removes the entries with their vectors, the turns that they
   * come from, the replies that repeat them and every copy of those turns, and scans the store for what is left. Final: all
   * that is left is a keyed hash of each message, which keeps an import, and a message of the same id, from bringing it back; who
   * says it again says something new. A query ("my knee") is only a guess, so it is previewed, and `{ preview: token }` then
   * forgets exactly what was shown.
   * @throws TypeError | RangeError for a target that is not exactly one known thing; MemoryError "not-found" for a preview that
   * is not known any more; the signal's reason, and nothing is forgotten then */
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
    const checked = forgetTarget(target, preview);
    return preview ? this.#backend.previewForget(checked, { signal }) : this.#backend.forget(checked, { signal });
  }

  /** A backup: one file with everything of this user: turns, memories with their use, the graph, and the marks of what was
   * forgotten, in the format that src/backup/format.ts describes; without a password `gunzip` reads it. It is written as it is
   * taken, so that a large one is never in memory, and records and recalls go on meanwhile. {@link import} takes it, here or
   * elsewhere. Save it with `showSaveFilePicker` and `pipeTo`, or as `await new Response(stream).blob()`.
   *
   * The stream fails with TypeError for wrong options; MemoryError; the signal's reason. */
  export(options: ExportOptions = {}): ReadableStream<Uint8Array> {
    const { signal, ...rest } = exportOptions(options);
    return streamOf(this.#backend.export(rest, { signal }));
  }

  /** Imports a backup or a chat export. A backup is merged: what is missing is added, of an entry that is in both the newer one
   * stays, and nothing comes back that was forgotten; a damaged one is refused whole, with the place of the damage. Of a stream
   * a backup is held until all of it is checked; a large one is better given as a file.
   *
   * A chat export comes in with the dates of then: zipped or not, as a file (read by range) or as a stream. Every message has
   * an id made of the export's own, so that an import that was interrupted goes on when it is called again, and the same export
   * twice changes nothing. What was forgotten does not come back. Parts that are damaged are counted, and the rest is imported.
   * Other calls come in between; "progress" events tell how far it is, as `onProgress` does.
   * @returns what was taken and what was not, and why
   * @throws TypeError at the door; MemoryError "unsupported" for what is no chat export; what a stream fails with; the signal's
   * reason, and what was recorded until then stays */
  async import(source: ImportSource, options: ImportOptions = {}): Promise<ImportReport> {
    const { signal, ...rest } = importOptions(source, options);
    return this.#backend.import(source, rest, { signal });
  }

  /** Changes the embedder. What is recorded from now on is embedded by it; what is stored is embedded again from its text in the
   * background, and until then it is found in the space of the old embedder, which must not be closed before
   * {@link untilEmbedded} resolves (one that the memory opened is closed by it). Recalls and records go on. "progress" events of
   * the task "embed" and `stats().reembedding` tell how far it is; a closed or killed memory goes on when it is opened with the
   * same embedder again. The old vectors go at the end, all at once, unless another tab that is open searches them.
   * @throws MemoryError; the signal's reason, and the old embedder stays then */
  attach(wanted: { readonly embedder: ConnectableEmbedder | EmbedderProvider }, options?: CallOptions): Promise<void>;
  /** Loads a small model and takes it in the place of the one there is; resolves when it is there, before its exam is over. Until then,
   * and wherever it is late or fails, lite plays its roles. One that the memory opened is closed by it.
   * @throws TypeError for other roles than there are; what the provider throws; MemoryError; the signal's reason, and the model there
   * was stays then */
  attach(
    wanted: { readonly slm: ConnectableSlm | SlmProvider; readonly slmRoles?: RoleGiving },
    options?: CallOptions,
  ): Promise<void>;
  /** Lets a consolidator work in the background, in the place of the one there is: now, and whenever twelve memories were written and nothing
   * has changed for ten seconds, with the same limits and the same `review` as {@link consolidate}. At first all memories wait for it, those
   * that the device has consolidated too: `maxBatches` and `maxTokensPerDay` bound that. Where a batch fails or a limit
   * is reached, it tries again after ten minutes, or when there is a network again; where it is not let go, with the next twelve memories.
   * `knowledge.jobs()` says why it waits.
   * @throws RangeError for a limit that is none; MemoryError "unsupported" before the person has agreed */
  attach(wanted: AttachedConsolidation, options?: CallOptions): Promise<void>;
  attach(wanted: Attachment, options: CallOptions = {}): Promise<void> {
    return this.#attachments.attach(wanted, options);
  }

  /** Takes the small model away: lite plays all roles again. */
  detachSlm(): Promise<void> {
    return this.#attachments.detachSlm();
  }

  /** Takes the consolidator of the background away; a batch on its way waits then. */
  detachConsolidator(): Promise<void> {
    return this.#attachments.detachConsolidator();
  }

  /** Halts the embedding of what is stored until {@link resumeEmbedding}, or until the memory is opened again. What is recorded
   * is embedded all the same. */
  pauseEmbedding(): Promise<void> {
    return this.#backend.pauseEmbedding();
  }

  resumeEmbedding(): Promise<void> {
    return this.#backend.resumeEmbedding();
  }

  /** Resolves when every entry has vectors of the current embedder that can have some, also over a pause.
   * @throws MemoryError; the signal's reason, and the embedding goes on then */
  untilEmbedded({ signal }: CallOptions = {}): Promise<void> {
    return this.#backend.untilEmbedded({ signal });
  }

  /** Brings all that waits into the long-term memory, a batch of 24 memories at a time; it happens by itself in idle time after every
   * twelve turns, sooner where it is nearly full or its page is hidden. Private memories are left out. Nothing leaves the device unless a consolidator is given, and the person agreed.
   * "progress" events of the task "consolidate" tell how far it is.
   * @throws MemoryError; the signal's reason, and the batches before stay */
  async consolidate(options: ConsolidateOptions = {}): Promise<Consolidation> {
    return (await import("./consolidation-run.js")).runConsolidation(this.#backend, options);
  }

  async stats(): Promise<MemoryStats> {
    const stats = await this.#backend.stats();
    return { ...stats, degraded: [...stats.degraded, ...this.#attachments.failures] };
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
    this.#closing ??= this.#attachments.closeAround(() => this.#backend.close());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
