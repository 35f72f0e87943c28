/** Runs tasks one after another, in the order in which they came. */

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#tail.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all that is queued now has settled. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
