/** Takes sentences out of an entry that says more. */

import { ROLE_TAG } from "../retrieve/played-last.js";
import { fold } from "../text/terms.js";
import type { DecisionParts } from "./amending.js";
import type { NewEntry } from "./relatives.js";

/** An entry's sentences as an entry of their own, and what is left; the whole entry where nothing would be.
 * The rest keeps the id, what is over gets another. */
export function splitOff(
  entry: NewEntry,
  sentences: readonly string[],
  { relatives, newId }: Pick<DecisionParts, "relatives" | "newId">,
): { readonly ended: NewEntry; readonly left?: NewEntry } {
  const units = relatives.unitsOf(entry, undefined);
  const over = new Set(sentences);
  const kept = units.filter(({ text }) => !over.has(text));
  if (kept.length === 0) return { ended: entry };
  const { supersedes: _, changes: __, ...rest } = entry;
  return {
    ended: {
      ...withSentences(
        rest,
        units.filter(({ text }) => over.has(text)).map(({ text }) => text),
      ),
      id: newId(),
    },
    left: {
      ...withSentences(
        entry,
        kept.map(({ text }) => text),
      ),
    },
  };
}

/** The entry with only some of its sentences, as they were said and with their dates. */
function withSentences(entry: NewEntry, sentences: readonly string[]): NewEntry {
  const sources = entry.sources.flatMap((source) => {
    const own = sentences.filter((sentence) => source.quote.includes(sentence));
    return own.map((quote) => ({ ...source, quote }));
  });
  return {
    ...entry,
    text: sentences.map((sentence) => shownIn(entry.text, sentence)).join(" "),
    indexText: sentences.join(" "),
    tags: entry.tags.filter((tag) => tag === ROLE_TAG || sentences.some((sentence) => fold(sentence).includes(fold(tag)))),
    sources,
    identifiers: entry.identifiers.filter((one) => sentences.some((sentence) => sentence.includes(one))),
  };
}

/** A sentence as the entry shows it: with the dates beside its relative expressions. */
function shownIn(text: string, sentence: string): string {
  const pattern = sentence
    .split(/\s+/u)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("(?:\\s*\\([^()]{4,40}\\))?\\s+");
  return new RegExp(`${pattern}(?:\\s*\\([^()]{4,40}\\))?`, "u").exec(text)?.[0] ?? sentence;
}
