/** Room for what is written: estimated before a large write, and made by letting go of what can be made again. */
import { isMemoryError, MemoryError } from "../../errors.js";
import { LARGE_BYTES, megabytes, OVERHEAD } from "../size.js";
import type { Connection } from "./connection.js";

export type EstimateStorage = () => Promise<{ readonly usage?: number; readonly quota?: number } | undefined>;

export class Room {
  readonly #connection: Connection;
  readonly #estimate: EstimateStorage;

  constructor(connection: Connection, estimate: EstimateStorage) {
    this.#connection = connection;
    this.#estimate = estimate;
  }

  /** Runs a write of about this size; what fails for want of room is tried once more without the derived values.
   * @throws MemoryError "quota-exceeded" with `details`, and nothing is written then */
  async run<T>(sizeBytes: number, write: () => Promise<T>): Promise<T> {
    if (sizeBytes >= LARGE_BYTES && !(await this.#holds(sizeBytes))) {
      await this.#clearDerived();
      if (!(await this.#holds(sizeBytes))) throw await this.#tooLittle(sizeBytes);
    }
    try {
      return await write();
    } catch (error) {
      if (!isMemoryError(error, "quota-exceeded")) throw error;
      await this.#clearDerived();
    }
    try {
      return await write();
    } catch (error) {
      throw isMemoryError(error, "quota-exceeded") ? await this.#tooLittle(sizeBytes, error) : error;
    }
  }

  async #holds(sizeBytes: number): Promise<boolean> {
    const estimate = await this.#estimate();
    return (
      estimate?.usage === undefined || estimate.quota === undefined || estimate.usage + sizeBytes * OVERHEAD <= estimate.quota
    );
  }

  /** Of every user: the room is one. A store too full to clear this is too full for the write as well. */
  async #clearDerived(): Promise<void> {
    try {
      await this.#connection.run(
        "readwrite",
        ["derived"],
        async (transaction) => void (await transaction.objectStore("derived").clear()),
      );
    } catch (error) {
      if (!isMemoryError(error, "quota-exceeded")) throw error;
    }
  }

  async #tooLittle(neededBytes: number, cause?: unknown): Promise<MemoryError> {
    const { usage, quota } = (await this.#estimate()) ?? {};
    const used = usage !== undefined && quota !== undefined ? ` (${megabytes(usage)} of ${megabytes(quota)} MB are used)` : "";
    const message = `the browser has no room for ${megabytes(neededBytes)} MB more in "${this.#connection.name}"${used}; nothing of this write was stored; forget or export something, or free disk space`;
    const details = {
      neededBytes,
      ...(usage !== undefined && { usageBytes: usage }),
      ...(quota !== undefined && { quotaBytes: quota }),
    };
    return new MemoryError("quota-exceeded", message, { details, ...(cause !== undefined && { cause }) });
  }
}

/** The page's own estimate, where there is one. */
export async function estimateStorage(): ReturnType<EstimateStorage> {
  return globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
}
