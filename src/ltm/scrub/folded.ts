/** A text without what the eye does not see, with the way back to its places: a name that a zero-width space splits, or that has a letter
 * of another script which looks the same, is still a name. */

/** Zero-width and other format characters, soft hyphens, variation selectors. */
const INVISIBLE = /[\p{Cf}\uFE00-\uFE0F]/u;
/** Needs no folding but of case. */
const ASCII = /^[\x20-\x7E]*$/;
/** Full-width and mathematical letters, digits and the signs of addresses. */
const STYLED = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\uFF20\uFF0E\u{1D400}-\u{1D7FF}]/u;
/** Cyrillic and Greek letters, and the Latin ones that they look like. */
const ALIKE = new Map(
  [
    ["аеорсухіјѕԁһԛԝвкмнтгпАВЕКМНОРСТУХІЈЅԌԚԜ", "aeopcyxijsdhqwbkmhtrnABEKMHOPCTYXIJSGQW"],
    ["αονρτυικχγεωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovptuikxyewABEZHIKMNOPTYX"],
    ["ıɑɡɩʟɪɴʀ", "iagilinr"],
  ].flatMap(([ones = "", others = ""]) => [...ones].map((one, at) => [one, others[at] ?? one] as const)),
);
const OF_ANOTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}ıɑɡɩʟɪɴʀ]/u;
const MIXED_WORD = /[\p{L}\p{M}\p{Cf}]+/gu;

export interface Folded {
  readonly text: string;
  /** Where a place of the folded text lies in the original; its end for the folded text's length. */
  readonly original: (index: number) => number;
}

/** @param plain also without case and accents, so that "JOSÉ" is "jose" */
export function folded(text: string, { plain = false }: { readonly plain?: boolean } = {}): Folded {
  if (ASCII.test(text))
    return { text: plain ? text.toLowerCase() : text, original: (index) => Math.min(Math.max(0, index), text.length) };
  let result = "";
  const places: number[] = [];
  const disguised = placesOfDisguise(text);
  let at = 0;
  for (const character of text) {
    let shown = INVISIBLE.test(character) ? "" : STYLED.test(character) ? character.normalize("NFKC") : character;
    if (disguised.has(at)) shown = ALIKE.get(shown) ?? shown;
    // Small first: a name of another script is the same in both cases, whichever of its letters look Latin.
    if (plain) {
      shown = shown.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      shown = ALIKE.get(shown) ?? shown;
    }
    for (let unit = 0; unit < shown.length; unit++) places.push(at);
    result += shown;
    at += character.length;
  }
  places.push(text.length);
  return { text: result, original: (index) => places[index] ?? text.length };
}

/** Letters of another script within a word of Latin ones. */
function placesOfDisguise(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  if (!OF_ANOTHER_SCRIPT.test(text)) return places;
  for (const { 0: word, index } of text.matchAll(MIXED_WORD)) {
    if (!/\p{Script=Latin}/u.test(word) || !OF_ANOTHER_SCRIPT.test(word)) continue;
    let at = index;
    for (const character of word) {
      if (ALIKE.has(character)) places.add(at);
      at += character.length;
    }
  }
  return places;
}
