/** A model's answer to a value of a schema: found, parsed, mended where it is broken, checked. What cannot be read is data, not an
 * exception. */

import { jsonrepair } from "jsonrepair";
import { type GenericSchema, getDotPath, type InferOutput, safeParse } from "valibot";
import { completePart } from "./complete-part.js";
import type { PromptEcho } from "./echo.js";
import { extractJson } from "./extract.js";

/** "cut": the answer ended early, and what was whole of it is the value. */
export type Reading = "parsed" | "repaired" | "cut";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly how: Reading }
  | { readonly ok: false; readonly raw: string; readonly reason: string };

/** Longer answers than any schema of ours allows; what comes after is not read. */
const MAX_LENGTH = 200_000;
/** Longer texts are not mended: the mending is recursive and not cheap. */
const MAX_REPAIRED = 20_000;
const MAX_DEPTH = 64;

export interface ParseOptions {
  /** What the value begins with; "{" by default. */
  readonly opens?: "{" | "[";
  /** What the model was asked with: what it says of that again is not its answer. */
  readonly echo?: PromptEcho;
}

/** @param raw what the model wrote */
export function parseAnswer<const TSchema extends GenericSchema>(
  raw: string,
  schema: TSchema,
  { opens = "{", echo }: ParseOptions = {},
): Parsed<InferOutput<TSchema>> {
  const text = raw.slice(0, MAX_LENGTH);
  const found = extractJson(text, opens, echo?.within(text));
  let reason = `the answer holds no JSON ${opens === "{" ? "object" : "array"}`;
  for (const read of [parsed, cut, repaired])
    for (const value of found) {
      const answer = read(value);
      if (!answer) continue;
      const checked = safeParse(schema, answer.value);
      if (checked.success) return { ok: true, value: checked.output, how: answer.how };
      const [issue] = checked.issues;
      const path = getDotPath(issue);
      reason = path ? `${path}: ${issue.message}` : issue.message;
    }
  return { ok: false, raw, reason };
}

interface Read {
  readonly value: unknown;
  readonly how: Reading;
}

function parsed(text: string): Read | undefined {
  const value = json(text);
  return value === undefined ? undefined : { value, how: "parsed" };
}

function cut(text: string): Read | undefined {
  const whole = completePart(text);
  const value = whole === undefined ? undefined : json(whole);
  return value === undefined ? undefined : { value, how: "cut" };
}

function repaired(text: string): Read | undefined {
  // What stands after the last bracket may be half a value, which mending would take for a whole one.
  const closed = text.slice(0, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1);
  if (closed.length > MAX_REPAIRED || depth(closed) > MAX_DEPTH) return undefined;
  try {
    const value = json(jsonrepair(withHalfWidth(closed)));
    return value === undefined ? undefined : { value, how: "repaired" };
  } catch {
    // Beyond mending: the caller is told so by the reason that it gets.
    return undefined;
  }
}

/** Models that write Chinese put full-width punctuation between the strings too; inside them it is text. */
function withHalfWidth(text: string): string {
  return text.replace(/(["}\]\d])\s*：/gu, "$1:").replace(/(["}\]\d])\s*，\s*(?=["{[\d])/gu, "$1,");
}

/** @returns undefined where it is no JSON; no JSON value is undefined */
function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function depth(text: string): number {
  let now = 0;
  let most = 0;
  for (const character of text) {
    if (character === "{" || character === "[") most = Math.max(most, ++now);
    else if (character === "}" || character === "]") now--;
  }
  return most;
}
