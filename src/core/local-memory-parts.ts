/** What a memory in this thread is made of. */

import type { BackendOptions, MemoryEvent } from "../backend.js";
import type { Clock, Embedder, Store, Tokenizer, Trainer, VectorIndex, WordVectors } from "../ports.js";
import type { MemoryStats } from "../types.js";
import type { HandleLocks } from "./handle-locks.js";

export interface LocalMemoryParts {
  readonly options: BackendOptions;
  readonly store: Store;
  readonly embedder: Embedder;
  /** Embedders that are at hand besides: what is stored in their space can be searched until it is in that of `embedder`. */
  readonly spareEmbedders?: readonly Embedder[];
  readonly wordVectors: WordVectors;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly clock: Clock;
  /** Fine milliseconds, for traces. */
  readonly stopwatch: Clock;
  readonly newId: () => string;
  readonly emit: (event: MemoryEvent) => void;
  readonly tokenizer?: Tokenizer;
  /** Learns in a worker; in this thread without one. */
  readonly trainer?: Trainer;
  /** The name tagger's file, asked for when a text is first made ready to leave the device; without it only known names are found. */
  readonly nameModel?: () => Promise<ArrayBuffer>;
  readonly degraded: MemoryStats["degraded"];
  /** Whether this runs in a worker, for `stats`. */
  readonly worker: boolean;
  /** Between this handle and the others on its rows, of other processes too; without it as the platform has them. */
  readonly locks?: (scope: string) => HandleLocks;
  readonly storageState?: () => Promise<Omit<MemoryStats["storage"], "backend">>;
  /** Runs last, at `close`. */
  readonly release?: () => Promise<void>;
}
