/** A memory whose every act is witnessed: told before it begins, and again when the memory said that it was done. */

import type { Memory } from "../../src/memory-handle.js";
import type { Consolidation, EntryId, Written } from "../../src/types.js";
import type { Act, KnownEntry, Outcome, SaidTurn } from "./ledger.js";

export interface Witness {
  /** @returns a number for {@link acknowledge} */
  begin(act: Act): Promise<number> | number;
  acknowledge(number: number, outcome: Outcome): Promise<void> | void;
}

/** An act that fails stays open: nobody knows whether it was done before it failed. */
export class ToldMemory {
  readonly memory: Memory;
  readonly #witness: Witness;

  constructor(memory: Memory, witness: Witness) {
    this.memory = memory;
    this.#witness = witness;
  }

  /** Turns of one conversation, as one record. Those that were stored before are told as recorded once more. */
  async record(turns: readonly SaidTurn[], at?: number): Promise<Written> {
    const number = await this.#witness.begin({ type: "record", turns });
    const conversation = this.memory.conversation(turns[0]?.conversationId);
    const written = await conversation.record({
      messages: turns.map(({ id, text, isStatement }) => ({
        id,
        text,
        role: isStatement ? ("user" as const) : ("assistant" as const),
        ...(at !== undefined && { at }),
      })),
    });
    const entries = written.stored.map(({ id, text, sources }) => ({ id, text, turnIds: sources.map(({ turnId }) => turnId) }));
    await this.#witness.acknowledge(number, { type: "record", entries });
    return written;
  }

  /** @param entries those that the file itself names */
  async import(file: Blob, turns: readonly SaidTurn[], entries: readonly KnownEntry[] = []): Promise<void> {
    const number = await this.#witness.begin({ type: "import", turns, entries });
    await this.memory.import(file);
    await this.#witness.acknowledge(number, { type: "import", entries });
  }

  async forget(entryIds: readonly string[]): Promise<void> {
    const number = await this.#witness.begin({ type: "forget", entryIds });
    const forgotten = await this.memory.forget({ entryIds: entryIds as readonly EntryId[] });
    await this.#witness.acknowledge(number, { type: "forget", ...forgotten });
  }

  async update(entryId: string, text: string): Promise<void> {
    const number = await this.#witness.begin({ type: "update", entryId, text });
    await this.memory.update(entryId as EntryId, { text });
    await this.#witness.acknowledge(number, { type: "update" });
  }

  async consolidate(options?: Parameters<Memory["consolidate"]>[0]): Promise<Consolidation> {
    const number = await this.#witness.begin({ type: "consolidate" });
    const done = await this.memory.consolidate(options);
    const committed = (await this.memory.knowledge.jobs()).filter(({ state }) => state === "committed");
    await this.#witness.acknowledge(number, { type: "consolidate", entryIds: committed.flatMap(({ entryIds }) => entryIds) });
    return done;
  }
}
