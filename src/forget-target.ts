/** The check of what `forget` is asked to forget: it is final, so nothing is guessed. */

import type { ConversationId, EntryId, ForgetTarget } from "./types.js";

const USAGE =
  "forget takes one of { preview }, { entryIds: [...] }, { conversationId }, { said: { from, to } } and { everything: true }, and to preview also { query }";
const KEYS = ["preview", "query", "entryIds", "conversationId", "said", "everything"];

/** The target as it was checked, a copy: what the caller changes afterwards changes nothing.
 * @param toPreview whether it is only asked what would go
 * @throws TypeError for anything but exactly one target of the right type; RangeError for a period that is none */
export function forgetTarget(target: unknown, toPreview: boolean): ForgetTarget {
  if (typeof target !== "object" || target === null) throw new TypeError(`${USAGE}, not ${String(target)}`);
  const { except, ...rest } = target as Readonly<Record<string, unknown>>;
  const keys = Object.keys(rest);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !KEYS.includes(key)) throw new TypeError(`${USAGE}, not ${JSON.stringify(keys)}`);
  if (except !== undefined && key !== "preview") throw new TypeError("except goes with { preview }");
  const value = rest[key];
  switch (key) {
    case "preview":
      if (toPreview) throw new TypeError("what was previewed is forgotten, not previewed again");
      if (!isId(value)) throw new TypeError("preview is the token of what forget previewed");
      return { preview: value as string, ...(except !== undefined && { except: idsOf("except", except) }) };
    case "query":
      if (!toPreview) throw new TypeError("a query is a guess: preview it, then pass { preview: token } of what you were shown");
      if (typeof value !== "string" || value.trim() === "") throw new TypeError("query is a string that is not empty");
      return { query: value };
    case "entryIds":
      return { entryIds: idsOf("entryIds", value) };
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

function idsOf(name: string, value: unknown): EntryId[] {
  if (!Array.isArray(value) || !value.every(isId))
    throw new TypeError(`${name} is an array of entry ids, strings that are not empty`);
  return [...(value as EntryId[])];
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
