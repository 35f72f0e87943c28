/** What `openMemory` takes, its defaults, and the checks at the door. */

import type { BackendOptions } from "./backend.js";
import type { ConnectableEmbedder, ConnectableSlm, EmbedderProvider, LoadOptions, SlmProvider, Tokenizer } from "./ports.js";
import type { RoleGiving, UserId } from "./types.js";

export interface MemoryOptions {
  /** Names the database; one origin may hold several. */
  readonly name: string;
  /** Whose memory it is; a handle sees no other user's rows. */
  readonly userId: string;
  /** The static embedder of the package by default, which downloads nothing more. */
  readonly embedder?: ConnectableEmbedder | EmbedderProvider;
  /** A small model that may plan, select and write. It loads in the background: the memory answers at once with its lite roles, "progress"
   * events tell how far the model is, and where it cannot be had a "degraded" event says why. None by default. */
  readonly slm?: ConnectableSlm | SlmProvider;
  /** How the model comes to its roles. "exam" (default): the bundled exam of some seconds compares it with the lite roles, in idle time
   * and once for each model, and gives it what it does better; "exam-anew" holds it again; or the app names the roles itself, without
   * an exam. See `stats().roles`. */
  readonly slmRoles?: RoleGiving;
  /** At most this many memories a recall, 1 to 100; default 20. `contextTokens` binds first: filling 700 tokens finds
   * more than a fixed ten (.835 against .79 of the evidence on LoCoMo). 10 under plan "paper". */
  readonly k?: number;
  /** At most this many tokens a recalled block, 50 to 100,000; default 700. */
  readonly contextTokens?: number;
  /** Budget of the short-term memory in tokens, 0 to 1,000,000; default 2,000. */
  readonly stmTokens?: number;
  /** Milliseconds that a recall may take before it returns what it has, 1 to 60,000; default 150 (LightMem's P95: 167). */
  readonly deadlineMs?: number;
  /** Entries kept per user, 100 to 1,000,000; default 10,000 (LightMem's cap). */
  readonly capacity?: number;
  /** IANA name of the zone in which relative times are read; the platform's by default. */
  readonly timeZone?: string;
  /** Counts the tokens of a block; an estimate near o200k by default. A function cannot cross into the worker, so this
   * needs `worker: false`. */
  readonly tokenizer?: Tokenizer;
  /** "paper" fuses by reciprocal rank with 2K/n candidates a query, as LightMem has it; for comparison. */
  readonly plan?: "keepsake" | "paper";
  /** Runs the memory in a worker of its own; true by default where there are workers. */
  readonly worker?: boolean;
  /** Makes the memory worker, for bundlers without worker support, other origins or a strict CSP. */
  readonly createWorker?: () => Worker;
  /** Asks the browser, after the first record, never to evict what is stored; true by default. Firefox asks the person then, so
   * an app that asks at a moment of its own (`navigator.storage.persist()`) passes false. */
  readonly persist?: boolean;
  /** Folder URL that holds `kernel.wasm` and `embeddings.bin`; beside the scripts by default. */
  readonly assetBase?: string | URL;
  /** Vectors above which nearest-neighbour searches (plan "paper") use an approximate index (hnswlib-wasm) where it can be
   * loaded; default 15,000. The default plan scores every entry and always scans. */
  readonly hnswThreshold?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: LoadOptions["onProgress"];
}

/** @throws TypeError or RangeError that names the option */
export function settle(options: MemoryOptions): BackendOptions {
  if (typeof options !== "object" || options === null) throw new TypeError("openMemory takes an options object");
  const plan = options.plan ?? "keepsake";
  if (plan !== "keepsake" && plan !== "paper") throw new TypeError(`plan is "keepsake" or "paper", not ${String(plan)}`);
  return {
    name: text("name", options.name),
    userId: text("userId", options.userId) as UserId,
    k: count("k", options.k ?? (plan === "paper" ? 10 : 20), 1, 100),
    contextTokens: count("contextTokens", options.contextTokens ?? 700, 50, 100_000),
    stmTokens: count("stmTokens", options.stmTokens ?? 2_000, 0, 1_000_000),
    deadlineMs: count("deadlineMs", options.deadlineMs ?? 150, 1, 60_000),
    capacity: count("capacity", options.capacity ?? 10_000, 100, 1_000_000),
    timeZone: zone(options.timeZone),
    plan,
    hnswThreshold: count("hnswThreshold", options.hnswThreshold ?? 15_000, 0, Number.MAX_SAFE_INTEGER),
    ...(options.assetBase !== undefined && { assetBase: folder(options.assetBase) }),
  };
}

/** @throws TypeError | RangeError */
export function count(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new TypeError(`${name} is a whole number, not ${String(value)}`);
  if (value < least || value > most) throw new RangeError(`${name} is ${least} to ${most}, not ${value}`);
  return value;
}

/** @throws TypeError */
export function text(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} is a string that is not empty`);
  return value;
}

function zone(timeZone: string | undefined): string {
  if (timeZone === undefined) return Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return timeZone;
  } catch (cause) {
    throw new RangeError(`timeZone "${timeZone}" is not an IANA name such as "Europe/Berlin"`, { cause });
  }
}

function folder(base: string | URL): string {
  const page =
    (globalThis as { readonly document?: { readonly baseURI: string } }).document?.baseURI ?? globalThis.location?.href;
  const { href } = new URL(base, page);
  return href.endsWith("/") ? href : `${href}/`;
}
