/** The short-term memories of the conversations that are asked for their context: built from their turns, and followed. */

import type { ConversationRef } from "../backend.js";
import type { Store, Tokenizer } from "../ports.js";
import type { WorkingMemory, WorkingMemoryOptions } from "../stm/working-memory.js";
import type { Turn, TurnId } from "../types.js";
import type { Conversations } from "./conversations.js";
import { pause } from "./pause.js";
import { SerialQueue } from "./queue.js";
import { removedSince } from "./removals.js";

/** Kept built; the longest unused goes first. Each holds the text of two thousand turns at most. */
const MAX_BUILT = 8;
/** Turns read, and turns scored, between two pauses: some milliseconds each. */
const PAGE = 256;
const SLICE = 64;

export interface WorkingMemoriesParts {
  readonly store: Store;
  readonly tokenizer: Tokenizer;
  readonly conversations: Conversations;
  readonly local?: WorkingMemoryOptions["local"];
}

/** A short-term memory, and whether something that it holds was forgotten: nothing of it must be shown then. */
export interface Followed {
  readonly memory: WorkingMemory;
  readonly isForgotten: boolean;
}

interface Built {
  memory?: WorkingMemory;
  /** Calls that bring it level, one after another. */
  readonly queue: SerialQueue;
  /** The last turn that was read, -1 for none. */
  sequence: number;
  /** Up to here it is known what was forgotten. */
  revision: number;
  /** Something may have been forgotten since, and nobody said what. */
  isDoubtful: boolean;
  isForgotten: boolean;
}

export class WorkingMemories {
  readonly #parts: WorkingMemoriesParts;
  readonly #built = new Map<string, Built>();

  constructor(parts: WorkingMemoriesParts) {
    this.#parts = parts;
  }

  /** The conversation's, level with its turns. The first time all of them are read; from then on those that are new.
   * @throws the signal's reason */
  async of(ref: ConversationRef, signal?: AbortSignal): Promise<Followed> {
    for (;;) {
      const built = this.#find(ref);
      const memory = await built.queue.run(async () => {
        const current = (built.memory ??= await this.#begin(built));
        const isWhole = ref.incognito ? await this.#take(ref, current) : await this.#read(ref, built, current);
        if (isWhole) await scored(current, signal);
        else built.isForgotten = true;
        return current;
      }, signal);
      if (!built.isForgotten) return Object.assign(built, { memory });
    }
  }

  /** Turns of a conversation that its memory no longer scores, oldest first; what is not stored there is left out. */
  async older(ref: ConversationRef, ids: readonly string[]): Promise<readonly Turn[]> {
    if (ref.incognito || ids.length === 0) return [];
    const turns = await this.#parts.store.turns(ids as readonly TurnId[]);
    const own = turns.flatMap((turn) => (turn?.conversationId === ref.id ? [turn] : []));
    return own.sort((a, b) => a.sequence - b.sequence);
  }

  /** Something was written elsewhere. @param removed what was forgotten; absent where that is not known */
  reset(removed?: readonly TurnId[]): void {
    for (const built of this.#built.values()) {
      if (removed?.some((id) => built.memory?.has(id))) built.isForgotten = true;
      // What is being read just now may be what was forgotten.
      else if (!removed || (removed.length > 0 && built.queue.isBusy)) built.isDoubtful = true;
    }
  }

  /** Everything was forgotten. */
  clear(): void {
    for (const built of this.#built.values()) built.isForgotten = true;
    this.#built.clear();
  }

  /** Scores with what has been learned by now; until that is done the former scores serve.
   * @throws the signal's reason */
  async rescore(signal: AbortSignal): Promise<void> {
    for (const { memory } of [...this.#built.values()]) {
      if (!memory) continue;
      memory.beginRescore();
      while (!memory.rescore(SLICE)) {
        await pause();
        signal.throwIfAborted();
      }
    }
  }

  #find({ id, incognito }: ConversationRef): Built {
    const key = JSON.stringify([id, incognito]);
    const open = this.#built.get(key);
    const found = open && !open.isForgotten ? open : { ...UNREAD, queue: new SerialQueue() };
    this.#built.delete(key);
    this.#built.set(key, found);
    const idle = [...this.#built].find(([other, { queue }]) => other !== key && !queue.isBusy);
    if (this.#built.size > MAX_BUILT && idle) this.#built.delete(idle[0]);
    return found;
  }

  async #begin(built: Built): Promise<WorkingMemory> {
    const { store, tokenizer, local } = this.#parts;
    built.revision = await store.revision();
    // Loaded when a context is asked for: what only recalls and records does without the scorer.
    const { WorkingMemory } = await import("../stm/working-memory.js");
    return new WorkingMemory({ tokenizer, ...(local && { local }) });
  }

  /** @returns whether it holds nothing that was forgotten */
  async #read({ id }: ConversationRef, built: Built, memory: WorkingMemory): Promise<boolean> {
    const { store } = this.#parts;
    for (;;) {
      const page = await store.listTurns({ conversationId: id, after: built.sequence, limit: PAGE });
      memory.add(page);
      built.sequence = page.at(-1)?.sequence ?? built.sequence;
      if (page.length === PAGE) await pause();
      else if (!built.isDoubtful) return true;
      else if (!(await this.#isSound(built, memory))) return false;
    }
  }

  async #isSound(built: Built, memory: WorkingMemory): Promise<boolean> {
    const { store } = this.#parts;
    built.isDoubtful = false;
    const revision = await store.revision();
    const removed = await removedSince(store, built.revision);
    built.revision = revision;
    return removed !== undefined && ![...removed].some((turnId) => memory.has(turnId));
  }

  async #take(ref: ConversationRef, memory: WorkingMemory): Promise<boolean> {
    const { turns } = (await this.#parts.conversations.of(ref)).window;
    memory.add(turns);
    return memory.size === turns.length;
  }
}

const UNREAD = { sequence: -1, revision: 0, isDoubtful: false, isForgotten: false } as const;

async function scored(memory: WorkingMemory, signal: AbortSignal | undefined): Promise<void> {
  while (!memory.score(SLICE)) {
    await pause();
    signal?.throwIfAborted();
  }
}
