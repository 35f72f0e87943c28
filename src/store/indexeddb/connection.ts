/** A connection to one database that heals: dropped when another tab upgrades or the browser lets go, reopened by the next call. */
import { MemoryError } from "../../errors.js";
import type { CallOptions } from "../../ports.js";
import type { Database, ReadTransaction, StoreName, WriteTransaction } from "../schema.js";
import { domErrorName, indexedDbFailure, isLostConnection } from "./failure.js";

interface Transactions {
  readonly: ReadTransaction;
  readwrite: WriteTransaction;
}

export interface RunOptions extends CallOptions {
  /** True by default: the promise of a write resolves when it is on the disk. */
  readonly durable?: boolean | undefined;
}

/** Opens the database; a database that is not there is made only where that is asked. */
export type OpenOrCreate = (options: { readonly create: boolean }) => Promise<Database | undefined>;

export class Connection {
  readonly name: string;
  readonly #open: OpenOrCreate;
  readonly #onClosed: () => void;
  #database: Promise<Database> | undefined;
  #wasOpen = false;
  #isClosed = false;
  /** Running transactions, with a promise that resolves when each has ended either way. */
  readonly #running = new Map<ReadTransaction | WriteTransaction, Promise<unknown>>();

  /** @param onClosed told once, when nothing can be written any more */
  constructor(name: string, open: OpenOrCreate, onClosed: () => void = () => undefined) {
    this.name = name;
    this.#open = open;
    this.#onClosed = onClosed;
  }

  /** Opens the database, making it where there is none. */
  async open({ signal }: CallOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const opening = this.#connected();
    if (!signal) return void (await opening);
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as unknown);
      signal.addEventListener("abort", abort);
    });
    await Promise.race([opening, aborted]).finally(() => signal.removeEventListener("abort", abort!));
  }

  /** Runs `body` in one transaction over `scope`; what it throws aborts the transaction. A connection that turns out
   * to be lost is reopened and the call made once more: an aborted transaction has written nothing.
   * @throws MemoryError; the signal's reason when aborted before the commit */
  async run<Mode extends keyof Transactions, T>(
    mode: Mode,
    scope: readonly StoreName[],
    body: (transaction: Transactions[Mode]) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        this.checkOpen();
        options.signal?.throwIfAborted();
        return await this.#attempt(mode, scope, body, options);
      } catch (error) {
        if (this.#isClosed) this.checkOpen();
        if (options.signal?.aborted && error === options.signal.reason) throw error;
        if (attempt > 0 || !isLostConnection(error)) throw await indexedDbFailure(error, this.name);
        await this.#drop();
      }
    }
  }

  /** Names of the object stores that there really are. */
  async storeNames(): Promise<readonly StoreName[]> {
    this.checkOpen();
    return [...(await this.#connected()).objectStoreNames];
  }

  /** Aborts what is still running and has not begun to commit, waits for the rest, and lets go. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const transaction of this.#running.keys()) abortIfRunning(transaction);
    await Promise.all(this.#running.values());
    await this.#drop();
    this.#onClosed();
  }

  async #attempt<Mode extends keyof Transactions, T>(
    mode: Mode,
    scope: readonly StoreName[],
    body: (transaction: Transactions[Mode]) => Promise<T>,
    options: RunOptions,
  ): Promise<T> {
    const { signal, durable = true } = options;
    const database = await this.#connected();
    this.checkOpen();
    signal?.throwIfAborted();
    const transaction = database.transaction([...scope], mode, {
      durability: durable ? "strict" : "relaxed",
    }) as unknown as Transactions[Mode];
    const ended = transaction.done.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#running.set(transaction, ended);
    const abort = () => abortIfRunning(transaction);
    signal?.addEventListener("abort", abort);
    try {
      const result = await body(transaction);
      if (mode === "readonly") return result;
      if (!signal?.aborted) transaction.commit();
      const failure = await ended;
      if (failure) throw failure.error;
      return result;
    } catch (error) {
      abortIfRunning(transaction);
      await ended;
      if (signal?.aborted) throw signal.reason;
      // A request that dies with its transaction says only that it was aborted; the transaction says why.
      throw domErrorName(error) === "AbortError" ? (transaction.error ?? error) : error;
    } finally {
      signal?.removeEventListener("abort", abort);
      void ended.then(() => this.#running.delete(transaction));
    }
  }

  /** @throws MemoryError "closed" */
  checkOpen(): void {
    if (this.#isClosed) throw new MemoryError("closed", `the store "${this.name}" is closed; open it again`);
  }

  #connected(): Promise<Database> {
    if (this.#database) return this.#database;
    const connecting = this.#connect();
    this.#database = connecting;
    connecting.catch(() => this.#forget(connecting));
    return connecting;
  }

  async #connect(): Promise<Database> {
    const database = await this.#open({ create: !this.#wasOpen });
    if (!database)
      throw new MemoryError(
        "storage-failed",
        `the database "${this.name}" was deleted while it was open, perhaps with the site's data; open the memory anew`,
      );
    const connection = this.#database;
    // Another tab wants to upgrade or delete; running transactions still end.
    database.addEventListener("versionchange", () => {
      database.close();
      this.#forget(connection);
    });
    database.addEventListener("close", () => this.#forget(connection));
    this.#wasOpen = true;
    if (this.#isClosed) database.close();
    return database;
  }

  #forget(connection: Promise<Database> | undefined): void {
    if (this.#database === connection) this.#database = undefined;
  }

  async #drop(): Promise<void> {
    const connection = this.#database;
    this.#database = undefined;
    const database = await connection?.catch(() => undefined);
    database?.close();
  }
}

function abortIfRunning(transaction: ReadTransaction | WriteTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // It has ended or begun to commit: then what it wrote stands.
    if (domErrorName(error) !== "InvalidStateError") throw error;
  }
}
