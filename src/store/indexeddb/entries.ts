/** A user's entries, kept in blocks in id order: each block holds the entries from its key up to the next block's.
 *
 * IndexedDB pays for records more than for bytes (measured in Chromium on two busy cores, 10^4 entries of 1 KB: one by one 900 ms, a
 * hundred to a record 120 ms), and a memory is opened far more often than it is changed. */
import { unwrap } from "idb";
import type { Entry, EntryId, UserId } from "../../types.js";
import type { DamageLog } from "../damage.js";
import type { EntryBlock, EntryRow, ReadTransaction, WriteTransaction } from "../schema.js";
import { lastOf, withPrefix } from "./ranges.js";
import { type BlockRows, blockRows } from "./rows.js";

/** A block of 32 entries is some 30 KB: it costs a write of one entry a fraction of a millisecond. */
export const ENTRIES_PER_BLOCK = 32;

/** The blocks of one transaction, for reading and changing single entries. */
export class EntryBlocks {
  readonly #transaction: ReadTransaction | WriteTransaction;
  readonly #user: UserId;
  readonly #log: DamageLog;
  /** First ids of all blocks, ascending. */
  #firsts: readonly string[] = [];
  readonly #loaded = new Map<string, BlockRows>();

  constructor(transaction: ReadTransaction | WriteTransaction, userId: UserId, log: DamageLog) {
    this.#transaction = transaction;
    this.#user = userId;
    this.#log = log;
  }

  /** Ids of damaged rows in the blocks that {@link find} has looked into. */
  get damaged(): ReadonlySet<EntryId> {
    return new Set([...this.#loaded.values()].flatMap(({ damaged }) => damaged.flatMap((row) => row?.id ?? [])));
  }

  /** The rows that are there and sound, by id. */
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
    for (const [index, first] of firsts.entries()) this.#loaded.set(first, blockRows(blocks[index], first, this.#log));
    for (const { sound } of this.#loaded.values()) {
      for (const row of sound) if (wanted.has(row.id)) found.set(row.id, row);
    }
    return found;
  }

  /** Puts and removes rows whose ids have all been looked for. */
  write(put: ReadonlyMap<EntryId, EntryRow>, removed: ReadonlySet<EntryId>): void {
    const changes = new Map<string, Map<EntryId, EntryRow>>();
    const rowsOf = (first: string) => {
      const { sound = [], damaged = [] } = this.#loaded.get(first) ?? {};
      // A damaged row stays beside the others unless its id, too, has become one of another block.
      const kept = damaged.filter((row) => typeof row?.id === "string" && this.#blockOf(row.id) === first);
      const rows = changes.get(first) ?? new Map([...kept, ...sound].map((row) => [row.id, row]));
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
      const key = at === 0 ? first : part[0]!.id;
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
  log: DamageLog,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let range = reverse ? before(userId, after) : await from(transaction, userId, after);
  while (entries.length < limit) {
    // One more than full blocks would need, since the first may begin in its middle; sparse ones take another round.
    const count = Math.ceil((limit - entries.length) / ENTRIES_PER_BLOCK) + 1;
    const [firsts, blocks] = await readBlocks(transaction, range, count, reverse);
    for (const [at, block] of blocks.entries()) {
      const { sound } = blockRows(block, firsts[at] ?? "", log);
      for (const { entry } of reverse ? [...sound].reverse() : sound) {
        const isPast = after === undefined || (reverse ? entry.id < after : entry.id > after);
        if (isPast && entries.length < limit) entries.push(entry);
      }
    }
    const last = firsts.at(-1);
    if (last === undefined || blocks.length < count) break;
    range = reverse ? before(userId, last) : IDBKeyRange.bound([userId, last], [userId, []], true, true);
  }
  return entries;
}

/** Blocks in order, and their first ids: what a damaged block says of itself cannot be trusted. */
async function readBlocks(
  transaction: ReadTransaction,
  range: IDBKeyRange,
  count: number,
  reverse: boolean,
): Promise<[firsts: string[], blocks: EntryBlock[]]> {
  const store = transaction.objectStore("entries");
  const part = reverse ? await lastOf<"entries">(store, range, count) : range;
  if (!part) return [[], []];
  const [keys, blocks] = await Promise.all([store.getAllKeys(part, count), store.getAll(part, count)]);
  const firsts = keys.map(([, first]) => first);
  return reverse ? [firsts.reverse(), blocks.reverse()] : [firsts, blocks];
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
  return one.id < other.id ? -1 : 1;
}
