/** A user's entries, kept in blocks in id order: each block holds the entries from its key up to the next block's.
 *
 * IndexedDB pays for records more than for bytes (measured in Chromium on two busy cores, 10^4 entries of 1 KB: one by one 900 ms, a
 * hundred to a record 120 ms), and a memory is opened far more often than it is changed. */
import { unwrap } from "idb";
import type { Entry, EntryId, UserId } from "../../types.js";
import type { EntryRow, ReadTransaction, WriteTransaction } from "../schema.js";
import { readPage, withPrefix } from "./ranges.js";

/** A block of 32 entries is some 30 KB: it costs a write of one entry a fraction of a millisecond. */
const ENTRIES_PER_BLOCK = 32;

/** The blocks of one transaction, for reading and changing single entries. */
export class EntryBlocks {
  readonly #transaction: ReadTransaction | WriteTransaction;
  readonly #user: UserId;
  /** First ids of all blocks, ascending. */
  #firsts: readonly string[] = [];
  readonly #loaded = new Map<string, readonly EntryRow[]>();

  constructor(transaction: ReadTransaction | WriteTransaction, userId: UserId) {
    this.#transaction = transaction;
    this.#user = userId;
  }

  /** The rows that are there, by id. */
  async find(ids: readonly EntryId[]): Promise<ReadonlyMap<EntryId, EntryRow>> {
    const found = new Map<EntryId, EntryRow>();
    if (ids.length === 0) return found;
    // One store of either transaction; the union of both is more than the compiler can follow.
    const store = (this.#transaction as ReadTransaction).objectStore("entries");
    const keys = await store.getAllKeys(withPrefix(this.#user));
    this.#firsts = keys.map(([, first]) => first);
    const wanted = new Set<string>(ids);
    const firsts = [...new Set(ids.map((id) => this.#blockOf(id)))];
    const blocks = await Promise.all(firsts.map((first) => store.get([this.#user, first])));
    for (const [index, first] of firsts.entries()) this.#loaded.set(first, blocks[index]?.rows ?? []);
    for (const rows of this.#loaded.values()) {
      for (const row of rows) if (wanted.has(row.entry.id)) found.set(row.entry.id, row);
    }
    return found;
  }

  /** Puts and removes rows whose ids have all been looked for. */
  write(put: ReadonlyMap<EntryId, EntryRow>, removed: ReadonlySet<EntryId>): void {
    const changes = new Map<string, Map<EntryId, EntryRow>>();
    const rowsOf = (first: string) => {
      const rows = changes.get(first) ?? new Map((this.#loaded.get(first) ?? []).map((row) => [row.entry.id, row]));
      changes.set(first, rows);
      return rows;
    };
    for (const id of removed) rowsOf(this.#blockOf(id)).delete(id);
    for (const [id, row] of put) rowsOf(this.#blockOf(id)).set(id, row);
    for (const [first, rows] of changes) this.#putBlock(first, [...rows.values()].sort(byId));
  }

  #putBlock(first: string, rows: readonly EntryRow[]): void {
    const store = unwrap((this.#transaction as WriteTransaction).objectStore("entries"));
    if (rows.length === 0) {
      // Its ids now belong to the block before it.
      store.delete([this.#user, first]);
      return;
    }
    // Ids grow with time: the last block overflows at its end and is cut into full ones, others in the middle.
    const isLast = first >= (this.#firsts.at(-1) ?? "");
    const parts = Math.ceil(rows.length / ENTRIES_PER_BLOCK);
    const size = isLast ? ENTRIES_PER_BLOCK : Math.ceil(rows.length / parts);
    for (let at = 0; at < rows.length; at += size) {
      const part = rows.slice(at, at + size);
      const key = at === 0 ? first : part[0]!.entry.id;
      store.put({ first: key, rows: part }, [this.#user, key]);
    }
  }

  /** The first id of the block that holds, or would hold, `id`; "" before all blocks. */
  #blockOf(id: string): string {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#firsts[middle]! <= id) low = middle + 1;
      else high = middle;
    }
    return this.#firsts[low - 1] ?? "";
  }
}

/** At most `limit` entries in id order after (in reverse: before) `after`. */
export async function listEntries(
  transaction: ReadTransaction,
  userId: UserId,
  { after, limit, reverse }: { readonly after: EntryId | undefined; readonly limit: number; readonly reverse: boolean },
): Promise<Entry[]> {
  const store = transaction.objectStore("entries");
  const entries: Entry[] = [];
  let range = reverse ? before(userId, after) : await from(transaction, userId, after);
  while (entries.length < limit) {
    // One more than full blocks would need, since the first may begin in its middle; sparse ones take another round.
    const count = Math.ceil((limit - entries.length) / ENTRIES_PER_BLOCK) + 1;
    const blocks = await readPage<"entries">(store, range, count, reverse);
    for (const block of blocks) {
      for (const { entry } of reverse ? [...block.rows].reverse() : block.rows) {
        const isPast = after === undefined || (reverse ? entry.id < after : entry.id > after);
        if (isPast && entries.length < limit) entries.push(entry);
      }
    }
    const last = blocks.at(-1);
    if (!last || blocks.length < count) break;
    range = reverse ? before(userId, last.first) : IDBKeyRange.bound([userId, last.first], [userId, []], true, true);
  }
  return entries;
}

/** From the block that holds what comes after `after`. */
async function from(transaction: ReadTransaction, userId: UserId, after: EntryId | undefined): Promise<IDBKeyRange> {
  if (after === undefined) return withPrefix(userId);
  const cursor = await transaction.objectStore("entries").openKeyCursor(IDBKeyRange.bound([userId], [userId, after]), "prev");
  return cursor ? IDBKeyRange.bound(cursor.key, [userId, []], false, true) : withPrefix(userId);
}

/** Blocks that begin before an id, so all that hold smaller ones. */
function before(userId: UserId, id: string | undefined): IDBKeyRange {
  return id === undefined ? withPrefix(userId) : IDBKeyRange.bound([userId], [userId, id], false, true);
}

function byId(one: EntryRow, other: EntryRow): number {
  return one.entry.id < other.entry.id ? -1 : 1;
}
