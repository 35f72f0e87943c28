/** The store of one user on IndexedDB: what it reads, and how it begins a write. */
import { isMemoryError } from "../../errors.js";
import type {
  CallOptions,
  Clock,
  Committed,
  DamagedRows,
  GraphPart,
  GraphRead,
  JournalRecord,
  ScannedRow,
  Store,
  StoreCaps,
  StoreCounts,
  StoreStanding,
  StoreWrite,
  VectorSegment,
  VectorSpace,
} from "../../ports.js";
import type { ConversationId, Entry, EntryId, Turn, TurnId, Usage, UserId } from "../../types.js";
import { checkCaps, checkLimit, checkSpace, checkWrite } from "../checks.js";
import { DamageLog, mendedBy } from "../damage.js";
import { isJournalRecord, isRecord, isUsage } from "../row-shapes.js";
import type { ReadTransaction, SpaceState, StoreName, UserState, WriteTransaction } from "../schema.js";
import { sizeOf } from "../size.js";
import type { Connection } from "./connection.js";
import { DROP_SCOPE, dropDamaged } from "./drop-damaged.js";
import { EntryBlocks, listEntries } from "./entries.js";
import { GRAPH_STORES, readGraph } from "./graph.js";
import { pageRange, readPage, withPrefix } from "./ranges.js";
import { type EstimateStorage, Room } from "./room.js";
import { readState, soundTurn } from "./rows.js";
import { scanRows } from "./scan.js";
import { Tidying } from "./tidy.js";
import { readTurnRows } from "./turn-reads.js";
import { readSegments, readVectorsOf, type SpaceReads } from "./vector-reads.js";
import { isSpace } from "./vectors.js";
import { applyWrite, scopeOf } from "./write.js";

/** {@link Store} on IndexedDB. It keeps no rows in memory, so handles and tabs on one database cannot disagree. */
export class IndexedDbStore implements Store {
  readonly backend = "indexeddb";
  readonly userId: UserId;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #log = new DamageLog();
  readonly #tidying: Tidying;
  #onWritten: (() => void) | undefined;

  /** @param onWritten told once, after the first write */
  constructor(
    connection: Connection,
    userId: UserId,
    {
      clock,
      estimate,
      onWritten,
    }: { readonly clock: Clock; readonly estimate: EstimateStorage; readonly onWritten?: () => void },
  ) {
    this.#connection = connection;
    this.userId = userId;
    this.#clock = clock;
    this.#onWritten = onWritten;
    this.#room = new Room(connection, estimate);
    this.#tidying = new Tidying({ connection, userId, log: this.#log });
  }

  async revision(): Promise<number> {
    return (await this.#state()).revision;
  }

  async standing(): Promise<StoreStanding> {
    const { revision, epoch = "" } = await this.#state();
    return { revision, epoch };
  }

  async counts(): Promise<StoreCounts> {
    const { turns, entries } = await this.#state();
    return { turns, entries };
  }

  async write(batch: StoreWrite, { signal }: CallOptions = {}): Promise<Committed> {
    checkWrite(batch);
    const body = async (transaction: WriteTransaction) =>
      applyWrite(transaction, this.userId, batch, { now: this.#clock.now(), log: this.#log });
    const committed = await this.#room.run(sizeOf(batch), () =>
      this.#connection.run("readwrite", scopeOf(batch), body, { signal, durable: batch.durable }),
    );
    this.#log.mended(mendedBy(batch));
    this.#onWritten?.();
    this.#onWritten = undefined;
    return committed;
  }

  async entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    return this.#read(["entries"], async (transaction) => {
      const rows = await new EntryBlocks(transaction, this.userId, this.#log).find(ids);
      const entries = ids.map((id) => rows.get(id)?.entry);
      this.#log.sound(entries);
      return entries;
    });
  }

  async listEntries(
    page: { readonly after?: EntryId; readonly limit?: number; readonly reverse?: boolean } = {},
  ): Promise<Entry[]> {
    const { after, reverse = false } = page;
    const limit = checkLimit(page.limit);
    return this.#read(["entries"], (transaction) => listEntries(transaction, this.userId, { after, limit, reverse }, this.#log));
  }

  async turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]> {
    return this.#read(["turns"], async (transaction) => {
      const rows = await readTurnRows(transaction, this.userId, ids);
      return rows.map((row, at) => soundTurn(row, this.#log, ids[at]));
    });
  }

  async listTurns(
    page: {
      readonly conversationId?: ConversationId;
      readonly after?: number;
      readonly limit?: number;
      readonly reverse?: boolean;
    } = {},
  ): Promise<Turn[]> {
    const { conversationId, reverse = false } = page;
    const limit = checkLimit(page.limit);
    return this.#read(["turns"], async (transaction) => {
      const store = transaction.objectStore("turns");
      const prefix = conversationId === undefined ? [this.userId] : [this.userId, conversationId];
      const index = store.index(conversationId === undefined ? "bySequence" : "byConversation");
      const turns: Turn[] = [];
      for (let after = page.after; turns.length < limit; ) {
        const count = limit - turns.length;
        const rows = await readPage<"turns">(index, pageRange(prefix, after, reverse), count, reverse);
        for (const row of rows) {
          const turn = soundTurn(row, this.#log);
          if (turn) turns.push(turn);
        }
        if (rows.length < count) break;
        // The index has it of the row, sound or not.
        after = rows.at(-1)?.turn.sequence;
      }
      return turns;
    });
  }

  async usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]> {
    return this.#read(["usage"], async (transaction) => {
      const rows = await Promise.all(ids.map((id) => transaction.objectStore("usage").get([this.userId, id])));
      return rows.map((row) => (isUsage(row) ? row : undefined));
    });
  }

  async *vectors(space: VectorSpace): AsyncGenerator<VectorSegment> {
    checkSpace(space);
    const found = await this.#space(space);
    if (found) yield* readSegments(this.#reads(found));
  }

  async vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
    checkSpace(space);
    const found = await this.#space(space);
    return found ? readVectorsOf(this.#reads(found), ids) : ids.map(() => undefined);
  }

  async vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]> {
    const { spaces } = await this.#state();
    return spaces.filter(({ rows }) => rows > 0).map(({ id, dimension, rows }) => ({ id, dimension, rows }));
  }

  /** A record that is not of the shape that was stored is left out, as one that was compacted is. */
  async journal(after: number, limit?: number): Promise<JournalRecord[]> {
    const most = checkLimit(limit);
    return this.#read(["journal"], async (transaction) => {
      const records = await readPage<"journal">(
        transaction.objectStore("journal"),
        pageRange([this.userId], after, false),
        most,
        false,
      );
      return records.filter(isJournalRecord);
    });
  }

  async meta<T = unknown>(key: string): Promise<T | undefined> {
    const row = await this.#read(["meta"], (transaction) => transaction.objectStore("meta").get([this.userId, key]));
    return isRecord(row) ? (row.value as T | undefined) : undefined;
  }

  graph(read: GraphRead): Promise<GraphPart> {
    return this.#read(GRAPH_STORES, (transaction) => readGraph(transaction, this.userId, read));
  }

  scan(): AsyncIterable<ScannedRow> {
    return scanRows(this.#connection, this.userId);
  }

  async damaged(): Promise<readonly DamagedRows[]> {
    this.#connection.checkOpen();
    return this.#log.rows;
  }

  async dropDamaged(): Promise<void> {
    await this.#connection.run("readwrite", DROP_SCOPE, (transaction) =>
      dropDamaged(transaction, this.userId, { now: this.#clock.now(), log: this.#log }),
    );
    this.#log.dropped();
  }

  async tidy(caps: StoreCaps, options: CallOptions = {}): Promise<{ readonly isDone: boolean }> {
    checkCaps(caps);
    return this.#tidying.step(caps, options);
  }

  async derived<T = unknown>(key: string): Promise<T | undefined> {
    const row = await this.#read(["derived"], (transaction) => transaction.objectStore("derived").get([this.userId, key]));
    return isRecord(row) ? (row.value as T | undefined) : undefined;
  }

  async keepDerived(key: string, value: unknown, revision: number): Promise<boolean> {
    try {
      return await this.#connection.run(
        "readwrite",
        ["users", "derived"],
        async (transaction) => {
          if ((await readState(transaction, this.userId)).revision !== revision) return false;
          const store = transaction.objectStore("derived");
          await (value === undefined ? store.delete([this.userId, key]) : store.put({ value }, [this.userId, key]));
          return true;
        },
        { durable: false },
      );
    } catch (error) {
      if (!isMemoryError(error, "quota-exceeded")) throw error;
      return false;
    }
  }

  async metaKeys(): Promise<readonly string[]> {
    const keys = await this.#read(["meta"], (transaction) => transaction.objectStore("meta").getAllKeys(withPrefix(this.userId)));
    return keys.map(([, key]) => key);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #read<T>(scope: readonly StoreName[], body: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
    return this.#connection.run("readonly", scope, body);
  }

  #state(): Promise<UserState> {
    return this.#read(["users"], (transaction) => readState(transaction, this.userId));
  }

  #reads(space: SpaceState): SpaceReads {
    return { connection: this.#connection, userId: this.userId, space, log: this.#log };
  }

  async #space(space: VectorSpace): Promise<SpaceState | undefined> {
    return (await this.#state()).spaces.find((state) => isSpace(state, space));
  }
}
