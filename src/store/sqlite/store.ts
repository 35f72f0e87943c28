/** The store of one user on SQLite: what it reads, and how it begins a write. */
import { deserialize } from "node:v8";
import type { Database } from "better-sqlite3";
import { isMemoryError, MemoryError } from "../../errors.js";
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
import type { Entry, EntryId, Turn, TurnId, Usage, UserId } from "../../types.js";
import { checkCaps, checkLimit, checkSpace, checkWrite } from "../checks.js";
import { DamageLog, mendedBy } from "../damage.js";
import { sizeOf } from "../size.js";
import { type BodyRow, soundEntry, soundTurn } from "./bodies.js";
import { sqliteFailure } from "./failure.js";
import { GraphRows } from "./graph.js";
import { fromKey, toKey } from "./key.js";
import { listEntries, listJournal, listTurns } from "./lists.js";
import { withRoom } from "./room.js";
import { scanPages } from "./scan.js";
import { dropDamaged, keepDerived, tidy } from "./upkeep.js";
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
  readonly #log = new DamageLog();
  #closed = false;

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
    this.userId = handle.userId;
    this.#user = toKey(handle.userId);
  }

  async revision(): Promise<number> {
    return (await this.standing()).revision;
  }

  async standing(): Promise<StoreStanding> {
    return this.#read((database) => {
      const select = database.prepare<[Buffer], { id: number; revision: number }>(
        "SELECT id, revision FROM users WHERE name = ?",
      );
      const row = select.get(this.#user);
      return row ? { revision: row.revision, epoch: String(row.id) } : { revision: 0, epoch: "" };
    });
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
        const write = database.transaction(() => applyWrite(database, this.#user, batch, { now, log: this.#log }));
        const { removed, ...committed } = withRoom(database, this.#handle.name, sizeOf(batch), () => write.immediate());
        // The log still holds the pages of what was removed.
        if (removed) database.pragma("wal_checkpoint(TRUNCATE)");
        this.#log.mended(mendedBy(batch));
        return committed;
      } finally {
        if (batch.durable === false) database.pragma("synchronous = FULL");
      }
    });
  }

  async entries(ids: readonly EntryId[]): Promise<(Entry | undefined)[]> {
    const select = "SELECT id, body, checksum FROM entries WHERE user = ? AND id = ?";
    return this.#log.sound(this.#byKeys(select, ids, (row: BodyRow) => soundEntry(row, this.#log)));
  }

  async listEntries(page: NonNullable<Parameters<Store["listEntries"]>[0]> = {}): Promise<Entry[]> {
    const limit = checkLimit(page.limit);
    return this.#ofUser([], (database, user) => listEntries({ database, user, limit }, page, this.#log));
  }

  async turns(ids: readonly TurnId[]): Promise<(Turn | undefined)[]> {
    return this.#byKeys("SELECT id, body, checksum FROM turns WHERE user = ? AND id = ?", ids, (row: BodyRow) =>
      soundTurn(row, this.#log),
    );
  }

  async listTurns(page: NonNullable<Parameters<Store["listTurns"]>[0]> = {}): Promise<Turn[]> {
    const limit = checkLimit(page.limit);
    return this.#ofUser([], (database, user) => listTurns({ database, user, limit }, page, this.#log));
  }

  async usage(ids: readonly EntryId[]): Promise<(Usage | undefined)[]> {
    const select =
      "SELECT access_count AS accessCount, last_accessed_at AS lastAccessedAt FROM usage WHERE user = ? AND entry = ?";
    return this.#byKeys(select, ids, (row: Usage) => row);
  }

  async *vectors(space: VectorSpace): AsyncGenerator<VectorSegment> {
    checkSpace(space);
    for (let after = 0; ; ) {
      const read = this.#ofUser(undefined, (database, user) => readSegment({ database, user, space, log: this.#log }, after));
      if (!read) return;
      yield read.segment;
      after = read.last;
    }
  }

  async vectorsOf(space: VectorSpace, ids: readonly EntryId[]): Promise<(Float32Array | undefined)[]> {
    checkSpace(space);
    return this.#ofUser<(Float32Array | undefined)[]>(new Array(ids.length).fill(undefined), (database, user) =>
      readVectorsOf({ database, user, space, log: this.#log }, ids),
    );
  }

  async vectorSpaces(): Promise<readonly (VectorSpace & { readonly rows: number })[]> {
    return this.#ofUser<readonly (VectorSpace & { readonly rows: number })[]>([], readSpaces);
  }

  async journal(after: number, most?: number): Promise<JournalRecord[]> {
    const limit = checkLimit(most);
    return this.#ofUser<JournalRecord[]>([], (database, user) => listJournal({ database, user, limit }, after));
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

  async graph(read: GraphRead): Promise<GraphPart> {
    return this.#read((database) => new GraphRows(database, userNumber(database, this.#user)).read(read));
  }

  async *scan(): AsyncGenerator<ScannedRow> {
    const pages = this.#ofUser<Iterator<readonly ScannedRow[]> | undefined>(undefined, scanPages);
    if (!pages) return;
    for (let page = this.#read(() => pages.next()); !page.done; page = this.#read(() => pages.next())) yield* page.value;
  }

  async damaged(): Promise<readonly DamagedRows[]> {
    return this.#read(() => this.#log.rows);
  }

  async dropDamaged(): Promise<void> {
    this.#ofUser(undefined, (database, user) => {
      database.transaction(() => dropDamaged(database, user, { now: this.#handle.clock.now(), log: this.#log })).immediate();
      database.pragma("wal_checkpoint(TRUNCATE)");
    });
    this.#log.dropped();
  }

  async tidy(caps: StoreCaps, { signal }: CallOptions = {}): Promise<{ readonly isDone: boolean }> {
    checkCaps(caps);
    signal?.throwIfAborted();
    return this.#ofUser({ isDone: true }, (database, user) => ({ isDone: tidy(database, user, caps) }));
  }

  async derived<T = unknown>(key: string): Promise<T | undefined> {
    const [value] = this.#byKeys(
      "SELECT value FROM derived WHERE user = ? AND key = ?",
      [key],
      (row: { value: Buffer }) => deserialize(row.value) as T,
    );
    return value;
  }

  async keepDerived(key: string, value: unknown, revision: number): Promise<boolean> {
    try {
      return this.#ofUser(false, (database, user) => keepDerived(database, user, { key: toKey(key), value, revision }));
    } catch (error) {
      if (!isMemoryError(error, "quota-exceeded")) throw error;
      return false;
    }
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
      const user = userNumber(database, this.#user);
      return user > 0 ? body(database, user) : none;
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

/** 0 for a user without rows. */
function userNumber(database: Database, name: Buffer): number {
  return database.prepare<[Buffer], { id: number }>("SELECT id FROM users WHERE name = ?").get(name)?.id ?? 0;
}
