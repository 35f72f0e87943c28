/** Kills a victim at random moments, over and over, and adds up what was wrong after each kill. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seeded } from "../../../bench/random.js";
import type { Violation } from "../invariants.js";
import { type Act, Ledger } from "../ledger.js";
import type { LifeMessage, LifeOrder, LifeTask } from "./life.js";
import type { Life, Victim } from "./victim.js";

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** What an earlier run with this seed came to; its databases are not played again. */
  readonly before?: Tally | undefined;
  /** Told after each kill, and when a database is done with. */
  readonly onKill?: (tally: Tally) => void;
  readonly onDatabase?: (tally: Tally) => Promise<void>;
  /** Folder for what is stored where something was wrong; it is not kept without one. */
  readonly keepIn?: string | undefined;
}

export interface Tally {
  /** Databases that were played to their end. */
  readonly databases: number;
  readonly kills: number;
  /** Of these, while the memory was still being opened and checked after the kill before. */
  readonly killsWhileOpening: number;
  /** Of these, while an act of a type was under way. */
  readonly killsDuring: Readonly<Partial<Record<Act["type"], number>>>;
  /** Acts that were acknowledged. */
  readonly acts: number;
  readonly violations: readonly (Violation & { readonly after: string })[];
  /** Time to open after each kill, in milliseconds. */
  readonly openMs: readonly number[];
}

/** Kills on one database before the next one: more and more entries would make each check slower than the work. */
const KILLS_A_DATABASE = 20;
const SMALL_CAPACITY = 300;
/** A life ends a random moment after one of its first acts was done: on a slow machine too it has worked before. */
const MOST_ACTS = 16;
const MOMENT_MS = 40;
/** Shares of kills while opening, of lives of several processes, of databases that evict, and of openings with another embedder. */
const OPENING_SHARE = 0.15;
const COMPANY_SHARE = 0.4;
const EVICTING_SHARE = 0.25;
const LETTERS_SHARE = 0.3;
const OLD_SHARE = 0.3;
const OLD_ENTRIES = { least: 200, most: 1_500 };
/** First lives of an old database, most of which end while they open. */
const OLD_LIVES = 4;
/** How long opening and checking may take before it counts as a failure. */
const CHECK_LIMIT_MS = 120_000;
const ACT_LIMIT_MS = 60_000;

export function noTally(): Total {
  return { databases: 0, kills: 0, killsWhileOpening: 0, killsDuring: {}, acts: 0, violations: [], openMs: [] };
}

export async function runKills(victim: Victim, { kills, seed, before, onKill, onDatabase, keepIn }: KillOptions): Promise<Tally> {
  const total: Total = before
    ? { ...before, killsDuring: { ...before.killsDuring }, violations: [...before.violations], openMs: [...before.openMs] }
    : noTally();
  while (total.kills < kills) {
    // Each database has chances of its own, so that one can be played again by itself.
    const random = seeded(seed * 1_000_003 + total.databases);
    const database = new Database(victim, `killed ${seed} ${total.databases}`, random, total);
    await database.begin();
    const most = Math.min(kills, total.kills + KILLS_A_DATABASE);
    while (total.kills < most && database.isWhole) {
      await database.liveAndDie();
      onKill?.(total);
    }
    // What the last kill left.
    if (database.isWhole) await database.live();
    if (!database.isWhole && keepIn !== undefined) await victim.keep(join(keepIn, `${victim.kind} ${seed} ${total.databases}`));
    total.databases += 1;
    await onDatabase?.(total);
  }
  return total;
}

interface Total {
  databases: number;
  kills: number;
  killsWhileOpening: number;
  killsDuring: Partial<Record<Act["type"], number>>;
  acts: number;
  violations: (Violation & { after: string })[];
  openMs: number[];
}

/** What is not left to chance. */
type Fixed = Partial<Pick<LifeOrder, "capacity" | "embedder" | "evicts" | "handles">>;

/** One database, what is known of it outside, and its lives. */
export class Database {
  readonly #victim: Victim;
  readonly #name: string;
  readonly #random: () => number;
  readonly #total: Total;
  readonly #evicts: boolean;
  readonly #fixed: Fixed;
  #ledger = new Ledger();
  #lives = 0;
  #isOld = false;
  /** False after a violation: it would be found again after every further kill. */
  isWhole = true;

  constructor(victim: Victim, name: string, random: () => number, total: Total, fixed: Fixed = {}) {
    this.#victim = victim;
    this.#name = name;
    this.#random = random;
    this.#total = total;
    this.#evicts = random() < EVICTING_SHARE;
    this.#fixed = fixed;
  }

  /** Some databases are of the first version, so that kills meet their move to this one. */
  async begin(): Promise<void> {
    if (this.#random() >= OLD_SHARE) return;
    this.#isOld = true;
    const entries = OLD_ENTRIES.least + Math.floor(this.#random() * (OLD_ENTRIES.most - OLD_ENTRIES.least));
    await this.live({ type: "make", version: "first", entries });
  }

  /** Opens, checks and closes, or does another task that ends by itself.
   * @returns how long it took to open, in milliseconds; undefined when it did not */
  async live(task: LifeTask = { type: "open", checks: true }): Promise<number | undefined> {
    const watch = new Watch();
    const life = await this.#start({ place: 0, task }, watch);
    await this.#checked(watch, life);
    await life.kill();
    return watch.openMs;
  }

  async liveAndDie(): Promise<void> {
    const random = this.#random;
    const watch = new Watch();
    const first = await this.#start({ place: 0 }, watch);
    const lives = [first];
    const isMoving = this.#isOld && this.#lives <= OLD_LIVES;
    if (random() < (isMoving ? 1 - OPENING_SHARE : OPENING_SHARE)) await sleep(random() * (this.#total.openMs.at(-1) ?? 300) * 3);
    else if (await this.#checked(watch, first)) {
      if (this.#victim.processes > 1 && random() < COMPANY_SHARE) lives.push(await this.#start({ place: 1 }, watch));
      const end = await within(ACT_LIMIT_MS, watch.until({ acts: Math.floor(random() * MOST_ACTS) }), first.ended);
      if (end !== undefined) this.#fault(`stopped working: ${end}`);
      await sleep(random() * MOMENT_MS);
    }
    // One after the other, so that one may outlive the other by a little.
    for (const life of random() < 0.5 ? lives : lives.toReversed()) {
      await life.kill();
      if (lives.length > 1) await sleep(random() * MOMENT_MS);
    }
    this.#total.kills += 1;
    if (!watch.isChecked) this.#total.killsWhileOpening += 1;
    else this.#countOpenActs();
  }

  #countOpenActs(): void {
    const { killsDuring } = this.#total;
    const types = new Set([...this.#ledger.open.values()].map(({ type }) => type));
    for (const type of types) killsDuring[type] = (killsDuring[type] ?? 0) + 1;
  }

  async #checked(watch: Watch, life: Life): Promise<boolean> {
    const end = await within(CHECK_LIMIT_MS, watch.until({ acts: 0 }), life.ended);
    if (end !== undefined) this.#fault(`did not open: ${end}`);
    return end === undefined;
  }

  #start({ place, task = { type: "work" } }: { readonly place: number; readonly task?: LifeTask }, watch: Watch): Promise<Life> {
    const random = this.#random;
    const order: LifeOrder = {
      life: this.#lives++,
      seed: Math.floor(random() * 2 ** 32),
      database: this.#name,
      handles: random() < COMPANY_SHARE ? this.#victim.handles : 1,
      place,
      capacity: this.#evicts ? SMALL_CAPACITY : 10_000,
      evicts: this.#evicts,
      embedder: random() < LETTERS_SHARE ? "letters" : "static",
      ledger: this.#ledger.toPlain(),
      task,
      ...this.#fixed,
    };
    return this.#victim.start(order, (message) => {
      this.#hear(message);
      watch.hear(message);
    });
  }

  #hear(message: LifeMessage): void {
    if (message.type === "begun") this.#ledger.begin(message.act, message.number);
    else if (message.type === "done") {
      this.#ledger.acknowledge(message.number, message.outcome);
      this.#total.acts += 1;
    } else if (message.type === "checked") {
      this.#ledger = Ledger.fromPlain(message.ledger);
      this.#total.openMs.push(message.openMs);
      for (const violation of message.violations) this.#violated(violation);
    } else this.#fault(message.what);
  }

  #fault(what: string): void {
    this.#violated({ kind: "inconsistent", what });
  }

  #violated(violation: Violation): void {
    this.isWhole = false;
    this.#total.violations.push({ ...violation, after: `${this.#victim.kind}, kill ${this.#total.kills}, "${this.#name}"` });
  }
}

/** What was heard of the lives that are lived now. */
class Watch {
  isChecked = false;
  openMs: number | undefined;
  #acts = 0;
  #waiting: (() => void) | undefined;

  hear(message: LifeMessage): void {
    if (message.type === "checked") this.openMs = message.openMs;
    this.isChecked ||= message.type === "checked";
    if (message.type === "done") this.#acts += 1;
    this.#waiting?.();
  }

  /** Resolves when the memory was checked and this many acts were done since. */
  until({ acts }: { readonly acts: number }): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = () => {
        if (this.isChecked && this.#acts >= acts) resolve();
      };
      this.#waiting();
    });
  }
}

/** @returns undefined when it happened, else why it will not */
async function within(limitMs: number, happened: Promise<void>, ended: Promise<string>): Promise<string | undefined> {
  const limit = new AbortController();
  const late = sleep(limitMs, `nothing within ${limitMs / 1_000} s`, { signal: limit.signal }).catch(() => "");
  const end = await Promise.race([happened, ended, late]);
  limit.abort();
  return end ?? undefined;
}
