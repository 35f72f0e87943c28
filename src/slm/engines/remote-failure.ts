/** What a server that hosts a model answers instead of an answer, as our errors. */

import { MemoryError } from "../../errors.js";

export interface RemoteFailure {
  /** HTTP status; absent where none was told. */
  readonly status?: number | undefined;
  /** No response came. */
  readonly isUnreachable?: boolean;
  /** In the server's words. */
  readonly message: string;
  /** The server's own name of the error. */
  readonly kind?: string | undefined;
  /** The header of that name. */
  readonly retryAfter?: string | null | undefined;
  readonly cause: unknown;
}

const OVERFLOW_KINDS = /context_length_exceeded|exceed_context_size|string_above_max_length/;
const OVERFLOW_WORDS = /context (?:length|window|size)|prompt is too long|too many (?:input )?tokens|exceeds?.{0,40}\btokens/i;
/** Longer messages are pages, not sentences. */
const MAX_MESSAGE = 500;

/** @param where the engine, for the message */
export function remoteFailure(where: string, failure: RemoteFailure): MemoryError {
  const { status, message, kind = "", retryAfter, cause } = failure;
  const said = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  const isRefusal = status === undefined || status === 400 || status === 422;
  if (status === 413 || OVERFLOW_KINDS.test(kind) || (isRefusal && OVERFLOW_WORDS.test(message)))
    return new MemoryError("too-large", `the prompt is longer than ${where} takes: ${said}`, { cause });
  const retryAfterMs = retryAfter ? waitOf(retryAfter) : undefined;
  const details = {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const text = `${where} failed${status === undefined ? "" : ` (HTTP ${status})`}: ${said}${adviceOf(failure, retryAfterMs)}`;
  return new MemoryError(status === 408 || status === 504 ? "timeout" : "model-failed", text, { cause, details });
}

function adviceOf({ status, isUnreachable }: RemoteFailure, retryAfterMs: number | undefined): string {
  if (isUnreachable) return "; check that the server runs and allows requests from this page (CORS)";
  if (status === 401 || status === 403) return "; check the API key";
  if (status === 404) return "; check the base URL and the name of the model";
  if (retryAfterMs !== undefined) return `; try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
  return "";
}

/** @param header seconds or a date */
function waitOf(header: string): number | undefined {
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}
