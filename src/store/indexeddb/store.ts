/** The store of one user on IndexedDB: what it reads, and how it begins a write. */
import type {
  CallOptions,
  Clock,
  Committed,
  JournalRecord,
  Store,
  StoreCounts,
  StoreWrite,
  VectorSegment,
  VectorSpace,
} from "../../ports.js";
import type { ConversationId, Entry, EntryId, Turn, TurnId, Usage, UserId } from "../../types.js";
import { checkLimit, checkSpace, checkWrite } from "../checks.js";
import { NO_STATE, type ReadTransaction, type SpaceState, type StoreName, type UserState } from "../schema.js";
import type { Connection } from "./connection.js";
import { EntryBlocks, listEntries } from "./entries.js";
import { pageRange, readPage, withPrefix } from "./ranges.js";
import { readSegments, readVectorsOf } from "./vector-reads.js";
import { isSpace } from "./vectors.js";
import { applyWrite, scopeOf } from "./write.js";

/** {@link Store} on IndexedDB. It keeps nothing in memory, so handles and tabs on one database cannot disagree. */
export class IndexedDbStore implements Store {
  readonly backend = "indexeddb";
  readonly userId: UserId;
  readonly #connection: Connection;
  readonly #clock: Clock;

  constructor(connection: Connection, userId: UserId, clock: Clock) {
    this.#connection = connection;
    this.userId = userId;
    this.#clock = clock;
  }

  async revision(): Promise<number> {
    return (await this.#state()).revision;
  }

  async counts(): Promise<StoreCounts> {
    const { turns, entries } = await this.#state();
    return { turns, entries };
  }

  async write(batch: StoreWrite, { signal }: CallOptions = {}): Promise<Committed> {
    checkWrite(batch);
    const body = async (transaction: Parameters<typeof applyWrite>[0]) =>
      applyWrite(transaction, this.userId, batch, this.#clock.now());
    return this.#connection.run("readwrite", scopeOf(batch), body, { signal, durable: batch.durable });
  }

  async entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    return this.#read(["entries"], async (transaction) => {
      const rows = await new EntryBlocks(transaction, this.userId).find(ids);
      return ids.map((id) => rows.get(id)?.entry);
    });
  }

  async listEntries(
    page: { readonly after?: EntryId; readonly limit?: number; readonly reverse?: boolean } = {},
  ): Promise<Entry[]> {
    const { after, reverse = false } = page;
    const limit = checkLimit(page.limit);
    return this.#read(["entries"], (transaction) => listEntries(transaction, this.userId, { after, limit, reverse }));
  }

  async turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]> {
    return this.#read(["turns"], async (transaction) => {
      const rows = await Promise.all(ids.map((id) => transaction.objectStore("turns").get([this.userId, id])));
      return rows.map((row) => row?.turn);
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
    const { conversationId, after, reverse = false } = page;
    const limit = checkLimit(page.limit);
    return this.#read(["turns"], async (transaction) => {
      const turns = transaction.objectStore("turns");
      const rows =
        conversationId === undefined
          ? await readPage<"turns">(turns.index("bySequence"), pageRange([this.userId], after, reverse), limit, reverse)
          : await readPage<"turns">(
              turns.index("byConversation"),
              pageRange([this.userId, conversationId], after, reverse),
              limit,
              reverse,
            );
      return rows.map((row) => row.turn);
    });
  }

  async usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]> {
    return this.#read(["usage"], (transaction) =>
      Promise.all(ids.map((id) => transaction.objectStore("usage").get([this.userId, id]))),
    );
  }

  async *vectors(space: VectorSpace): AsyncGenerator<VectorSegment> {
    checkSpace(space);
    const found = await this.#space(space);
    if (found) yield* readSegments(this.#connection, this.userId, found);
  }

  async vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
    checkSpace(space);
    const found = await this.#space(space);
    return found ? readVectorsOf(this.#connection, this.userId, found, ids) : ids.map(() => undefined);
  }

  async vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]> {
    const { spaces } = await this.#state();
    return spaces.filter(({ rows }) => rows > 0).map(({ id, dimension, rows }) => ({ id, dimension, rows }));
  }

  async journal(after: number, limit?: number): Promise<JournalRecord[]> {
    const most = checkLimit(limit);
    return this.#read(["journal"], (transaction) =>
      readPage<"journal">(transaction.objectStore("journal"), pageRange([this.userId], after, false), most, false),
    );
  }

  async meta<T = unknown>(key: string): Promise<T | undefined> {
    const row = await this.#read(["meta"], (transaction) => transaction.objectStore("meta").get([this.userId, key]));
    return row?.value as T | undefined;
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

  async #state(): Promise<UserState> {
    return (await this.#read(["users"], (transaction) => transaction.objectStore("users").get(this.userId))) ?? NO_STATE;
  }

  async #space(space: VectorSpace): Promise<SpaceState | undefined> {
    return (await this.#state()).spaces.find((state) => isSpace(state, space));
  }
}
