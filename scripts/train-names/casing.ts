/** What real text says of a word by how it writes it: a word stands in small letters once in a while, a name hardly ever. */

/** Of a word's places, those in small letters. */
const WORD_SHARE = 0.2;
/** Fewer tell nothing. */
const MIN_PLACES = 2;

/** @returns lower-cased what the lines write as a word, whoever is called so somewhere */
export function wordsWrittenSmall(lines: readonly string[]): ReadonlySet<string> {
  const small = new Map<string, number>();
  const all = new Map<string, number>();
  for (const line of lines)
    for (const [word] of line.matchAll(/\p{L}{2,}/gu)) {
      const key = word.toLowerCase();
      all.set(key, (all.get(key) ?? 0) + 1);
      if (word === key) small.set(key, (small.get(key) ?? 0) + 1);
    }
  const isWord = ([word, count]: readonly [string, number]): boolean =>
    count >= MIN_PLACES && count >= WORD_SHARE * (all.get(word) ?? 0);
  return new Set([...small].filter(isWord).map(([word]) => word));
}
