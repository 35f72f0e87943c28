/** What a memory is busy with when its process is killed: everything that writes, in an order that the seed gives. */

import { isMemoryError } from "../../../src/errors.js";
import type { EntryId } from "../../../src/types.js";
import { letterEmbedder } from "../../memory/letters.js";
import type { Act, SaidTurn } from "../ledger.js";
import type { ToldMemory } from "../told-memory.js";
import type { LifeOrder } from "./life.js";

export interface WorkloadParts {
  readonly order: LifeOrder;
  readonly told: readonly ToldMemory[];
  readonly random: () => number;
  /** Acts of the life before that nobody heard the end of. */
  readonly unheard: readonly Act[];
}

const PLACES = ["attic", "cellar", "garage", "pantry", "office", "hallway", "shed", "kitchen", "loft", "library"];
const THINGS = ["violin", "ladder", "passport", "camera", "kettle", "atlas", "compass", "quilt", "lantern", "toolbox"];
const LONG_HISTORY = { least: 60, most: 240 };
/** Conversations that each handle writes to. */
const CONVERSATIONS = 4;

/** One kind of work: `weight` is how often it comes. A new kind of job is one more of these. */
interface Work {
  readonly weight: number;
  readonly run: (workload: Workload, told: ToldMemory, handle: number) => Promise<unknown>;
}

const WORKS: readonly Work[] = [
  { weight: 10, run: (workload, told, handle) => workload.record(told, handle, [workload.statement(handle)]) },
  {
    weight: 4,
    run: (workload, told, handle) => {
      const turn = workload.statement(handle);
      return workload.record(told, handle, [turn, workload.reply(turn)]);
    },
  },
  {
    weight: 3,
    run: (workload, told, handle) =>
      Promise.all([0, 1, 2].map(() => workload.record(told, handle, [workload.statement(handle)]))),
  },
  { weight: 2, run: (workload, told, handle) => workload.repeat(told, handle) },
  {
    weight: 0.7,
    run: (workload, told, handle) => {
      const count = LONG_HISTORY.least + workload.below(LONG_HISTORY.most - LONG_HISTORY.least);
      const first = workload.statement(handle);
      const rest = Array.from({ length: count }, () => ({
        ...workload.statement(handle),
        conversationId: first.conversationId,
      }));
      return workload.record(told, handle, [first, ...rest]);
    },
  },
  {
    weight: 2,
    run: (workload, told, handle) => workload.onEntries(handle, 1 + workload.below(2), (ids) => workload.forget(told, ids)),
  },
  {
    weight: 2,
    run: (workload, told, handle) =>
      workload.onEntries(handle, 1, ([id = ""]) => told.update(id, workload.statement(handle).text), true),
  },
  {
    weight: 1,
    run: (workload, told, handle) => workload.onEntries(handle, 1, ([id = ""]) => told.memory.pin(id as EntryId), true),
  },
  {
    weight: 3,
    run: (workload, told) => told.memory.recall(`Where is the ${workload.one(THINGS)}?`, { deadlineMs: 60_000 }),
  },
  { weight: 0.3, run: (workload, told) => workload.attach(told) },
  { weight: 0.2, run: (_, told) => told.memory.rebuild() },
];

export class Workload {
  readonly #parts: WorkloadParts;
  /** Entries that a handle may change, each free for one act at a time; only the handle that made an entry takes it. */
  readonly #free = new Map<number, string[]>();
  /** Statements that may be said again, and those that an entry comes from. */
  readonly #said = new Map<string, SaidTurn>();
  readonly #turnsOf = new Map<string, readonly string[]>();
  #count = 0;

  constructor(parts: WorkloadParts) {
    this.#parts = parts;
    const { told, order } = parts;
    // What earlier lives left behind is shared out.
    order.ledger.entries.forEach(({ id }, at) => {
      const owner = at % (told.length * 2);
      if (owner >= told.length * order.place && owner < told.length * (order.place + 1))
        this.#freed(owner - told.length * order.place).push(id);
    });
  }

  /** Until the end of the process. */
  async run(): Promise<never> {
    const [first] = this.#parts.told;
    for (const act of this.#parts.unheard) if (act.type === "record" && first) await first.record(act.turns);
    await Promise.all(this.#parts.told.map((told, handle) => this.#busy(told, handle)));
    throw new Error("a workload has no end");
  }

  async #busy(told: ToldMemory, handle: number): Promise<never> {
    for (;;) {
      if (handle === 0 && this.#parts.told.length > 1 && this.#parts.random() < 0.1) await this.#inBoth();
      let at = this.#parts.random() * WORKS.reduce((sum, { weight }) => sum + weight, 0);
      const work = WORKS.find(({ weight }) => (at -= weight) < 0);
      await work?.run(this, told, handle);
    }
  }

  below(count: number): number {
    return Math.floor(this.#parts.random() * count);
  }

  one<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  statement(handle: number): SaidTurn {
    const { life, place } = this.#parts.order;
    const code = `${life}-${place}-${handle}-${this.#count++}`;
    return {
      id: `turn ${code}`,
      conversationId: `conversation ${place} ${handle} ${this.below(CONVERSATIONS)}`,
      text: `I keep the ${this.one(THINGS)} number ${code} in the ${this.one(PLACES)} behind box ${this.below(1_000)}.`,
      isStatement: true,
    };
  }

  reply({ id, conversationId }: SaidTurn): SaidTurn {
    return { id: `${id} reply`, conversationId, text: `All right, I have put down ${id}.`, isStatement: false };
  }

  async record(told: ToldMemory, handle: number, turns: readonly SaidTurn[]): Promise<void> {
    const { stored } = await told.record(turns);
    for (const { id, sources } of stored) {
      this.#turnsOf.set(
        id,
        sources.map(({ turnId }) => turnId),
      );
      this.#freed(handle).push(id);
    }
    for (const turn of turns) if (turn.isStatement) this.#said.set(turn.id, turn);
  }

  async forget(told: ToldMemory, ids: readonly string[]): Promise<void> {
    // What is forgotten must not be said again: it would be there again, and rightly so.
    for (const id of ids) for (const turnId of this.#turnsOf.get(id) ?? []) this.#said.delete(turnId);
    await told.forget(ids);
  }

  /** What was recorded before, as from an app that is not sure. */
  async repeat(told: ToldMemory, handle: number): Promise<void> {
    const turn = this.one([...this.#said.values()]);
    if (turn?.conversationId.startsWith(`conversation ${this.#parts.order.place} ${handle} `))
      await told.memory.conversation(turn.conversationId).record({ messages: [{ id: turn.id, role: "user", text: turn.text }] });
  }

  /** @param back whether the entries are still there afterwards */
  async onEntries(handle: number, count: number, task: (ids: string[]) => Promise<unknown>, back = false): Promise<void> {
    const free = this.#freed(handle);
    const ids = Array.from({ length: count }, () => free.splice(this.below(free.length), 1)).flat();
    if (ids.length === 0) return;
    try {
      await task(ids);
      if (back) free.push(...ids);
    } catch (error) {
      // Evicted meanwhile.
      if (!isMemoryError(error, "not-found")) throw error;
    }
  }

  async attach({ memory }: ToldMemory): Promise<void> {
    const { embedder } = await memory.stats();
    const next = embedder.id === letterEmbedder.id ? { ...letterEmbedder, id: "letters again" } : letterEmbedder;
    await memory.attach({ embedder: next });
  }

  /** The same message from two tabs at once. */
  async #inBoth(): Promise<void> {
    const turn = this.statement(0);
    const [first, ...others] = this.#parts.told;
    if (!first) return;
    await Promise.all([
      this.record(first, 0, [turn]),
      ...others.map((told) =>
        told.memory.conversation(turn.conversationId).record({ messages: [{ id: turn.id, role: "user", text: turn.text }] }),
      ),
    ]);
  }

  #freed(handle: number): string[] {
    const free = this.#free.get(handle) ?? [];
    this.#free.set(handle, free);
    return free;
  }
}
