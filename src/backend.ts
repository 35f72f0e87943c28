/** What a memory does, seen from the page: the in-thread class and the worker's client implement it alike.
 *
 * Calls are coarse, arguments and results structured-clone safe; only the signal stays on the caller's side. */

import type { CallOptions, ConnectableEmbedder, ConnectableSlm, ConsolidationBatch, Consolidator } from "./ports.js";
import type {
  Consolidation,
  ConsolidationJob,
  ContextOptions,
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
  ImportedKnowledge,
  ImportOptions,
  ImportReport,
  ImportSource,
  KnowledgeFile,
  KnowledgePart,
  LearnedScorer,
  MemoryEventMap,
  MemoryStats,
  Message,
  Recall,
  RecallOptions,
  RoleGiving,
  StoredEntry,
  TurnInput,
  Undone,
  UserId,
  WaitCause,
  Withheld,
  Written,
} from "./types.js";

/** Everything that must be settled before a memory can be opened; plain data. */
export interface BackendOptions {
  readonly name: string;
  readonly userId: UserId;
  readonly k: number;
  readonly contextTokens: number;
  readonly stmTokens: number;
  readonly deadlineMs: number;
  readonly capacity: number;
  readonly timeZone: string;
  readonly plan: "keepsake" | "paper";
  /** Folder URL that holds kernel.wasm and embeddings.bin; beside the script by default. */
  readonly assetBase?: string;
  /** Vectors from which the index adds HNSW. */
  readonly hnswThreshold: number;
}

/** Names a conversation in a call. */
export interface ConversationRef {
  readonly id: ConversationId;
  /** Stores nothing and counts no access. */
  readonly incognito: boolean;
}

/** A page of a listing and where the next one starts. */
export interface EntryPage {
  readonly entries: readonly StoredEntry[];
  readonly next?: EntryId;
}

export type MemoryEvent = {
  [Type in keyof MemoryEventMap]: { readonly type: Type; readonly detail: MemoryEventMap[Type] };
}[keyof MemoryEventMap];

/** What is asked of the long-term memory. */
export type KnowledgeRequest =
  | { readonly type: "consolidate"; readonly maxBatches?: number }
  /** A batch for an engine; nobody else takes it until it is finished or failed. */
  | ({ readonly type: "prepare" } & PrepareRequest)
  | { readonly type: "sent"; readonly jobId: string }
  /** @param tokens that the calls took, where the consolidator told; estimated else */
  | { readonly type: "finish"; readonly jobId: string; readonly operations: readonly unknown[]; readonly tokens?: number }
  | ({ readonly type: "fail"; readonly jobId: string } & BatchFailure)
  | { readonly type: "jobs" }
  /** @param place of the consolidator for which memories wait; "device" by default
   * @param withhold what does not wait for it */
  | { readonly type: "standing"; readonly place?: Consolidator["place"]; readonly withhold?: Withheld }
  | { readonly type: "nodes"; readonly after?: string; readonly limit?: number; readonly candidates?: boolean }
  | { readonly type: "common"; readonly after?: string; readonly limit?: number }
  | { readonly type: "export"; readonly minUsers: number }
  | { readonly type: "import"; readonly file: unknown }
  | { readonly type: "neighbours"; readonly id: string };

export interface PrepareRequest {
  readonly consolidator: string;
  readonly maxTokensPerDay?: number;
  readonly withhold?: Withheld;
  /** The person called for it, or the network is back: what waits because of a failure is tried again at once. */
  readonly isAsked?: boolean;
}

/** What is to be sent of a batch. */
export interface PreparedBatch {
  /** Its `outbound` is all that would leave the memory now. */
  readonly job: ConsolidationJob;
  readonly batch: ConsolidationBatch;
  /** The answer of an earlier time, which was cut off before it came into the graph: nothing is sent, only finished. */
  readonly operations?: readonly unknown[];
}

/** Why a batch waits. */
export interface BatchFailure {
  readonly cause: WaitCause;
  readonly reason: string;
  /** As the other side says. */
  readonly retryAfterMs?: number;
  /** That its calls took, where the consolidator told. */
  readonly tokens?: number;
}

export interface KnowledgeAnswer {
  readonly consolidate: Consolidation;
  readonly prepare: PreparedBatch | undefined;
  /** What is sent: without what was forgotten or changed since it was prepared; `undefined` where nothing is left of it. */
  readonly sent: ConsolidationBatch | undefined;
  readonly finish: Pick<Consolidation, "operations" | "refused" | "entries">;
  readonly fail: undefined;
  readonly jobs: readonly ConsolidationJob[];
  readonly standing: Pick<Consolidation, "nodes" | "edges" | "left">;
  readonly nodes: KnowledgePart;
  readonly common: KnowledgePart;
  readonly export: KnowledgeFile;
  readonly import: ImportedKnowledge;
  readonly neighbours: KnowledgePart;
}

export interface MemoryBackend {
  recall(
    conversation: ConversationRef,
    text: string,
    options: Omit<RecallOptions, "signal">,
    call?: CallOptions,
  ): Promise<Recall>;
  record(conversation: ConversationRef, turn: TurnInput, call?: CallOptions): Promise<Written>;
  context(conversation: ConversationRef, options: ContextOptions, call?: CallOptions): Promise<ContextWindow>;
  listEntries(
    filter: EntryFilter,
    page: { readonly after?: EntryId; readonly limit: number },
    call?: CallOptions,
  ): Promise<EntryPage>;
  getEntry(id: EntryId): Promise<StoredEntry | undefined>;
  updateEntry(id: EntryId, patch: EntryPatch): Promise<Entry>;
  undoEntry(id: EntryId): Promise<Undone>;
  previewForget(target: ForgetTarget, call?: CallOptions): Promise<ForgetPreview>;
  forget(target: ForgetTarget, call?: CallOptions): Promise<Forgotten>;
  /** @param options its listener is called in the caller's thread */
  /** The bytes of a backup. */
  export(options: Omit<ExportOptions, "signal">, call?: CallOptions): AsyncIterable<Uint8Array>;
  import(source: ImportSource, options: Omit<ImportOptions, "signal">, call?: CallOptions): Promise<ImportReport>;
  history(conversation: ConversationRef, limit: number): Promise<readonly Message[]>;
  stats(): Promise<MemoryStats>;
  learned(): Promise<LearnedScorer>;
  /** Puts what was exported in the place of what was learned; without bytes nothing. */
  replaceLearned(bytes: Uint8Array | undefined): Promise<void>;
  longTerm<Request extends KnowledgeRequest>(request: Request, call?: CallOptions): Promise<KnowledgeAnswer[Request["type"]]>;
  rebuild(call?: CallOptions): Promise<void>;
  /** Takes the new embedder, and re-embeds what is stored in the background. */
  attachEmbedder(embedder: ConnectableEmbedder, call?: CallOptions): Promise<void>;
  /** Takes a small model in the place of the one there is, or none; resolves before its exam is over. */
  attachSlm(slm: ConnectableSlm | undefined, giving: RoleGiving, call?: CallOptions): Promise<void>;
  pauseEmbedding(): Promise<void>;
  resumeEmbedding(): Promise<void>;
  /** Resolves when all entries have vectors of the current embedder. */
  untilEmbedded(call?: CallOptions): Promise<void>;
  close(): Promise<void>;
}
