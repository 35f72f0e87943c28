/** Keeps the IndexedDB store small, one short transaction at a time: the journal under its cap, segments and blocks without
 * holes. Nothing that a read shows changes, so nothing is journaled. */
import { unwrap } from "idb";
import type { CallOptions, StoreCaps } from "../../ports.js";
import type { EntryId, UserId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import type { EntryRow, ReadTransaction, SpaceState, WriteTransaction } from "../schema.js";
import { isSoundSegment, ROWS_PER_SEGMENT } from "../segments.js";
import type { Connection } from "./connection.js";
import { ENTRIES_PER_BLOCK, EntryBlocks } from "./entries.js";
import { withPrefix } from "./ranges.js";
import { blockRows, entryRow, readState } from "./rows.js";
import { SoundRows } from "./sound-rows.js";
import { changeVectors } from "./vectors.js";

/** Journal records that go in one step. */
const RECORDS_PER_STEP = 1_000;
/** Share of rows that are not holes below which segments are looked through, and below which one is emptied. */
const DENSE = 0.75;
const SPARSE = 0.5;
/** Segments looked at in one step, and blocks that are joined in one. */
const SEGMENTS_PER_STEP = 8;
const BLOCKS_PER_STEP = 16;

export interface TidyParts {
  readonly connection: Connection;
  readonly userId: UserId;
  readonly log: DamageLog;
}

/** One step; what it does is seen from the rows alone, so a kill between two steps loses nothing. */
export class Tidying {
  readonly #parts: TidyParts;
  /** Where the search for sparse segments goes on. */
  #after: readonly [space: number, segment: number] = [-1, -1];

  constructor(parts: TidyParts) {
    this.#parts = parts;
  }

  async step(caps: StoreCaps, { signal }: CallOptions = {}): Promise<{ readonly isDone: boolean }> {
    if (await this.#trimJournal(caps.journalRecords, signal)) return { isDone: false };
    if (await this.#joinBlocks(signal)) return { isDone: false };
    return { isDone: !(await this.#emptySparse(signal)) };
  }

  async #trimJournal(cap: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { connection, userId } = this.#parts;
    return connection.run(
      "readwrite",
      ["users", "journal"],
      async (transaction) => {
        const journal = transaction.objectStore("journal");
        const [{ revision }, [oldest]] = await Promise.all([
          readState(transaction, userId),
          journal.getAllKeys(withPrefix(userId), 1),
        ]);
        const last = revision - cap;
        if (!oldest || oldest[1] > last) return false;
        const to = Math.min(last, oldest[1] + RECORDS_PER_STEP - 1);
        unwrap(journal).delete(IDBKeyRange.bound(oldest, [userId, to]));
        return to < last;
      },
      { signal, durable: false },
    );
  }

  /** Blocks that lost most of their entries become full ones, sixteen at a time. */
  async #joinBlocks(signal: AbortSignal | undefined): Promise<boolean> {
    const { connection, userId, log } = this.#parts;
    return connection.run(
      "readwrite",
      ["users", "entries"],
      async (transaction) => {
        const store = transaction.objectStore("entries");
        const [state, keys] = await Promise.all([readState(transaction, userId), store.getAllKeys(withPrefix(userId))]);
        if (keys.length <= 2 * Math.ceil(state.entries / ENTRIES_PER_BLOCK) + 1) return false;
        for (let from = 0; from < keys.length; from += BLOCKS_PER_STEP) {
          const group = keys.slice(from, from + BLOCKS_PER_STEP);
          const blocks = await Promise.all(group.map((key) => store.get(key)));
          const contents = blocks.map((block, at) => blockRows(block, group[at]?.[1] ?? "", log));
          const rows = contents.flatMap(({ sound }) => sound);
          const needed = Math.max(1, Math.ceil(rows.length / ENTRIES_PER_BLOCK));
          const isWhole = contents.every(({ damaged, sound }) => damaged.length === 0 && sound.length > 0);
          if (!isWhole || group.length < 2 * needed) continue;
          for (const key of group) unwrap(store).delete(key);
          for (let at = 0; at < rows.length; at += ENTRIES_PER_BLOCK) {
            const part = rows.slice(at, at + ENTRIES_PER_BLOCK);
            const first = at === 0 ? (group[0]?.[1] ?? "") : (part[0] as EntryRow).id;
            unwrap(store).put({ first, rows: part }, [userId, first]);
          }
          return true;
        }
        return false;
      },
      { signal, durable: false },
    );
  }

  /** @returns whether there is more to look at */
  async #emptySparse(signal: AbortSignal | undefined): Promise<boolean> {
    const { connection } = this.#parts;
    const found = await connection.run("readonly", ["users", "vectorSegments"], (transaction) => this.#nextSparse(transaction), {
      signal,
    });
    if (!found) {
      this.#after = [-1, -1];
      return false;
    }
    this.#after = found.after;
    if (found.sparse === undefined) return true;
    const { space, segment } = found.sparse;
    await connection.run(
      "readwrite",
      ["users", "entries", "vectorSegments", "vectorTail"],
      (transaction) => moveRows(transaction, this.#parts, space, segment),
      { signal, durable: false },
    );
    return true;
  }

  async #nextSparse(transaction: ReadTransaction): Promise<
    | {
        readonly after: readonly [space: number, segment: number];
        readonly sparse?: { readonly space: number; readonly segment: number };
      }
    | undefined
  > {
    const { userId } = this.#parts;
    const store = transaction.objectStore("vectorSegments");
    const { spaces } = await readState(transaction, userId);
    for (const space of [...spaces].sort((one, other) => one.number - other.number)) {
      if (space.number < this.#after[0]) continue;
      const all = await store.getAllKeys(withPrefix(userId, space.number));
      if (all.length === 0 || space.rows >= DENSE * (all.length * ROWS_PER_SEGMENT + (space.next % ROWS_PER_SEGMENT))) continue;
      const from = space.number === this.#after[0] ? this.#after[1] : -1;
      const keys = all.filter(([, , segment]) => segment > from).slice(0, SEGMENTS_PER_STEP);
      let after = from;
      for (const key of keys) {
        after = key[2];
        const sealed = await store.get(key);
        if (!sealed || !isSoundSegment(sealed, space.dimension)) continue;
        const live = sealed.entryIds.filter((id) => id !== "").length;
        if (live <= SPARSE * ROWS_PER_SEGMENT)
          return { after: [space.number, after], sparse: { space: space.number, segment: after } };
      }
      if (keys.length > 0) return { after: [space.number, after] };
    }
    return undefined;
  }
}

/** Appends the vectors of every entry that has rows in a segment, so that the segment goes. */
async function moveRows(
  transaction: WriteTransaction,
  { userId, log }: TidyParts,
  number: number,
  segment: number,
): Promise<void> {
  const state = await readState(transaction, userId);
  const space = state.spaces.find((known) => known.number === number);
  const sealed = space && (await transaction.objectStore("vectorSegments").get([userId, number, segment]));
  if (!space || !sealed || !isSoundSegment(sealed, space.dimension)) return;
  const ids = [...new Set(sealed.entryIds)].filter((id): id is EntryId => id !== "");
  const blocks = new EntryBlocks(transaction, userId, log);
  const entries = await blocks.find(ids);
  const placed = [...entries.values()].flatMap((row) => {
    const range = row.ranges.find((one) => one.space === number);
    return range ? [{ row, range }] : [];
  });
  const rows = await SoundRows.of(
    transaction,
    { userId, space },
    placed.map(({ range }) => range),
  );
  // What has lost a row is left for whoever embeds it again.
  const whole = placed.flatMap(({ row, range }) => {
    const vectors = rows.of(row.id, range);
    return vectors ? [{ row, range, vectors }] : [];
  });
  const { spaces, ranges } = await changeVectors(
    transaction,
    userId,
    state.spaces,
    whole.map(({ range }) => range),
    { space: number, of: whole.map(({ row, vectors }) => ({ entryId: row.id, rows: vectors })) },
  );
  const moved = new Map(
    whole.map(({ row }): [EntryId, EntryRow] => {
      const range = ranges.get(row.id);
      return [row.id, entryRow(row.entry, [...row.ranges.filter((one) => one.space !== number), ...(range ? [range] : [])])];
    }),
  );
  blocks.write(moved, new Set());
  unwrap(transaction.objectStore("users")).put({ ...state, spaces: spaces as readonly SpaceState[] }, userId);
}
