/** What a memory is busy with when its process is killed: everything that writes, in an order that the seed gives. */

import { isMemoryError } from "../../../src/errors.js";
import type { Memory } from "../../../src/memory-handle.js";
import type { EntryId } from "../../../src/types.js";
import { letterEmbedder } from "../../memory/letters.js";
import type { Act, SaidTurn } from "../ledger.js";
import type { ToldMemory } from "../told-memory.js";
import type { LifeOrder } from "./life.js";
import { FOREIGN_KNOWLEDGE, scriptedConsolidator } from "./scripted-consolidator.js";
import { backupOf, chatOf, throughBackup } from "./transfers.js";

export interface WorkloadParts {
  readonly order: LifeOrder;
  readonly told: readonly ToldMemory[];
  readonly random: () => number;
  /** Acts of the life before that nobody heard the end of. */
  readonly unheard: readonly Act[];
  /** Brings what only grows under small caps, step by step, as a handle does in idle time. */
  readonly compact: () => Promise<void>;
}

const PLACES = ["attic", "cellar", "garage", "pantry", "office", "hallway", "shed", "kitchen", "loft", "library"];
const THINGS = ["violin", "ladder", "passport", "camera", "kettle", "atlas", "compass", "quilt", "lantern", "toolbox"];
const LONG_HISTORY = { least: 60, most: 240 };
const CHAT = { least: 10, most: 60 };
const BACKUP = { least: 20, most: 160 };
/** Batches of one call: what an old database holds would keep a life busy to its end. */
const BATCHES = 3;
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
  { weight: 0.7, run: (workload, told, handle) => workload.importChat(told, handle) },
  { weight: 0.5, run: (workload, told, handle) => workload.restore(told, handle) },
  { weight: 0.4, run: (workload, told) => workload.throughBackup(told) },
  { weight: 0.5, run: (workload) => workload.compact() },
  { weight: 1, run: (_, told) => told.consolidate() },
  { weight: 1.5, run: (workload, told) => workload.consolidateByEngine(told) },
  { weight: 0.3, run: (_, { memory }) => memory.knowledge.import(FOREIGN_KNOWLEDGE) },
  { weight: 0.3, run: (workload, { memory }) => workload.lookUp(memory) },
];

export class Workload {
  readonly #parts: WorkloadParts;
  /** Entries that a handle may change, each free for one act at a time; only the handle that made an entry takes it. */
  readonly #free = new Map<number, string[]>();
  /** Statements that may be said again, and those that an entry comes from. */
  readonly #said = new Map<string, SaidTurn>();
  readonly #turnsOf = new Map<string, readonly string[]>();
  #count = 0;
  #backup: Blob | undefined;

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
    for (const act of this.#parts.unheard) if (first) await this.#again(act, first);
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
    const { place } = this.#parts.order;
    const code = this.#code(handle);
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

  async importChat(told: ToldMemory, handle: number): Promise<void> {
    const { file, turns } = chatOf(this.#code(handle), this.#texts(handle, CHAT));
    await told.import(file, turns);
  }

  async restore(told: ToldMemory, handle: number): Promise<void> {
    const { life, place } = this.#parts.order;
    const code = [life, place, handle].join("") + String(this.#count++).padStart(6, "0");
    const { file, turns, entries } = await backupOf(code, this.#texts(handle, BACKUP));
    await told.import(file, turns, entries);
  }

  async throughBackup(told: ToldMemory): Promise<void> {
    this.#backup = await throughBackup(told, this.#backup);
  }

  async consolidateByEngine(told: ToldMemory): Promise<void> {
    await told.consolidate({ consolidator: scriptedConsolidator(this.#parts.random), optedIn: true, maxBatches: BATCHES });
  }

  async lookUp({ knowledge }: Memory): Promise<void> {
    const { nodes } = await knowledge.nodes();
    const node = this.one(nodes);
    if (node) await knowledge.neighbours(node.id);
  }

  compact(): Promise<void> {
    // Of what was evicted only the journal tells.
    return this.#parts.order.evicts ? Promise.resolve() : this.#parts.compact();
  }

  /** An app that heard nothing of a message, or of the end of an import, begins it again. */
  async #again(act: Act, told: ToldMemory): Promise<void> {
    if (act.type === "record") await told.record(act.turns);
    if (act.type !== "import" || act.entries.length > 0) return;
    const name = act.turns[0]?.conversationId.slice("messages:".length) ?? "";
    const texts = act.turns.map(({ text }) => text);
    await told.import(chatOf(name, texts).file, act.turns);
  }

  #texts(handle: number, { least, most }: { readonly least: number; readonly most: number }): string[] {
    return Array.from({ length: least + this.below(most - least) }, () => this.statement(handle).text);
  }

  #code(handle: number): string {
    const { life, place } = this.#parts.order;
    return `${life}-${place}-${handle}-${this.#count++}`;
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
