/** Asks the browser to keep what is stored, when there is something to keep. */

/** The part of `navigator.storage` that is asked. */
export type StoragePromise = Pick<StorageManager, "persist" | "persisted">;

/** Only a page can ask, a worker cannot; Firefox asks the person, and others decide by how the site is used. So it is asked once,
 * after the first change, which follows something that the person did, and never while a page loads. The answer is
 * `stats().storage.persisted`. */
export class Persistence {
  readonly #storage: StoragePromise | undefined;
  #asked: Promise<void> | undefined;

  /** @param storage none where there is nobody to ask */
  constructor(storage: StoragePromise | undefined = pageStorage()) {
    this.#storage = storage;
  }

  /** Never rejects: who refuses to answer has refused. */
  ask(): Promise<void> {
    this.#asked ??= this.#ask().catch(() => undefined);
    return this.#asked;
  }

  async #ask(): Promise<void> {
    if (this.#storage && !(await this.#storage.persisted())) await this.#storage.persist();
  }
}

function pageStorage(): StoragePromise | undefined {
  const { storage } = globalThis.navigator ?? {};
  return typeof storage?.persist === "function" ? storage : undefined;
}
