/** Errors as plain data: a structured clone of an Error loses its own fields, and may lose its cause. */

import { isMemoryError, MemoryError, type MemoryErrorCode } from "../errors.js";

/** What crosses a worker boundary in the place of a thrown value. */
export type WireError =
  | {
      readonly type: "memory";
      readonly code: MemoryErrorCode;
      readonly message: string;
      readonly details?: Readonly<Record<string, number>>;
      readonly cause?: WireError;
    }
  | { readonly type: "error"; readonly name: string; readonly message: string; readonly cause?: WireError }
  | { readonly type: "value"; readonly value: string }
  | { readonly type: "aborted" };

/** Stands for the caller's own abort reason, which need not cross: the caller has it. */
export const ABORTED = Symbol("aborted");

const CONSTRUCTORS = { TypeError, RangeError, SyntaxError, ReferenceError } as const;

export function toWire(error: unknown): WireError {
  if (error === ABORTED) return { type: "aborted" };
  if (isMemoryError(error)) {
    const { code, message, details } = error;
    return { type: "memory", code, message, ...(details && { details }), ...causeOf(error) };
  }
  // DOMException is no Error in every realm, but has its name and message.
  if (typeof error === "object" && error !== null && "message" in error && "name" in error)
    return { type: "error", name: String(error.name), message: String(error.message), ...causeOf(error) };
  return { type: "value", value: String(error) };
}

export function fromWire(wire: WireError): unknown {
  switch (wire.type) {
    case "memory":
      return new MemoryError(wire.code, wire.message, {
        ...(wire.cause && { cause: fromWire(wire.cause) }),
        ...(wire.details && { details: wire.details }),
      });
    case "error": {
      const options = wire.cause && { cause: fromWire(wire.cause) };
      if (wire.name in CONSTRUCTORS) return new CONSTRUCTORS[wire.name as keyof typeof CONSTRUCTORS](wire.message, options);
      if (wire.name === "AbortError" || wire.name === "TimeoutError") return new DOMException(wire.message, wire.name);
      return Object.assign(new Error(wire.message, options), { name: wire.name });
    }
    case "value":
      return wire.value;
    case "aborted":
      return ABORTED;
  }
}

function causeOf(error: object): { cause?: WireError } {
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? {} : { cause: toWire(cause) };
}
