/** What the parts of Keepsake expect of each other; every adapter of a port passes that port's contract suite. */

import type {
  ConversationId,
  Entry,
  EntryId,
  EntryKind,
  Plan,
  RefusalReason,
  Role,
  Source,
  Timestamp,
  TimeWindow,
  Turn,
  TurnId,
  Usage,
  UserId,
} from "./types.js";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): Timestamp;
}

/** A number in [0, 1). */
export type Random = () => number;

export interface Tokenizer {
  /** Tokens of a text, an integer of 0 or more. */
  count(text: string): number;
}

// ---------------------------------------------------------------- embeddings

/** Texts to unit-norm vectors. */
export interface Embedder {
  /** Names the model and its version; vectors of different ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** @returns one flat array, `texts.length * dimension` long, rows of unit norm (an empty text: the zero row)
   * @throws MemoryError "model-failed" | "closed"; the signal's reason when aborted */
  embed(texts: readonly string[], options?: CallOptions): Promise<Float32Array>;
  close(): Promise<void>;
}

/** An embedder that can be handed to another worker. */
export interface ConnectableEmbedder extends Embedder {
  /** A port that serves this embedder (see `rpc/embedder.ts`); absent where it lives in the caller's own thread. */
  connect?(): Promise<MessagePort>;
}

export interface LoadOptions extends CallOptions {
  /** Bytes or steps done of the total; total 0 while it is not known. */
  readonly onProgress?:
    | ((progress: { readonly task: string; readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** How an app names an embedder in `openMemory`: nothing is loaded before `open` is called. */
export interface EmbedderProvider {
  open(options?: LoadOptions): Promise<ConnectableEmbedder>;
}

/** Vectors of single words, for soft links between a question's words and a memory's. */
export interface WordVectors {
  readonly dimension: number;
  /** Flat, `words.length * dimension` long, rows of unit norm; a zero row for a word that has none. */
  vectors(words: readonly string[]): Float32Array;
}

// ---------------------------------------------------------------- indexes

/** Which slots a search may return: 1 allowed, 0 not; a slot beyond its length is not allowed. */
export type Mask = Uint8Array;

export interface VectorHit {
  readonly slot: number;
  /** Dot product with the query: cosine for unit vectors. */
  readonly score: number;
}

/** Scores of all entries for one query; index = slot. Slots without an entry, or masked, hold -Infinity. */
export interface VectorScores {
  /** Dot product with the vector of the entry's whole text (its row 0). */
  readonly whole: Float32Array;
  /** Maximum over all of the entry's rows. */
  readonly best: Float32Array;
}

/** Nearest neighbours over entries. An entry sits in a slot (a small integer, reused after removal) and has one row
 * for its whole text, then one per sentence where it has several. */
export interface VectorIndex {
  readonly kind: "flat-wasm" | "flat-js" | "hnsw";
  readonly dimension: number;
  /** Rows held. */
  readonly size: number;
  /** @param rows flat, n × dimension, n ≥ 1: the whole text, then its sentences. Replaces what the slot held.
   * @throws MemoryError "dimension-mismatch" | "invalid-vector" (nothing is added then) */
  add(slot: number, rows: Float32Array): void;
  remove(slot: number): void;
  /** At most `k` entries, best first, ties by slot; the score of an entry is its best row's. */
  search(query: Float32Array, k: number, mask?: Mask): VectorHit[];
  /** Absent where an index cannot score all entries (HNSW): fusion then normalises over the pool. */
  scoreAll?(query: Float32Array, mask?: Mask): VectorScores;
  /** A copy of a slot's rows, flat; undefined for an empty slot. Absent where an index cannot give them back. */
  rowsOf?(slot: number): Float32Array | undefined;
  clear(): void;
  close(): void;
}

/** What the lexical index knows of an entry. Terms come from `text/terms.ts`. */
export interface LexicalDocument {
  readonly terms: readonly string[];
  readonly speakerTerms: readonly string[];
  /** Terms of the turn before and after inside the session; weighted .5 and .25 (BM25F-like, see `retrieve/`). */
  readonly previousTerms: readonly string[];
  readonly nextTerms: readonly string[];
}

export interface LexicalIndex {
  /** Distinct terms. */
  readonly terms: number;
  readonly size: number;
  add(slot: number, document: LexicalDocument): void;
  remove(slot: number): void;
  /** BM25 of all slots for a weighted query; masked and empty slots hold 0. */
  scoreAll(query: ReadonlyMap<string, number>, mask?: Mask): Float32Array;
  idf(term: string): number;
  documentFrequency(term: string): number;
  /** Every indexed term with its document frequency. */
  vocabulary(): IterableIterator<readonly [string, number]>;
  /** Slots whose text (not its neighbours) holds the term. */
  postings(term: string): Iterable<number>;
  clear(): void;
}

// ---------------------------------------------------------------- store

/** The vectors of one entry: its whole text, then its sentences. */
export interface EntryVectors {
  readonly entryId: EntryId;
  /** Flat, n × dimension. */
  readonly rows: Float32Array;
}

/** A run of stored vectors, as loaded. */
export interface VectorSegment {
  /** Entry of each row; an entry's rows are contiguous and in order, though they may continue in the next segment. */
  readonly entryIds: readonly EntryId[];
  /** Flat, `entryIds.length * dimension`. */
  readonly rows: Float32Array;
}

export type JournalOperation =
  | { readonly type: "put-entries"; readonly entryIds: readonly EntryId[] }
  | { readonly type: "remove-entries"; readonly entryIds: readonly EntryId[] }
  | { readonly type: "put-turns"; readonly turnIds: readonly TurnId[] }
  | { readonly type: "remove-turns"; readonly turnIds: readonly TurnId[] }
  | { readonly type: "put-meta"; readonly keys: readonly string[] };

export interface JournalRecord {
  readonly revision: number;
  readonly at: Timestamp;
  readonly operations: readonly JournalOperation[];
}

/** Everything that one transaction writes: all of it or nothing. */
export interface StoreWrite {
  /** New turns; their `sequence` is given by the store. A turn whose id is stored already is left as it is. */
  readonly turns?: readonly Omit<Turn, "sequence">[];
  /** Entries to put; `revision` is given by the store (1 for a new one, else the stored one's + 1). One whose `indexText`
   * changes loses its vectors in every space but those that come with the write. */
  readonly entries?: readonly Omit<Entry, "revision">[];
  /** Vectors under `space`; they replace those that the entry had there. Every entry must exist or be put here. */
  readonly vectors?: { readonly space: VectorSpace; readonly of: readonly EntryVectors[] };
  readonly removeEntries?: readonly EntryId[];
  readonly removeTurns?: readonly TurnId[];
  /** Structured-clone-safe values; `undefined` removes the key. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly usage?: readonly { readonly entryId: EntryId; readonly usage: Usage }[];
  /** Revisions that a decision rested on; 0: must not exist. Checked inside the transaction. */
  readonly expect?: readonly { readonly entryId: EntryId; readonly revision: number }[];
  /** Turn ids that must not be stored yet: two tabs that record one turn write it once. */
  readonly expectNewTurns?: readonly TurnId[];
  /** Commit to disk before the promise resolves; true by default. Use statistics may say false. */
  readonly durable?: boolean;
}

/** The embedder's id and dimension under which vectors are kept. */
export interface VectorSpace {
  readonly id: string;
  readonly dimension: number;
}

export interface Committed {
  readonly revision: number;
  readonly turns: readonly Turn[];
  readonly entries: readonly Entry[];
}

export interface StoreCounts {
  readonly turns: number;
  readonly entries: number;
}

/** Persistent rows of one user. A handle is bound to its userId when it is opened and cannot name another.
 *
 * All methods reject with MemoryError "closed" after `close()`, "quota-exceeded", "storage-failed" or
 * "storage-corrupt"; an aborted call rejects with the signal's reason and has written nothing. */
export interface Store {
  readonly backend: "indexeddb" | "sqlite";
  readonly userId: UserId;
  /** Revision of the last committed write, 0 for an empty store. */
  revision(): Promise<number>;
  counts(): Promise<StoreCounts>;
  /** @throws MemoryError "conflict" when an expectation does not hold; nothing is written then */
  write(batch: StoreWrite, options?: CallOptions): Promise<Committed>;
  /** In the order asked; `undefined` for an id that is not there. */
  entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]>;
  /** In id order (ULID: by creation), `after` exclusive, at most `limit` (default 256). */
  listEntries(page?: { readonly after?: EntryId; readonly limit?: number; readonly reverse?: boolean }): Promise<Entry[]>;
  turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]>;
  /** By sequence, newest first with `reverse`. `after` (exclusive) is a sequence. */
  listTurns(page?: {
    readonly conversationId?: ConversationId;
    readonly after?: number;
    readonly limit?: number;
    readonly reverse?: boolean;
  }): Promise<Turn[]>;
  usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]>;
  /** Every vector kept under `space`, in segments. */
  vectors(space: VectorSpace): AsyncIterable<VectorSegment>;
  /** The vectors of single entries, in the order asked, so that another tab can catch up from the journal; `undefined`
   * where there are none under `space`. */
  vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]>;
  /** Spaces that hold vectors, with their row counts. */
  vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]>;
  /** Records with a revision above `after`, oldest first, at most `limit` (default 256). */
  journal(after: number, limit?: number): Promise<JournalRecord[]>;
  meta<T = unknown>(key: string): Promise<T | undefined>;
  close(): Promise<void>;
}

/** Opens stores of one database. */
export interface StoreFactory {
  open(name: string, userId: UserId, options?: CallOptions): Promise<Store>;
  /** Users that have rows in the database of this name. */
  listUsers(name: string): Promise<UserId[]>;
  /** Removes every row of the user, in all stores. */
  eraseUser(name: string, userId: UserId): Promise<void>;
}

// ---------------------------------------------------------------- roles

/** A recent turn as the roles see it. */
export interface RecentTurn {
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  /** When it was said. */
  readonly at: Timestamp;
}

export interface PlanInput {
  readonly text: string;
  /** Working memory C_t, oldest first. */
  readonly recent: readonly RecentTurn[];
  /** Names of speakers that the memory knows, without "user" and "assistant". */
  readonly speakers: readonly string[];
  readonly now: Timestamp;
  /** IANA name. */
  readonly timeZone: string;
}

/** SLM-1: what to search for. */
export interface Controller {
  plan(input: PlanInput, options?: CallOptions): Promise<Plan>;
}

/** A candidate of the coarse search, as a selector sees it. */
export interface Candidate {
  readonly entry: Entry;
  /** Stage-1 score, about 0 to 1.5. */
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
}

export interface SelectInput {
  readonly text: string;
  readonly plan: Plan;
  /** In coarse order, best first. */
  readonly candidates: readonly Candidate[];
  /** At most this many are wanted. */
  readonly k: number;
}

export interface Selected {
  /** Index into the candidates. */
  readonly index: number;
  /** 0 to 1. */
  readonly score: number;
}

/** SLM-2: which candidates support the question; fewer when fewer do. */
export interface Selector {
  /** All candidates worth showing, best first; never more than `k`. */
  select(input: SelectInput, options?: CallOptions): Promise<readonly Selected[]>;
}

export interface WriteInput {
  /** The new turns, oldest first. */
  readonly turns: readonly Omit<Turn, "sequence">[];
  /** Turns before them in the conversation, oldest first. */
  readonly recent: readonly RecentTurn[];
  /** The turn after them, where it is known already: a long history is written in batches. */
  readonly next?: RecentTurn & { readonly sessionId?: string };
  /** Texts that were recalled for the reply. */
  readonly recalled: readonly string[];
  readonly timeZone: string;
}

/** A statement that may become an entry. */
export interface Statement {
  readonly turnId: TurnId;
  readonly subject: string;
  readonly text: string;
  readonly indexText: string;
  readonly kind: EntryKind;
  readonly tags: readonly string[];
  readonly eventTime?: TimeWindow;
  readonly mentions?: readonly TimeWindow[];
  readonly saidAt: Timestamp;
  readonly sources: readonly Source[];
  readonly identifiers: readonly string[];
  readonly salience: number;
  readonly context?: { readonly previous?: string; readonly next?: string };
}

export interface WriteOutput {
  readonly statements: readonly Statement[];
  readonly refused: readonly { readonly text: string; readonly reason: RefusalReason }[];
}

/** SLM-3: what is worth keeping of a turn. */
export interface Writer {
  write(input: WriteInput, options?: CallOptions): Promise<WriteOutput>;
}

/** Off line: fragments to operations on the concept graph. */
export interface Consolidator {
  readonly id: string;
  consolidate(batch: ConsolidationBatch, options?: CallOptions): Promise<readonly GraphOperation[]>;
}

export interface ConsolidationBatch {
  /** Scrubbed texts; `fragment` is a number inside the batch. */
  readonly fragments: readonly { readonly fragment: number; readonly text: string; readonly kind: EntryKind }[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export type NodeType = "Entity" | "Concept";
export type EdgeType = "IsA" | "HasProperty" | "RelatedTo" | "Implies";

export interface GraphNode {
  readonly id: string;
  readonly type: NodeType;
  readonly name: string;
  readonly statement: string;
  readonly confidence: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly confidence: number;
}

export type GraphOperation =
  | { readonly type: "addNode"; readonly node: Omit<GraphNode, "confidence">; readonly support: readonly number[] }
  | {
      readonly type: "addEdge";
      readonly from: string;
      readonly to: string;
      readonly edge: EdgeType;
      readonly support: readonly number[];
    }
  | { readonly type: "merge"; readonly from: string; readonly into: string }
  | { readonly type: "update"; readonly id: string; readonly statement: string; readonly support: readonly number[] }
  | { readonly type: "discard"; readonly fragment: number; readonly reason: string };

// ---------------------------------------------------------------- engines

export interface EngineMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface CompleteOptions extends CallOptions {
  /** JSON schema of the answer. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** A small language model in any engine. */
export interface SlmEngine {
  readonly id: string;
  complete(
    messages: readonly EngineMessage[],
    options?: CompleteOptions,
  ): Promise<{ readonly text: string; readonly finish: "stop" | "length" }>;
  close(): Promise<void>;
}
