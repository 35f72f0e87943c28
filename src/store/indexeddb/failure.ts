/** IndexedDB's errors as ours. */
import { isMemoryError, MemoryError, type MemoryErrorCode } from "../../errors.js";

const CODES: Readonly<Record<string, readonly [code: MemoryErrorCode, advice: string]>> = {
  VersionError: ["storage-newer", "it was written by a newer version of Keepsake; reload the page or update the package"],
  SecurityError: ["storage-unavailable", "this page may not use IndexedDB; a private window or an opaque origin has none"],
  NotReadableError: ["storage-corrupt", "a stored value cannot be read any more; call repair to keep what can be read"],
};

/** The name of a DOMException, or "". */
export function domErrorName(error: unknown): string {
  return typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
}

/** Whether a connection that was lost (closed by the browser, by an upgrade elsewhere, or broken) explains `error`. */
export function isLostConnection(error: unknown): boolean {
  return ["InvalidStateError", "UnknownError", "AbortError"].includes(domErrorName(error));
}

/** @returns `error` as it is when it is ours or a wrong argument, else a MemoryError that keeps it as its cause */
export async function indexedDbFailure(error: unknown, database: string): Promise<unknown> {
  if (isMemoryError(error) || error instanceof TypeError || error instanceof RangeError) return error;
  const name = domErrorName(error);
  const detail = error instanceof Error || error instanceof DOMException ? error.message : String(error);
  if (name === "QuotaExceededError") {
    const message = `the browser has no room for "${database}"${await spaceUsed()}; nothing of this write was stored; forget or export something, or free disk space`;
    return new MemoryError("quota-exceeded", message, { cause: error });
  }
  if (name === "DataCloneError")
    return new TypeError(`a value for "${database}" is not structured-clone safe: ${detail}`, { cause: error });
  const [code, advice] = CODES[name] ?? ["storage-failed" as const, "IndexedDB failed; if it does so again, call repair"];
  return new MemoryError(code, `the database "${database}": ${advice} (${name || "no name"}: ${detail})`, { cause: error });
}

/** " (12.0 of 50.0 MB are used)" where the browser tells it. */
async function spaceUsed(): Promise<string> {
  const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
  if (estimate?.usage === undefined || estimate.quota === undefined) return "";
  return ` (${megabytes(estimate.usage)} of ${megabytes(estimate.quota)} MB are used)`;
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
