/** Memories in this thread over SQLite in memory, with faults between them and their store. */

import { LocalMemory } from "../../src/core/local-memory.js";
import type { LocalMemoryParts } from "../../src/core/local-memory-parts.js";
import { Memory } from "../../src/memory-handle.js";
import { type MemoryOptions, settle } from "../../src/options.js";
import type { Store, StoreFactory } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import type { UserId } from "../../src/types.js";
import { createAutoIndex } from "../../src/vector/auto.js";
import { letterEmbedder } from "../memory/letters.js";
import { Faults } from "./faults.js";
import { type CheckOptions, checkMemory, checkStore, type Violation } from "./invariants.js";
import { Ledger } from "./ledger.js";
import { ToldMemory } from "./told-memory.js";

/** Entries sought by their words in one check: enough for the small databases here. */
const SAMPLE = 12;

export interface RigOptions extends CheckOptions {
  readonly memory?: Partial<MemoryOptions>;
  readonly embedder?: LocalMemoryParts["embedder"];
  readonly stopwatch?: LocalMemoryParts["stopwatch"];
  /** With which its ids begin, so that two devices give out none twice; "id" by default. */
  readonly device?: string;
  /** Of the database's file; without one it lies in memory. */
  readonly directory?: string;
}

/** One database, its ledger, and the handles that were opened on it. */
export class Rig {
  readonly ledger = new Ledger();
  readonly #stores: StoreFactory;
  readonly #options: RigOptions;
  readonly #open: Memory[] = [];
  readonly #storeOf = new Map<Memory, Store>();
  #ids = 0;
  #now = Date.UTC(2026, 4, 7, 12);

  constructor(options: RigOptions = {}) {
    this.#options = options;
    this.#stores = sqliteStores({ directory: options.directory ?? ":memory:" });
  }

  /** The store itself, without faults. */
  store(): Promise<Store> {
    return this.#stores.open("rig", "me" as UserId);
  }

  /** A handle whose calls of the store go through `faults`.
   * @param name handles of different names share the rows, but no lock and no channel */
  async open(faults: Faults = new Faults(), name = "rig"): Promise<ToldMemory> {
    const options = settle({ name, userId: "me", timeZone: "UTC", deadlineMs: 60_000, ...this.#options.memory });
    const events = new EventTarget();
    const store = faults.wrap(await this.store());
    const local = await LocalMemory.open({
      options,
      store,
      embedder: this.#options.embedder ?? letterEmbedder,
      wordVectors: { dimension: 2, vectors: (words) => new Float32Array(words.length * 2) },
      createVectorIndex: (dimension) => createAutoIndex({ dimension }),
      clock: { now: () => this.#now++ },
      stopwatch: this.#options.stopwatch ?? { now: () => performance.now() },
      newId: () => `${this.#options.device ?? "id"}-${String(this.#ids++).padStart(8, "0")}`,
      emit: ({ type, detail }) => events.dispatchEvent(new CustomEvent(type, { detail })),
      degraded: [],
      worker: false,
    });
    const memory = new Memory(options, { backend: local, events, emit: () => undefined });
    this.#open.push(memory);
    this.#storeOf.set(memory, store);
    return new ToldMemory(memory, this.ledger);
  }

  /** The store of a handle, with the faults between. */
  storeOf({ memory }: ToldMemory): Store {
    return this.#storeOf.get(memory) as Store;
  }

  /** Sets the clock back, as a person or a server of time does. */
  setBack(byMs: number): void {
    this.#now -= byMs;
  }

  /** Lets a handle be as it is, as when its process was killed: it will not be closed. */
  abandon({ memory }: ToldMemory): void {
    this.#open.splice(this.#open.indexOf(memory), 1);
  }

  /** Every violation in the store, and in this memory, or in one that is opened anew. */
  async check(told?: ToldMemory): Promise<Violation[]> {
    const store = await this.store();
    const stored = await checkStore(store, this.ledger, this.#options);
    const opened = told ?? (await this.open());
    return [...stored, ...(await checkMemory(opened.memory, store, this.ledger, { sample: SAMPLE }))];
  }

  async close(): Promise<void> {
    for (const memory of this.#open.splice(0)) await memory.close();
  }
}
