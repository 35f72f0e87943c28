/** Writes entries that the disk has damaged anew, from the turns that they came from, and names what is lost. */

import { ENTRY_OTHERS, type Is, isEntry } from "../backup/shapes.js";
import type { DamagedRows, Store } from "../ports.js";
import { turnsNamedIn } from "../store/damage.js";
import type { Entry, EntryId, Turn } from "../types.js";
import { nextContext } from "../write/context.js";
import { untilSettled } from "./conflict.js";
import type { Degradations } from "./degradations.js";
import type { Follower } from "./follower.js";
import type { Intake } from "./intake.js";
import { withoutSecretsOf } from "./masking.js";
import type { MemoryIndex } from "./memory-index.js";
import { newEntry } from "./recorder.js";
import type { NewEntry } from "./relatives.js";

type DamagedEntry = Extract<DamagedRows, { kind: "entry" }>;

/** Turns read at a time. */
const PAGE = 500;
/** Turns before a turn that it is read with. */
const RECENT_TURNS = 12;

export interface EntryRepairParts {
  readonly store: Store;
  readonly index: () => MemoryIndex;
  readonly follower: Follower;
  readonly intake: Intake;
  readonly degradations: Degradations;
  readonly newId: () => string;
}

export class EntryRepair {
  readonly #parts: EntryRepairParts;
  /** What was named already; the store names it until it is made good. */
  readonly #told = new Set<string>();

  constructor(parts: EntryRepairParts) {
    this.#parts = parts;
  }

  /** Looks at what reads came upon since the last time. Only inside the write queue, and level with the store. What has no turns
   * any more stays where it is, unread. */
  async mend(signal?: AbortSignal): Promise<void> {
    const { store, degradations } = this.#parts;
    const found = [...(await store.damaged()), ...this.#foreign()];
    const fresh = found.filter((rows) => rows.kind !== "vectors" && !this.#told.has(`${rows.kind} ${rows.id}`));
    if (fresh.some(({ kind }) => kind === "entry")) await this.#dropGhosts();
    let isAllMended = fresh.length > 0;
    for (const rows of fresh) {
      if (rows.kind === "vectors") continue;
      this.#told.add(`${rows.kind} ${rows.id}`);
      if (rows.kind === "entry" && (await this.#mendEntry(rows, signal))) continue;
      isAllMended = false;
      if (rows.kind === "turn") degradations.tell("turns", `${rows.reason}; it is left out`);
      else degradations.tell("entries", `${rows.reason}; no turn of it is left, so it stays unread`);
    }
    // What a run of entries leaves behind has no id by which a write could take its place.
    if (isAllMended && fresh.some((rows) => rows.kind === "entry" && rows.isRun)) await store.dropDamaged();
  }

  /** What is stored and is no entry by its shape: another program or version wrote it. */
  #foreign(): DamagedEntry[] {
    return [...this.#parts.index().aside.values()].map((entry) => ({
      kind: "entry",
      id: entry.id,
      turnIds: turnsNamedIn(entry),
      reason: `the entry ${entry.id} is not of the shape that entries have`,
    }));
  }

  /** What was damaged after it was loaded is still in the indexes, where it hides that it must be written anew, and would be asked of
   * the store in vain. */
  async #dropGhosts(): Promise<void> {
    const index = this.#parts.index();
    const ids = [...index.table].map(({ id }) => id);
    const stored = await this.#parts.store.entries(ids);
    for (const [at, id] of ids.entries()) if (!stored[at]) index.remove(id);
  }

  /** @returns whether it is made good */
  #mendEntry(damaged: DamagedEntry, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, follower, degradations } = this.#parts;
    return untilSettled(
      async () => {
        // What another handle writes meanwhile may make it good, or forget what it was said with.
        const expectStore = await store.revision();
        const [stored] = damaged.isRun ? [] : await store.entries([damaged.id]);
        if (isEntry(stored)) return true;
        const trimmed = withoutForeign(stored);
        if (trimmed) {
          await follower.committed(await store.write({ entries: [trimmed], expectStore }, { signal }), new Map(), []);
          degradations.tell("entries", `${damaged.reason}; what is not was left out of it`);
          return true;
        }
        const entries: NewEntry[] = [];
        for (const turn of await this.#turnsOf(damaged)) entries.push(...(await this.#entriesOf(turn, signal)));
        const [first, ...others] = entries;
        if (!first) return false;
        // It takes the place of the damaged one, unless that was many.
        const rebuilt = damaged.isRun ? entries : [{ ...first, id: damaged.id }, ...others];
        const commit = await store.write({ entries: rebuilt, expectStore }, { signal });
        await follower.committed(commit, new Map(), []);
        degradations.tell("entries", `${damaged.reason}; it was written anew from what was said`);
        return true;
      },
      () => follower.catchUp(),
    );
  }

  /** The turns it came from, by its own word; else those of its time that no entry comes from. */
  async #turnsOf(damaged: DamagedEntry): Promise<Turn[]> {
    const { store } = this.#parts;
    const named = (await store.turns(damaged.turnIds)).filter((turn) => turn !== undefined);
    if (named.length > 0) return named;
    const { after, before } = await this.#span(damaged.id);
    const cited = new Set([...this.#parts.index().table].flatMap(({ sources }) => sources.map(({ turnId }) => turnId)));
    const left: Turn[] = [];
    for (let last = after; ; ) {
      const page = await store.listTurns({ after: last, limit: PAGE });
      left.push(...page.filter(({ id, sequence }) => sequence < before && !cited.has(id)));
      last = page.at(-1)?.sequence ?? before;
      if (page.length < PAGE || last >= before) return left;
    }
  }

  /** Between the turns of the entries beside it: ids grow with time. */
  async #span(id: EntryId): Promise<{ readonly after: number; readonly before: number }> {
    const entries = [...this.#parts.index().table];
    const earlier = entries
      .filter((entry) => entry.id < id)
      .reduce<Entry | undefined>((a, b) => (a && a.id > b.id ? a : b), undefined);
    const later = entries
      .filter((entry) => entry.id > id)
      .reduce<Entry | undefined>((a, b) => (a && a.id < b.id ? a : b), undefined);
    const sequences = async (entry: Entry | undefined) =>
      (await this.#parts.store.turns(entry?.sources.map(({ turnId }) => turnId) ?? [])).flatMap((turn) => turn?.sequence ?? []);
    const [after, before] = await Promise.all([sequences(earlier), sequences(later)]);
    return {
      after: after.length > 0 ? Math.min(...after) : -1,
      before: before.length > 0 ? Math.max(...before) : Number.MAX_SAFE_INTEGER,
    };
  }

  async #entriesOf(turn: Turn, signal: AbortSignal | undefined): Promise<NewEntry[]> {
    const { store, intake, index, newId } = this.#parts;
    const { conversationId, sequence } = turn;
    const [recent, following] = await Promise.all([
      store.listTurns({ conversationId, after: sequence, limit: RECENT_TURNS, reverse: true }),
      store.listTurns({ conversationId, after: sequence, limit: 1 }),
    ]);
    const { turns, before } = withoutSecretsOf([turn, ...following], recent.reverse());
    const { taken } = await intake.read(turns.slice(0, 1), before, [], signal);
    const next = turns[1]?.sessionId === turn.sessionId ? turns[1] : undefined;
    const stored = [...index().table].filter(({ sources }) => sources.some(({ turnId }) => turnId === turn.id));
    return taken
      .filter(({ onlyAmends, statement }) => !onlyAmends && !stored.some(({ indexText }) => indexText === statement.indexText))
      .map(({ statement }) => newEntry(statement, turn, newId() as EntryId, turn.recordedAt))
      .map((entry) => (next ? { ...entry, context: { ...entry.context, next: nextContext(next.text) } } : entry));
  }
}

/** The entry without what it need not have and is not of its shape; undefined where it is none then either. */
function withoutForeign(entry: Entry | undefined): Entry | undefined {
  const others: Readonly<Record<string, Is>> = ENTRY_OTHERS;
  const left = Object.entries(entry ?? {}).filter(([key, value]) => !Object.hasOwn(others, key) || others[key]?.(value));
  const trimmed: unknown = Object.fromEntries(left);
  return isEntry(trimmed) ? trimmed : undefined;
}
