/** Runs tasks one after another, in the order in which they came. */

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** @param signal an abort while the task still waits rejects at once with the signal's reason, and the task never runs */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(signal?.reason);
      if (signal?.aborted) giveUp();
      else signal?.addEventListener("abort", giveUp, { once: true });
      this.#tail = this.#tail.then(async () => {
        signal?.removeEventListener("abort", giveUp);
        try {
          if (!signal?.aborted) resolve(await task());
        } catch (error) {
          reject(error);
        } finally {
          this.#waiting--;
        }
      });
    });
  }

  /** Resolves when all that is queued now has settled. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
