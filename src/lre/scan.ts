/** Cuts a text into words and sentence ends, for any script, in one pass over its characters. */

/** Hears what {@link scan} finds, in order. */
export interface ScanListener {
  word(spelling: string): void;
  /** @param isQuestion a question mark was in it; @param isLast nothing but white space follows */
  sentenceEnd(isQuestion: boolean, isLast: boolean): void;
}

/** Kinds of ASCII characters: 1 a letter or digit, 2 ends a sentence, 3 a question mark, 4 apostrophe, 5 a line break, 0 the rest. */
const KIND = new Uint8Array(128);
for (let code = 48; code < 58; code++) KIND[code] = 1;
for (let code = 65; code < 91; code++) KIND[code] = KIND[code + 32] = 1;
KIND[33] = KIND[46] = 2;
KIND[63] = 3;
KIND[39] = 4;

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** From Thai on, scripts that put no spaces between words are met. */
const FIRST_UNSPACED = 0x0e00;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function kindOf(text: string, at: number, code: number): number {
  if (code < 128) return KIND[code] ?? 0;
  if (code === 0x2019) return 4;
  if (code === 0x3002 || code === 0xff01 || code === 0xff0e || code === 0x06d4 || code === 0x0964) return 2;
  if (code === 0xff1f || code === 0x061f) return 3;
  // A half of a pair: Han beyond the basic plane is a letter, an emoji is not.
  const character =
    code >= 0xd800 && code <= 0xdfff ? String.fromCodePoint(text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? 0) : text[at];
  return WORD_CHARACTER.test(character ?? "") ? 1 : 0;
}

/** Intl.Segmenter is quadratic in a run without any break; nobody writes longer ones. */
const MAX_RUN = 500;
/** What is longer is no word; its beginning stands for it. */
const MAX_WORD = 100;

let segmenter: Intl.Segmenter | undefined;

function unspacedWords(run: string): string[] {
  if (typeof Intl.Segmenter === "undefined") {
    const characters = [...run];
    return characters.map((character, i) => character + (characters[i + 1] ?? ""));
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words: string[] = [];
  for (let from = 0; from < run.length; from += MAX_RUN) {
    for (const segment of segmenter.segment(run.slice(from, from + MAX_RUN))) if (segment.isWordLike) words.push(segment.segment);
  }
  return words;
}

/** Words are runs of letters and digits with inner apostrophes; a sentence ends at . ! ? before white space or the end, and at
 * CJK, Arabic and Hindi marks anywhere. Linear in the length, except that unspaced scripts go through Intl.Segmenter (or
 * pairs of characters where there is none). */
export function scan(text: string, listener: ScanListener): void {
  const length = text.length;
  let at = 0;
  let isQuestion = false;
  let words = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KIND[code] ?? 0) : kindOf(text, at, code);
    if (kind === 1) {
      const start = at;
      let unspaced = false;
      for (at++; at < length; at++) {
        const next = text.charCodeAt(at);
        if (next >= FIRST_UNSPACED && next !== 0x2019) unspaced = true;
        const follows = next < 128 ? (KIND[next] ?? 0) : kindOf(text, at, next);
        if (follows === 1) continue;
        // An apostrophe belongs to a word when a letter follows.
        if (follows !== 4 || at + 1 >= length) break;
        const after = text.charCodeAt(at + 1);
        if (!((after >= 97 && after <= 122) || (after >= 65 && after <= 90))) break;
      }
      const spelling = text.slice(start, at);
      if ((unspaced || code >= FIRST_UNSPACED) && UNSPACED.test(spelling)) {
        for (const word of unspacedWords(spelling)) {
          listener.word(word);
          words++;
        }
      } else {
        listener.word(spelling.length > MAX_WORD ? spelling.slice(0, MAX_WORD) : spelling);
        words++;
      }
      continue;
    }
    at++;
    if (kind !== 2 && kind !== 3) continue;
    if (kind === 3) isQuestion = true;
    const ends = at >= length || text.charCodeAt(at) <= 32 || code > 127;
    if (!ends) continue;
    while (at < length && text.charCodeAt(at) <= 32) at++;
    if (words > 0) listener.sentenceEnd(isQuestion, at >= length);
    words = 0;
    isQuestion = false;
  }
  if (words > 0) listener.sentenceEnd(isQuestion, true);
}
