/** What can be read of a damaged database, and how a new one is filled with it; the same for every backend. */
import type { RepairReport, SalvagedRow, Store } from "../ports.js";
import type { Entry, Turn, Usage, UserId } from "../types.js";
import { unconsolidated } from "./graph-rows.js";

/** Rows of one user, as far as they read. Vectors are none of them: they are made again from the texts. */
export interface SalvagedUser {
  readonly userId: UserId;
  /** By sequence, ascending. */
  readonly turns: readonly Turn[];
  readonly entries: readonly Entry[];
  readonly usage: readonly { readonly entryId: Entry["id"]; readonly usage: Usage }[];
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Salvaged {
  readonly users: readonly SalvagedUser[];
  /** What could not be read, in words. */
  readonly lost: readonly string[];
}

/** Lines of what was lost that a report has at most. */
const MAX_LOST = 100;
/** Rows written at once. */
const ROWS_PER_WRITE = 500;

/** Collects rows by user, in whatever order they are found. */
export class Salvage {
  readonly #users = new Map<
    UserId,
    { turns: Turn[]; entries: Entry[]; usage: SalvagedUser["usage"][number][]; meta: Map<string, unknown> }
  >();
  readonly #lost: string[] = [];

  user(userId: UserId) {
    let found = this.#users.get(userId);
    if (!found) {
      found = { turns: [], entries: [], usage: [], meta: new Map() };
      this.#users.set(userId, found);
    }
    return found;
  }

  lose(what: string): void {
    if (this.#lost.length < MAX_LOST) this.#lost.push(what);
  }

  get result(): Salvaged {
    const users = [...this.#users].map(([userId, { turns, entries, usage, meta }]): SalvagedUser => {
      const ids = new Set(entries.map(({ id }) => id));
      return {
        userId,
        turns: turns.sort((one, other) => one.sequence - other.sequence),
        entries,
        usage: usage.filter(({ entryId }) => ids.has(entryId)),
        meta: Object.fromEntries(meta),
      };
    });
    return { users, lost: this.#lost };
  }
}

/** Writes everything into stores that are empty. */
export async function refill(open: (userId: UserId) => Promise<Store>, { users }: Salvaged): Promise<void> {
  for (const { userId, turns, entries, usage, meta } of users) {
    const store = await open(userId);
    try {
      for (let from = 0; from < turns.length; from += ROWS_PER_WRITE)
        await store.write({ turns: turns.slice(from, from + ROWS_PER_WRITE) });
      for (let from = 0; from < entries.length; from += ROWS_PER_WRITE)
        // The graph is not salvaged: it is made anew from them.
        await store.write({ entries: entries.slice(from, from + ROWS_PER_WRITE).map(unconsolidated) });
      await store.write({ usage, meta });
    } finally {
      await store.close();
    }
  }
}

export function reportOf({ users, lost }: Salvaged): RepairReport {
  return {
    users: users.map(({ userId, turns, entries }) => ({ userId, turns: turns.length, entries: entries.length })),
    lost,
  };
}

/** Turns first, in their order. */
export function rowsOfUser({ users }: Salvaged, userId: UserId): readonly SalvagedRow[] {
  const found = users.find((user) => user.userId === userId);
  if (!found) return [];
  return [
    ...found.turns.map((turn): SalvagedRow => ({ kind: "turn", turn })),
    ...found.entries.map((entry): SalvagedRow => ({ kind: "entry", entry })),
  ];
}
