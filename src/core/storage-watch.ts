/** Warns before the storage is full, while there is still room to do something about it. */

/** Bytes left below which it warns, if that is also less than a tenth of all, or than the least: some thousand more entries. */
const LOW_BYTES = 50 * 2 ** 20;
const LOW_SHARE = 0.1;
const LEAST_BYTES = 10 * 2 ** 20;
/** Writes between two looks. */
const WRITES = 50;

export type StorageState = () => Promise<{ readonly usageBytes?: number; readonly quotaBytes?: number }>;

export class StorageWatch {
  readonly #state: StorageState | undefined;
  readonly #warn: (reason: string) => void;
  #writes = WRITES;
  #isTold = false;

  constructor(state: StorageState | undefined, warn: (reason: string) => void) {
    this.#state = state;
    this.#warn = warn;
  }

  /** Something was opened or written. */
  wake(): void {
    this.#writes += 1;
    if (this.#writes < WRITES || !this.#state) return;
    this.#writes = 0;
    // Who cannot say how much room there is will say so when there is none.
    void this.#look(this.#state).catch(() => undefined);
  }

  async #look(state: StorageState): Promise<void> {
    const { usageBytes, quotaBytes } = await state();
    if (usageBytes === undefined || quotaBytes === undefined) return;
    const left = quotaBytes - usageBytes;
    const isLow = left < LOW_BYTES && left < Math.max(quotaBytes * LOW_SHARE, LEAST_BYTES);
    if (isLow && !this.#isTold)
      this.#warn(
        `${megabytes(left)} of ${megabytes(quotaBytes)} MB are left; forget or export something, or free disk space, before nothing more can be recorded`,
      );
    this.#isTold = isLow;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
