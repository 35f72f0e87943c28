/** A text without what the eye does not see, with the way back to its places: a name that a zero-width space splits is still a name. */

/** Zero-width and other format characters, soft hyphens, variation selectors. */
const INVISIBLE = /[\p{Cf}\uFE00-\uFE0F]/u;

export interface Folded {
  readonly text: string;
  /** Where a place of the folded text lies in the original; its end for the folded text's length. */
  readonly original: (index: number) => number;
}

/** @param plain also without case and accents, so that "JOSÉ" is "jose" */
export function folded(text: string, { plain = false }: { readonly plain?: boolean } = {}): Folded {
  let result = "";
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const shown = INVISIBLE.test(character)
      ? ""
      : plain
        ? character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
        : character;
    for (let unit = 0; unit < shown.length; unit++) places.push(at);
    result += shown;
    at += character.length;
  }
  places.push(text.length);
  return { text: result, original: (index) => places[index] ?? text.length };
}
