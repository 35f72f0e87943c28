/** Runs tasks one after another, in the order in which they came. */

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    const result = this.#tail.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    const done = () => {
      this.#waiting--;
    };
    this.#tail = result.then(done, done);
    return result;
  }

  /** Resolves when all that is queued now has settled. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
