/** What can be read of a damaged database, and how a new one is filled with it; the same for every backend. */
import type { RepairReport, SalvagedRow, Store, StoreWrite } from "../ports.js";
import type { Entry, EntryId, Turn, TurnId, Usage, UserId } from "../types.js";
import { checkWrite } from "./checks.js";
import { filledEntry, filledTurn } from "./filled-rows.js";
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

/** Collects rows by user, in whatever order they are found. What is kept here can be written again. */
export class Salvage {
  readonly #users = new Map<UserId, CollectedUser>();
  readonly #lost: string[] = [];

  keepTurn(userId: UserId, given: Turn): void {
    const turn = filledTurn(given);
    const { turns } = this.#user(userId);
    if (turns.has(turn.id)) this.lose(`the turn ${turn.id} is there twice; the one that was found first is kept`);
    else if (this.#canBeWritten({ turns: [turn] })) turns.set(turn.id, turn);
  }

  keepEntry(userId: UserId, given: Entry): void {
    const entry = filledEntry(given);
    const { entries } = this.#user(userId);
    const found = entries.get(entry.id);
    if (found) this.lose(`the entry ${entry.id} is there twice; the newer one is kept`);
    if (found && found.revision >= entry.revision) return;
    if (this.#canBeWritten({ entries: [entry] })) entries.set(entry.id, entry);
  }

  keepUsage(userId: UserId, entryId: EntryId, usage: Usage): void {
    this.#user(userId).usage.set(entryId, usage);
  }

  keepMeta(userId: UserId, key: string, value: unknown): void {
    if (this.#canBeWritten({ meta: { [key]: value } })) this.#user(userId).meta.set(key, value);
  }

  lose(what: string): void {
    if (this.#lost.length < MAX_LOST) this.#lost.push(what);
  }

  get result(): Salvaged {
    const users = [...this.#users].map(
      ([userId, { turns, entries, usage, meta }]): SalvagedUser => ({
        userId,
        turns: [...turns.values()].sort((one, other) => one.sequence - other.sequence),
        entries: [...entries.values()],
        usage: [...usage].filter(([entryId]) => entries.has(entryId)).map(([entryId, of]) => ({ entryId, usage: of })),
        meta: Object.fromEntries(meta),
      }),
    );
    return { users, lost: this.#lost };
  }

  #user(userId: UserId): CollectedUser {
    let found = this.#users.get(userId);
    if (!found) {
      found = { turns: new Map(), entries: new Map(), usage: new Map(), meta: new Map() };
      this.#users.set(userId, found);
    }
    return found;
  }

  /** One row that no store would take must not keep the others from being written. */
  #canBeWritten(row: StoreWrite): boolean {
    try {
      checkWrite(row);
      return true;
    } catch (error) {
      this.lose(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
}

interface CollectedUser {
  readonly turns: Map<TurnId, Turn>;
  readonly entries: Map<EntryId, Entry>;
  readonly usage: Map<EntryId, Usage>;
  readonly meta: Map<string, unknown>;
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
