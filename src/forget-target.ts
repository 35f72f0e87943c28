/** The check of what `forget` is asked to forget: it is final, so nothing is guessed. */

import type { ConversationId, EntryId, ForgetTarget } from "./types.js";

const USAGE = "forget takes one of { entryIds: [...] }, { conversationId }, { said: { from, to } } and { everything: true }";
const KEYS = ["entryIds", "conversationId", "said", "everything"];

/** The target as it was checked, a copy: what the caller changes afterwards changes nothing.
 * @throws TypeError for anything but exactly one target of the right type; RangeError for a period that is none */
export function forgetTarget(target: unknown): ForgetTarget {
  if (typeof target !== "object" || target === null) throw new TypeError(`${USAGE}, not ${String(target)}`);
  const keys = Object.keys(target);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !KEYS.includes(key)) throw new TypeError(`${USAGE}, not ${JSON.stringify(keys)}`);
  const value = (target as Readonly<Record<string, unknown>>)[key];
  switch (key) {
    case "entryIds":
      if (!Array.isArray(value) || !value.every(isId))
        throw new TypeError("entryIds is an array of entry ids, strings that are not empty");
      return { entryIds: [...(value as EntryId[])] };
    case "conversationId":
      if (!isId(value)) throw new TypeError("conversationId is a string that is not empty");
      return { conversationId: value as ConversationId };
    case "said":
      return { said: period(value) };
    default:
      if (value !== true) throw new TypeError(`to forget everything, pass { everything: true }, not ${String(value)}`);
      return { everything: true };
  }
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function period(value: unknown): { readonly from: number; readonly to: number } {
  const { from, to } = (typeof value === "object" && value !== null ? value : {}) as {
    readonly from?: unknown;
    readonly to?: unknown;
  };
  if (typeof from !== "number" || typeof to !== "number") throw new TypeError("said is { from, to }, two times in milliseconds");
  if (!(Number.isFinite(from) && Number.isFinite(to) && from < to))
    throw new RangeError(`said runs from a time to a later one, in milliseconds, not from ${from} to ${to}`);
  return { from, to };
}
