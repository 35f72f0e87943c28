/** The WordPiece tokeniser of the BERT family: lower case without accents, split at spaces, punctuation and CJK
 * characters, then the longest known piece from the left. */

/** A word of more characters than this is one unknown piece (BERT's own limit). */
const MAX_WORD_CHARACTERS = 100;
const UNKNOWN = "[UNK]";
const CONTINUES = "##";

const ASCII_PRINTABLE = /^[\t\n\r -~]*$/;
const IGNORED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
/** CJK ideographs of the basic plane; Kana and Hangul are words like Latin ones. */
const IDEOGRAPH = /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF]/g;
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/** 0 between words, 1 inside a word, 2 a word by itself; for the codes of printable ASCII. */
const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return 0;
  return /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 2;
});

/** Texts to rows of a vocabulary. Special tokens that are spelt out in a text ("[SEP]") are read as plain text. */
export class WordPiece {
  readonly #pieces: ReadonlyMap<string, number>;
  readonly #unknown: number;
  readonly #longest: number;

  /** @param vocabulary pieces by row, "[UNK]" among them; a piece that continues a word begins with "##"
   * @throws RangeError when "[UNK]" is missing */
  constructor(vocabulary: readonly string[]) {
    const pieces = new Map<string, number>();
    let longest = 0;
    for (let row = 0; row < vocabulary.length; row++) {
      const piece = vocabulary[row]!;
      pieces.set(piece, row);
      if (piece.length > longest) longest = piece.length;
    }
    const unknown = pieces.get(UNKNOWN);
    if (unknown === undefined) throw new RangeError(`the vocabulary has no ${UNKNOWN}`);
    this.#pieces = pieces;
    this.#unknown = unknown;
    this.#longest = longest;
  }

  /** Writes the rows of the text's pieces, from the left, until `rows` is full.
   * @returns how many were written; 0 for a text without any visible character */
  encode(text: string, rows: Uint16Array): number {
    return ASCII_PRINTABLE.test(text) ? this.#encodeAscii(text.toLowerCase(), rows) : this.#encodeAny(text, rows);
  }

  #encodeAscii(text: string, rows: Uint16Array): number {
    let count = 0;
    let at = 0;
    while (at < text.length && count < rows.length) {
      const kind = ASCII_CLASS[text.charCodeAt(at)]!;
      let end = at + 1;
      if (kind === 1) while (end < text.length && ASCII_CLASS[text.charCodeAt(end)] === 1) end++;
      if (kind !== 0) count = this.#encodeWord(text.slice(at, end), rows, count);
      at = end;
    }
    return count;
  }

  #encodeAny(text: string, rows: Uint16Array): number {
    const normal = text
      .replace(IGNORED, (character) => (character === "\t" || character === "\n" || character === "\r" ? " " : ""))
      .replace(IDEOGRAPH, " $& ")
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "");
    let count = 0;
    for (const [word] of normal.matchAll(WORD)) {
      if (count >= rows.length) break;
      count = this.#encodeWord(word, rows, count);
    }
    return count;
  }

  #encodeWord(word: string, rows: Uint16Array, count: number): number {
    const whole = this.#pieces.get(word);
    if (whole !== undefined) {
      rows[count] = whole;
      return count + 1;
    }
    const first = count;
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return this.#encodeUnknown(rows, first);
    for (let start = 0; start < word.length && count < rows.length; ) {
      let end = Math.min(word.length, start + this.#longest);
      let row: number | undefined;
      for (; end > start; end--) {
        const piece = start === 0 ? word.slice(0, end) : CONTINUES + word.slice(start, end);
        row = this.#pieces.get(piece);
        if (row !== undefined) break;
      }
      if (row === undefined) return this.#encodeUnknown(rows, first);
      rows[count++] = row;
      start = end;
    }
    return count;
  }

  #encodeUnknown(rows: Uint16Array, at: number): number {
    rows[at] = this.#unknown;
    return at + 1;
  }
}
