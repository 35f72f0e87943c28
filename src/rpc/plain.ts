/** Arguments as plain data: a reactive proxy (Vue, MobX) cannot be cloned into a worker, though what it shows can. */

import type { Recall, TurnInput } from "../types.js";

/** A copy of arrays and plain objects, all the way down; anything else stays as it is. */
export function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map(plain) as T;
  if (typeof value !== "object" || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)])) as T;
}

/** What the worker reads of a turn: the app's messages may carry more, such as functions. */
export function plainTurn(turn: TurnInput): unknown {
  const { recalled, private: isPrivate, sessionId } = turn;
  const said =
    "messages" in turn
      ? { messages: turn.messages.map(({ role, name, text, at, id }) => defined({ role, name, text, at, id })) }
      : defined({ user: turn.user, assistant: turn.assistant, at: turn.at });
  return { ...said, ...defined({ private: isPrivate, sessionId, recalled: recalled && plainRecall(recalled) }) };
}

/** What `record` and `context` read of a recall: the trace is the larger part of one, and stays here. */
export function plainRecall({ text, tokens, items }: Recall): unknown {
  return {
    text,
    tokens,
    items: items.map((item) => ({ text: item.text, sources: item.sources.map(({ quote }) => ({ quote })) })),
  };
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
