/** Reads the numbers of a text, in digits of any script and in words (English, German, Spanish, Chinese), so that "three", "3"
 * and "٣" are one number, and "10,000" and "10k" another. */

export interface NumberMention {
  readonly index: number;
  readonly text: string;
  /** What it may mean, in plain digits or as "9:15" for a time of the day: "10.000" is ten or ten thousand. */
  readonly values: readonly string[];
  /** Also an everyday word without a number in mind: "one", "once", "half", "second". */
  readonly vague: boolean;
}

const NATIVE_DIGIT = /\p{Nd}/u;

/** The text with digits of other scripts as 0 to 9, character for character. */
function plainDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (character) => {
    if (!NATIVE_DIGIT.test(character)) return character;
    const code = character.charCodeAt(0);
    // Blocks of ten begin at …0 or …6.
    const begin = NATIVE_DIGIT.test(String.fromCharCode(code & ~15)) ? code & ~15 : (code & ~15) + 6;
    return String(code - begin);
  });
}

const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  mil: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millón: 1e6,
  millones: 1e6,
  bn: 1e9,
  billion: 1e9,
  百: 1e2,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
};
const TIMES = Object.keys(MULTIPLIERS)
  .sort((a, b) => b.length - a.length)
  .join("|");
/** A time of the day, or a number with groups and decimals, and what multiplies it. */
const DIGITS = new RegExp(
  `(\\d{1,2})(?:[:.h](\\d{2}))?\\s?([ap])\\.?m\\b\\.?|(?<![\\d.:])(\\d{1,2})[:h](\\d{2})(?![\\d:])|` +
    `(\\d{1,3}(?:[.,'’\\u00a0\\u202f]\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*)(?:\\s?(${TIMES})(?![\\p{Script=Latin}]))?`,
  "giu",
);

function clock(hour: number, minute: string | undefined, half: string | undefined): string[] {
  const at = (value: number): string => `${value}:${minute ?? "00"}`;
  if (half) return [at((hour % 12) + (half.toLowerCase() === "p" ? 12 : 0))];
  return hour >= 1 && hour < 12 ? [at(hour), at(hour + 12)] : [at(hour)];
}

function plain(text: string): string {
  const [whole = "", part] = text.split(".");
  const decimals = part?.replace(/0+$/, "");
  return decimals ? `${whole}.${decimals}` : whole;
}

function digitValues(text: string, times: string | undefined): string[] {
  const marks = text.match(/[.,'’\u00a0\u202f]/g) ?? [];
  const readings = new Set<string>();
  const grouped = /^\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(text);
  if (grouped) {
    const last = marks.at(-1) as string;
    const mixed = marks.some((mark) => mark !== last);
    readings.add(
      mixed ? `${text.slice(0, text.lastIndexOf(last)).replace(/\D/g, "")}.${text.split(last).at(-1)}` : text.replace(/\D/g, ""),
    );
  }
  if (marks.length === 1 && /[.,]/.test(marks[0] as string)) readings.add(text.replace(",", "."));
  if (readings.size === 0) readings.add(text);
  const factor = times === undefined ? 1 : (MULTIPLIERS[times.toLowerCase()] ?? 1);
  return [...readings].map((reading) =>
    factor === 1 || !Number.isFinite(Number(reading)) ? plain(reading) : String(Math.round(Number(reading) * factor * 1e6) / 1e6),
  );
}

const list = (words: string, from: number, step = 1): [string, number][] =>
  words.split(" ").map((word, index) => [word, from + index * step]);
const UNITS = new Map<string, number>([
  ...list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    0,
  ),
  ...list(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    0,
  ),
  ...list(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    0,
  ),
  ...list("veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve", 21),
  ...list("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 1),
  ...list("once twice thrice", 1),
  ...list("single double triple", 1),
  ["dozen", 12],
  ["dutzend", 12],
  ["docena", 12],
  ["couple", 2],
  ["both", 2],
  ["half", 0.5],
]);
const TENS = new Map<string, number>([
  ...list("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10),
  ...list("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10),
  ...list("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", 20, 10),
]);
const LARGE = new Map<string, number>([
  ["hundred", 100],
  ["hundert", 100],
  ["cien", 100],
  ["ciento", 100],
  ["thousand", 1e3],
  ["tausend", 1e3],
  ["mil", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);
const VAGUE = new Set("one first second once single double both half couple eins uno once mil twice".split(" "));
/** "einundzwanzig", "dreihundertfünf". */
const GERMAN_COMPOUND =
  /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)$/u;
const WORD = /\p{Script=Latin}+/gu;

function wordNumber(word: string): { readonly kind: "unit" | "tens" | "large"; readonly value: number } | undefined {
  const unit = UNITS.get(word);
  if (unit !== undefined) return { kind: "unit", value: unit };
  const tens = TENS.get(word);
  if (tens !== undefined) return { kind: "tens", value: tens };
  const large = LARGE.get(word);
  if (large !== undefined) return { kind: "large", value: large };
  const compound = GERMAN_COMPOUND.exec(word);
  if (compound) {
    const small = compound[1] === "ein" ? 1 : (UNITS.get(compound[1] as string) ?? 0);
    return { kind: "unit", value: small + (TENS.get(compound[2] as string) ?? 0) };
  }
  return undefined;
}

type WordNumber = NonNullable<ReturnType<typeof wordNumber>>;

/** "two hundred", "hundred and fifty", "twenty-five", but not "two three". */
function mayFollow({ kind, value }: WordNumber, last: WordNumber["kind"]): boolean {
  if (kind === "large") return true;
  return last === "large" || (kind === "unit" && last === "tens" && value > 0 && value < 10);
}

/** Runs of number words, joined by spaces, hyphens and "and". */
function inWords(text: string, found: NumberMention[]): void {
  const digits = [...found];
  const isTaken = (at: number): boolean => digits.some(({ index, text: taken }) => at >= index && at < index + taken.length);
  let run:
    | { readonly start: number; end: number; total: number; part: number; last: WordNumber["kind"]; readonly words: string[] }
    | undefined;
  const close = (): void => {
    if (!run) return;
    found.push({
      index: run.start,
      text: text.slice(run.start, run.end),
      values: [String(run.total + run.part)],
      vague: run.words.length === 1 && VAGUE.has(run.words[0] as string),
    });
    run = undefined;
  };
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const number = wordNumber(word);
    if (!number || isTaken(match.index)) continue;
    const end = match.index + match[0].length;
    const gap = run ? text.slice(run.end, match.index) : "";
    const joins = run !== undefined && /^(?:[\s-]+|[\s-]+(?:and|y|und)\s+)$/i.test(gap);
    if (!run || !joins || !mayFollow(number, run.last)) close();
    run ??= { start: match.index, end, total: 0, part: 0, last: number.kind, words: [] };
    if (number.kind !== "large") run.part += number.value;
    else if (number.value === 100) run.part = Math.max(1, run.part) * 100;
    else {
      run.total += Math.max(1, run.part) * number.value;
      run.part = 0;
    }
    run.end = end;
    run.last = number.kind;
    run.words.push(word);
  }
  close();
}

const HAN_DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const HAN_SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const HAN_NUMBER = /[零〇一二两兩三四五六七八九十百千万萬亿億]+/gu;

function hanValue(text: string): number {
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  if (![...text].some((character) => character in HAN_SCALES || character in MULTIPLIERS))
    return Number([...text].map((one) => HAN_DIGITS[one]).join(""));
  for (const character of text) {
    const scale = HAN_SCALES[character];
    if (character in HAN_DIGITS) digit = HAN_DIGITS[character];
    else if (scale !== undefined) {
      section += (digit ?? 1) * scale;
      digit = undefined;
    } else {
      total = (total + section + (digit ?? 0)) * (MULTIPLIERS[character] ?? 1);
      section = 0;
      digit = undefined;
    }
  }
  return total + section + (digit ?? 0);
}

/** In order of the text. */
export function numberMentions(text: string): NumberMention[] {
  const found: NumberMention[] = [];
  const plainText = plainDigits(text);
  for (const match of plainText.matchAll(DIGITS)) {
    const [all, hour12, minute12, half, hour24, minute24, number, times] = match;
    const values = half
      ? clock(Number(hour12), minute12, half)
      : hour24 !== undefined
        ? clock(Number(hour24), minute24, undefined)
        : digitValues(number as string, times);
    found.push({ index: match.index, text: text.slice(match.index, match.index + all.length), values, vague: false });
  }
  inWords(text, found);
  for (const match of text.matchAll(HAN_NUMBER)) {
    if (found.some(({ index, text: other }) => match.index < index + other.length && index < match.index + match[0].length))
      continue;
    // One character is part of many words ("一起"): a number only before a measure or beside another.
    const vague = match[0].length === 1;
    found.push({ index: match.index, text: match[0], values: [String(hanValue(match[0]))], vague });
  }
  return found.sort((a, b) => a.index - b.index);
}
