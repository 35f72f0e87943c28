/** What the long-term memory knows, seen from the page. */

import type { MemoryBackend } from "./backend.js";
import type { ConsolidationJob, KnowledgePart } from "./types.js";

export interface KnowledgePage {
  /** The `next` of the page before. */
  readonly after?: string;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number;
}

const MAX_LIMIT = 1_000;

/** The concept graph: made by `memory.consolidate()`, and by itself in idle time after every twelve turns. */
export class Knowledge {
  readonly #backend: MemoryBackend;

  /** Made with its memory. */
  constructor(backend: MemoryBackend) {
    this.#backend = backend;
  }

  /** Nodes that this user's memories support, by id, with their edges.
   * @throws RangeError for a limit out of range */
  nodes(page: KnowledgePage = {}): Promise<KnowledgePart> {
    return this.#backend.longTerm({ type: "nodes", ...checked(page) });
  }

  /** General nodes that at least two users of the database support, without a trace of who; a statement is there where two of them say
   * it in the same words.
   * @throws RangeError for a limit out of range */
  common(page: KnowledgePage = {}): Promise<KnowledgePart> {
    return this.#backend.longTerm({ type: "common", ...checked(page) });
  }

  /** Batches that wait or are under way, and the last twenty that are over. */
  jobs(): Promise<readonly ConsolidationJob[]> {
    return this.#backend.longTerm({ type: "jobs" });
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
