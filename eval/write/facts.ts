/** Whether an entry says only what its sources say: an oracle of its own, by tokens, without the product's grounding. */

import { timeMentions } from "../../src/text/time.js";
import type { Entry, Source, Timestamp } from "../../src/types.js";

/** Numbers with their marks, and words with a capital or a digit in them. */
const FACT = /\p{N}+(?:[.,:/-]\p{N}+)*|\p{L}*(?:\p{Lu}|\p{N})[\p{L}\p{N}]*/gu;

/** @param saidAt of a turn by its id
 * @returns what the entry's text holds and neither its quotes nor a date derived from them does */
export function inventedIn(entry: Pick<Entry, "text" | "sources">, saidAt: (turnId: string) => Timestamp | undefined): string[] {
  let text = entry.text;
  for (const { turnId, quote } of entry.sources) {
    const at = saidAt(turnId);
    if (at === undefined) continue;
    for (const { date } of timeMentions(quote, { at, timeZone: "UTC", bias: "nearest" }))
      text = text.replaceAll(`(${date})`, " ");
  }
  const said = new Set(entry.sources.flatMap(({ quote }) => quote.match(FACT) ?? []));
  return (text.match(FACT) ?? []).filter((token) => !said.has(token));
}

/** What stands where a secret was left out. */
const MASK = "[secret left out]";

/** Quotes that are not in their turn, character for character but for secrets that were left out. */
export function misquoted(sources: readonly Source[], textOf: (turnId: string) => string | undefined): Source[] {
  return sources.filter(({ turnId, quote }) => {
    const text = textOf(turnId) ?? "";
    let from = 0;
    return quote.split(MASK).some((part) => {
      const at = text.indexOf(part, from);
      from = at + part.length;
      return at < 0;
    });
  });
}
