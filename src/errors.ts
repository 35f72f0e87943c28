/** The one error class of Keepsake and its closed set of codes. */

/** Every way in which a call can fail; a caller tests the code, never the class. */
export type MemoryErrorCode =
  /** The handle, or what it depends on, was closed. */
  | "closed"
  /** Arguments that only the data can refute, such as an entry id that no entry has. */
  | "not-found"
  /** A vector's length is not the index's or embedder's dimension. */
  | "dimension-mismatch"
  /** A vector holds NaN or an infinity, or has no length. */
  | "invalid-vector"
  /** What a decision rested on changed before it was written; read again and retry. */
  | "conflict"
  /** The browser or disk has no room left. */
  | "quota-exceeded"
  /** There is no IndexedDB (private window, opaque origin) or no SQLite binding. */
  | "storage-unavailable"
  /** The storage answers, but what it holds cannot be read as ours. */
  | "storage-corrupt"
  /** The database was written by a newer version of Keepsake. */
  | "storage-newer"
  /** Another tab holds an older version of the database open. */
  | "storage-blocked"
  /** The storage failed in another way; the cause has the details. */
  | "storage-failed"
  /** A worker could not start, or died; it is restarted at the next call. */
  | "worker-failed"
  /** An optional peer package is missing; the message names it. */
  | "peer-missing"
  /** A backup was cut or altered; the message says where. */
  | "backup-damaged"
  /** A backup is encrypted, and the password is missing or another. */
  | "wrong-password"
  /** A file (kernel, embeddings, model, code that is loaded later) could not be fetched or is damaged. */
  | "asset-unavailable"
  /** A model failed or refused; lite roles answer instead where there are any. */
  | "model-failed"
  /** A call took longer than its limit. */
  | "timeout"
  /** A value is too large to be stored or embedded. */
  | "too-large"
  /** This build or platform does not offer what was asked for. */
  | "unsupported";

/** An error with a code, a sentence that says what happened and what to do, and its cause.
 *
 * It crosses workers as `{ code, message, cause }` and is an `Error` again on the other side, so test it
 * with {@link isMemoryError}. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  /** Numbers that go with the code, as "quota-exceeded" has `neededBytes`, `usageBytes` and `quotaBytes`. */
  declare readonly details?: Readonly<Record<string, number>>;
  constructor(
    readonly code: MemoryErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly details?: Readonly<Record<string, number>> } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    if (options.details) this.details = options.details;
  }
}

/** Whether `error` is a {@link MemoryError}, of this code where one is given; holds across workers and realms. */
export function isMemoryError(error: unknown, code?: MemoryErrorCode): error is MemoryError {
  if (typeof error !== "object" || error === null) return false;
  const { name, code: found } = error as { name?: unknown; code?: unknown };
  return name === "MemoryError" && typeof found === "string" && (code === undefined || found === code);
}
