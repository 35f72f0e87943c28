/** The store of one user on SQLite: what it reads, and how it begins a write. */
import { deserialize } from "node:v8";
import type { Database } from "better-sqlite3";
import { MemoryError } from "../../errors.js";
import type {
  CallOptions,
  Clock,
  Committed,
  JournalOperation,
  JournalRecord,
  Store,
  StoreCounts,
  StoreWrite,
  VectorSegment,
  VectorSpace,
} from "../../ports.js";
import type { ConversationId, Entry, EntryId, Turn, TurnId, Usage, UserId } from "../../types.js";
import { checkLimit, checkSpace, checkWrite } from "../checks.js";
import { sqliteFailure } from "./failure.js";
import { fromKey, toKey } from "./key.js";
import { readSegment, readSpaces, readVectorsOf } from "./vector-reads.js";
import { applyWrite } from "./write.js";

/** What a store is opened on; `release` is called once, by its `close`. */
export interface SqliteHandle {
  readonly name: string;
  readonly userId: UserId;
  readonly database: Database;
  readonly clock: Clock;
  readonly release: () => void;
}

/** {@link Store} on better-sqlite3. Its calls are synchronous inside, so two of one process never interleave;
 * processes take turns by SQLite's own lock. */
export class SqliteStore implements Store {
  readonly backend = "sqlite";
  readonly userId: UserId;
  readonly #handle: SqliteHandle;
  readonly #user: Buffer;
  #closed = false;

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
    this.userId = handle.userId;
    this.#user = toKey(handle.userId);
  }

  async revision(): Promise<number> {
    return this.#read(
      (database) =>
        database.prepare<[Buffer], { revision: number }>("SELECT revision FROM users WHERE name = ?").get(this.#user)?.revision ??
        0,
    );
  }

  async counts(): Promise<StoreCounts> {
    return this.#read((database) => {
      const row = database.prepare<[Buffer], StoreCounts>("SELECT turns, entries FROM users WHERE name = ?").get(this.#user);
      return row ?? { turns: 0, entries: 0 };
    });
  }

  async write(batch: StoreWrite, options: CallOptions = {}): Promise<Committed> {
    options.signal?.throwIfAborted();
    return this.#read((database) => {
      checkWrite(batch);
      const now = this.#handle.clock.now();
      // Only outside a transaction can the setting change; NORMAL leaves the log to be synced by a later commit.
      if (batch.durable === false) database.pragma("synchronous = NORMAL");
      try {
        const { removed, ...committed } = database.transaction(() => applyWrite(database, this.#user, batch, now)).immediate();
        // The log still holds the pages of what was removed.
        if (removed) database.pragma("wal_checkpoint(TRUNCATE)");
        return committed;
      } finally {
        if (batch.durable === false) database.pragma("synchronous = FULL");
      }
    });
  }

  async entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    return this.#byKeys(
      "SELECT body FROM entries WHERE user = ? AND id = ?",
      ids,
      (row: { body: string }) => JSON.parse(row.body) as Entry,
    );
  }

  async listEntries(
    page: { readonly after?: EntryId; readonly limit?: number; readonly reverse?: boolean } = {},
  ): Promise<Entry[]> {
    const limit = checkLimit(page.limit);
    return this.#ofUser([], (database, user) => {
      const after = page.after === undefined ? "" : `AND id ${page.reverse ? "<" : ">"} ?`;
      const select = database.prepare<unknown[], { body: string }>(
        `SELECT body FROM entries WHERE user = ? ${after} ORDER BY id ${page.reverse ? "DESC" : "ASC"} LIMIT ?`,
      );
      const rows = page.after === undefined ? select.all(user, limit) : select.all(user, toKey(page.after), limit);
      return rows.map((row) => JSON.parse(row.body) as Entry);
    });
  }

  async turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]> {
    return this.#byKeys(
      "SELECT body FROM turns WHERE user = ? AND id = ?",
      ids,
      (row: { body: string }) => JSON.parse(row.body) as Turn,
    );
  }

  async listTurns(
    page: {
      readonly conversationId?: ConversationId;
      readonly after?: number;
      readonly limit?: number;
      readonly reverse?: boolean;
    } = {},
  ): Promise<Turn[]> {
    const limit = checkLimit(page.limit);
    return this.#ofUser([], (database, user) => {
      const inConversation = page.conversationId === undefined ? "" : "AND conversation = ?";
      const order = page.reverse ? "DESC" : "ASC";
      const select = database.prepare<unknown[], { body: string }>(
        `SELECT body FROM turns WHERE user = ? ${inConversation} AND sequence ${page.reverse ? "<" : ">"} ? ORDER BY sequence ${order} LIMIT ?`,
      );
      const after = page.after ?? (page.reverse ? Number.MAX_SAFE_INTEGER : -1);
      const rows =
        page.conversationId === undefined
          ? select.all(user, after, limit)
          : select.all(user, toKey(page.conversationId), after, limit);
      return rows.map((row) => JSON.parse(row.body) as Turn);
    });
  }

  async usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]> {
    const select =
      "SELECT access_count AS accessCount, last_accessed_at AS lastAccessedAt FROM usage WHERE user = ? AND entry = ?";
    return this.#byKeys(select, ids, (row: Usage) => row);
  }

  async *vectors(space: VectorSpace): AsyncGenerator<VectorSegment> {
    checkSpace(space);
    for (let after = 0; ; ) {
      const read = this.#ofUser(undefined, (database, user) => readSegment(database, user, space, after));
      if (!read) return;
      yield read.segment;
      after = read.last;
    }
  }

  async vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
    checkSpace(space);
    return this.#ofUser<(Float32Array | undefined)[]>(new Array(ids.length).fill(undefined), (database, user) =>
      readVectorsOf(database, user, space, ids),
    );
  }

  async vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]> {
    return this.#ofUser<readonly (VectorSpace & { readonly rows: number })[]>([], readSpaces);
  }

  async journal(after: number, limit?: number): Promise<JournalRecord[]> {
    const most = checkLimit(limit);
    return this.#ofUser<JournalRecord[]>([], (database, user) => {
      const select = database.prepare<unknown[], { revision: number; at: number; operations: string }>(
        "SELECT revision, at, operations FROM journal WHERE user = ? AND revision > ? ORDER BY revision LIMIT ?",
      );
      return select
        .all(user, after, most)
        .map((row) => ({ ...row, operations: JSON.parse(row.operations) as JournalOperation[] }));
    });
  }

  async meta<T = unknown>(key: string): Promise<T | undefined> {
    const [value] = this.#byKeys(
      "SELECT value FROM meta WHERE user = ? AND key = ?",
      [key],
      (row: { value: Buffer }) => deserialize(row.value) as T,
    );
    return value;
  }

  async metaKeys(): Promise<readonly string[]> {
    return this.#ofUser<readonly string[]>([], (database, user) =>
      database
        .prepare<[number], { key: Buffer }>("SELECT key FROM meta WHERE user = ? ORDER BY key")
        .all(user)
        .map(({ key }) => fromKey(key)),
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#handle.release();
  }

  #read<T>(body: (database: Database) => T): T {
    const { database, name } = this.#handle;
    if (this.#closed) throw new MemoryError("closed", `the store "${name}" is closed; open it again`);
    try {
      return body(database);
    } catch (error) {
      throw sqliteFailure(error, name);
    }
  }

  /** `none` for a user without rows. */
  #ofUser<T>(none: T, body: (database: Database, user: number) => T): T {
    return this.#read((database) => {
      const user = database.prepare<[Buffer], { id: number }>("SELECT id FROM users WHERE name = ?").get(this.#user);
      return user ? body(database, user.id) : none;
    });
  }

  #byKeys<Row, T>(sql: string, ids: readonly string[], parse: (row: Row) => T): (T | undefined)[] {
    return this.#ofUser<(T | undefined)[]>(
      ids.map(() => undefined),
      (database, user) => {
        const select = database.prepare<[number, Buffer], Row>(sql);
        return ids.map((id) => {
          const row = select.get(user, toKey(id));
          return row === undefined ? undefined : parse(row);
        });
      },
    );
  }
}
