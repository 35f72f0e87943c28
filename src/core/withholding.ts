/** What a person never lets go to an engine: kinds of memories, and words in them. */

import type { Entry, Withheld } from "../types.js";

/** Whether something may be sent at all: a memory, or a text that was learned of some. */
export type Allowed = (what: Pick<Entry, "indexText"> & Partial<Pick<Entry, "text" | "kind">>) => boolean;

export function allowedBy({ kinds = [], pattern = [] }: Withheld = {}): Allowed {
  const patterns = [pattern].flat().map(expressionOf);
  const isFree = (text: string) => !patterns.some((one) => one.test(text));
  return ({ kind, indexText, text = indexText }) =>
    (kind === undefined || !kinds.includes(kind)) && isFree(indexText) && (text === indexText || isFree(text));
}

/** With the flags "g" and "y" a RegExp would begin where its last match ended. */
function expressionOf(pattern: RegExp | string): RegExp {
  if (typeof pattern === "string") return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "iu");
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
}
