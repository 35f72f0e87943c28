/** What the long-term memory knows, seen from the page. */

import type { MemoryBackend } from "./backend.js";
import type { CallOptions } from "./ports.js";
import type { ConsolidationJob, ImportedKnowledge, KnowledgeFile, KnowledgePart } from "./types.js";

export interface KnowledgePage {
  /** The `next` of the page before. */
  readonly after?: string;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number;
}

const MAX_LIMIT = 1_000;
/** What one user says is theirs. */
const MIN_USERS = 2;
const MAX_USERS = 1_000_000;

/** The concept graph: made by `memory.consolidate()`, and by itself in idle time after every twelve turns. */
export class Knowledge {
  readonly #backend: MemoryBackend;

  /** Made with its memory. */
  constructor(backend: MemoryBackend) {
    this.#backend = backend;
  }

  /** Nodes that this user's memories support, by id, with their edges. A page may hold fewer than its limit where `next` is there.
   * @param page `candidates`: with general knowledge that only one memory supports so far, which recall does not walk; false by default
   * @throws RangeError for a limit out of range */
  nodes({ candidates = false, ...page }: KnowledgePage & { readonly candidates?: boolean } = {}): Promise<KnowledgePart> {
    return this.#backend.longTerm({ type: "nodes", ...checked(page), ...(candidates && { candidates }) });
  }

  /** General nodes that at least two users of the database support, without a trace of who; a statement is there where two of them say
   * it in the same words.
   * @throws RangeError for a limit out of range */
  common(page: KnowledgePage = {}): Promise<KnowledgePart> {
    return this.#backend.longTerm({ type: "common", ...checked(page) });
  }

  /** Batches that wait or are under way, and the last twenty that are over. What waits because of a failure goes with the next call of
   * `consolidate`; what the other side asked to wait for does not go before. */
  jobs(): Promise<readonly ConsolidationJob[]> {
    return this.#backend.longTerm({ type: "jobs" });
  }

  /** What at least `minUsers` users of the database say, for other devices: `JSON.stringify` makes a file of it. Nothing in it tells whose
   * it was, and what speaks of somebody by name, as far as it is found, stays here.
   * @param options minUsers 2 to 1,000,000, 2 by default
   * @throws RangeError for less, which would tell of one person; MemoryError "asset-unavailable" where the file that finds names cannot be
   * had; the signal's reason */
  export({ minUsers = MIN_USERS, signal }: CallOptions & { readonly minUsers?: number } = {}): Promise<KnowledgeFile> {
    if (!(Number.isInteger(minUsers) && minUsers >= MIN_USERS && minUsers <= MAX_USERS))
      throw new RangeError(`minUsers is an integer from ${MIN_USERS} to ${MAX_USERS}, got ${minUsers}`);
    return this.#backend.longTerm({ type: "export", minUsers }, { signal });
  }

  /** Merges the general knowledge of another device: half as sure as there, below every word of this user, and shown to nobody else. The
   * same file a second time changes nothing. What names somebody, or breaks the graph, is left out and counted.
   * @param file as `export` gave it, after `JSON.parse`
   * @throws TypeError for what is no such file; RangeError for a newer version or more than 200,000 nodes and edges; MemoryError
   * "asset-unavailable" as {@link export}; the signal's reason, and what was written before stays */
  import(file: KnowledgeFile, { signal }: CallOptions = {}): Promise<ImportedKnowledge> {
    return this.#backend.longTerm({ type: "import", file }, { signal });
  }

  /** A node, those beside it, and the edges between; nothing for an id that is not there. */
  neighbours(id: string): Promise<KnowledgePart> {
    if (typeof id !== "string" || id === "") throw new TypeError("the id of a node is a string with at least one character");
    return this.#backend.longTerm({ type: "neighbours", id });
  }
}

function checked({ after, limit }: KnowledgePage): KnowledgePage {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw new RangeError(`limit is an integer from 1 to ${MAX_LIMIT}, got ${limit}`);
  return { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) };
}
