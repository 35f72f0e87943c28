/** One life of a process that will be killed: it opens the memory, checks it, and works until its end. */

import { seeded } from "../../../bench/random.js";
import type { Memory } from "../../../src/memory-handle.js";
import type { ConnectableEmbedder, Store } from "../../../src/ports.js";
import { letterEmbedder } from "../../memory/letters.js";
import { checkMemory, checkStore, type Violation } from "../invariants.js";
import { type Act, Ledger, type Outcome, type PlainLedger } from "../ledger.js";
import { ToldMemory } from "../told-memory.js";
import { ledgerOf, type OldRows, oldRows } from "./old-rows.js";
import { isTaught } from "./scripted-consolidator.js";
import { Workload } from "./workload.js";

/** What a life is told when it begins; JSON. */
export interface LifeOrder {
  readonly life: number;
  readonly seed: number;
  readonly database: string;
  /** Handles that work side by side in this process. */
  readonly handles: number;
  /** Which process of its time this is: only the first one checks. */
  readonly place: number;
  readonly capacity: number;
  /** Whether entries may go because of the capacity. */
  readonly evicts: boolean;
  readonly embedder: "static" | "letters";
  readonly ledger: PlainLedger;
  readonly task: LifeTask;
}

export type LifeTask =
  /** Opens, checks, and works until it is killed. */
  | { readonly type: "work" }
  /** Ends by itself when it has opened and, unless only the time counts, checked. */
  | { readonly type: "open"; readonly checks: boolean }
  /** Makes a database of the first version, or one of this version, with this many entries, and ends by itself. */
  | { readonly type: "make"; readonly version: "first" | "this"; readonly entries: number };

/** What a life tells, each before it does the next thing; JSON. */
export type LifeMessage =
  | { readonly type: "begun"; readonly number: number; readonly act: Act }
  | { readonly type: "done"; readonly number: number; readonly outcome: Outcome }
  | {
      readonly type: "checked";
      readonly violations: readonly Violation[];
      /** With its open acts settled by what is stored. */
      readonly ledger: PlainLedger;
      /** Until the memory was open. */
      readonly openMs: number;
    }
  /** Something failed that no kill explains. */
  | { readonly type: "failed"; readonly what: string };

/** What a process lends to its life. */
export interface LifeHost {
  readonly openMemory: (options: {
    readonly name: string;
    readonly userId: string;
    readonly capacity: number;
    readonly embedder?: ConnectableEmbedder;
  }) => Promise<Memory>;
  readonly openStore: (name: string, userId: string) => Promise<Store>;
  readonly makeOld: (name: string, rows: OldRows) => Promise<void> | void;
  /** Resolves when the message is out of this process. */
  readonly tell: (message: LifeMessage) => Promise<void> | void;
}

const USER = "me";
/** Entries that are sought by their words after each kill. */
const SAMPLE = 10;
const FILLED_AT_ONCE = 1_000;
/** More than what two handles write while one act waits for its answer. */
const SMALL_CAPS = { journalRecords: 200 };
/** A turn number that no other life, and no other process of it, gives. */
const NUMBERS_A_LIFE = 1_000_000;

export async function live(order: LifeOrder, host: LifeHost): Promise<void> {
  try {
    await work(order, host);
  } catch (error) {
    await host.tell({ type: "failed", what: error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error) });
  }
}

async function work(order: LifeOrder, host: LifeHost): Promise<void> {
  const { openMemory, openStore, makeOld, tell } = host;
  const { task } = order;
  if (task.type === "make" && task.version === "first") {
    const rows = oldRows(task.entries);
    await makeOld(order.database, rows);
    return tell({ type: "checked", violations: [], ledger: ledgerOf(rows).toPlain(), openMs: 0 });
  }
  const random = seeded(order.seed);
  const options = {
    name: order.database,
    userId: USER,
    capacity: order.capacity,
    ...(order.embedder === "letters" && { embedder: letterEmbedder }),
  };
  const started = performance.now();
  const first = await openMemory(options);
  const openMs = performance.now() - started;
  const ledger = Ledger.fromPlain(order.ledger);
  const wasOpen = [...ledger.open.values()];
  if (task.type === "make") await fill(first, task.entries);
  if (task.type === "make" || (task.type === "open" && !task.checks)) {
    await first.close();
    return tell({ type: "checked", violations: [], ledger: order.ledger, openMs });
  }
  if (order.place === 0) {
    const store = await openStore(order.database, USER);
    const stored = await checkStore(store, ledger, { evicts: order.evicts, isTaught });
    const known = await checkMemory(first, store, ledger, { sample: SAMPLE, random, waits: task.type === "open" });
    await store.close();
    const { degraded } = await first.stats();
    const violations = withTotalLoss([...stored, ...known], degraded);
    await tell({ type: "checked", violations, ledger: ledger.toPlain(), openMs });
  }
  if (task.type === "open") return first.close();

  let number = (order.life * 8 + order.place) * NUMBERS_A_LIFE;
  const witness = {
    begin: async (act: Act) => {
      const given = number++;
      await tell({ type: "begun", number: given, act });
      return given;
    },
    acknowledge: async (given: number, outcome: Outcome) => tell({ type: "done", number: given, outcome }),
  };
  const memories = [first];
  while (memories.length < order.handles) memories.push(await openMemory(options));
  const told = memories.map((memory) => new ToldMemory(memory, witness));
  // An app that heard nothing of a message sends it again.
  const unheard = order.place === 0 ? wasOpen : [];
  const store = await openStore(order.database, USER);
  const compact = async () => {
    while (!(await store.tidy(SMALL_CAPS)).isDone);
  };
  await new Workload({ order, told, random, unheard, compact }).run();
}

/** Where the browser removed the whole database, one violation that says why, and one of everything that is lost with it. */
export function withTotalLoss(
  violations: readonly Violation[],
  degraded: readonly { readonly reason: string }[],
): readonly Violation[] {
  const told = degraded.find(({ reason }) => reason.includes("held memories and is not there any more"));
  if (!told) return violations;
  const { length } = violations.filter(({ kind }) => kind === "lost");
  const all = { kind: "lost", what: `the whole database, ${length} turns and entries that were acknowledged` } as const;
  return [{ kind: "recreated", what: told.reason }, ...(length > 0 ? [all] : [])];
}

/** What is written only so that there is much of it. */
async function fill(memory: Memory, entries: number): Promise<void> {
  for (let from = 0; from < entries; from += FILLED_AT_ONCE) {
    const texts = oldRows(Math.min(entries, from + FILLED_AT_ONCE)).turns.slice(from);
    await memory
      .conversation(`filled ${from}`)
      .record({ messages: texts.map(({ id, text }) => ({ id, text, role: "user" as const })) });
  }
}
