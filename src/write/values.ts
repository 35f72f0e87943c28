/** The values that a sentence states and what they are values of: numbers with their units, scores, times of the day, weekdays. */

import { numberMentions } from "../text/numbers.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { stem, termsOf } from "../text/terms.js";
import { isWish } from "./signals.js";

export interface StatedNumber {
  readonly values: readonly string[];
  /** Stems of the words that it counts. */
  readonly units: ReadonlySet<string>;
}

export interface SentenceValues {
  readonly numbers: readonly StatedNumber[];
  readonly scores: ReadonlySet<string>;
  readonly clocks: readonly (readonly string[])[];
  readonly weekdays: ReadonlySet<string>;
  /** Month and day as they are written. */
  readonly dates: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
  /** Stems near a time of the day, and near a weekday. */
  readonly nearClock: ReadonlySet<string>;
  readonly nearWeekday: ReadonlySet<string>;
  readonly firstPerson: boolean;
  /** Every value in it stands behind a word of wish or plan. */
  readonly wished: boolean;
  /** "Last Friday" is one day, not a habit. */
  readonly oneWeekday: boolean;
  readonly moved: boolean;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));

/** Words before the point of a sentence: "By the way, I was just thinking …". */
const PREFIX =
  /^(?:(?:oh|and|also|so|anyway|well|hey|cool|thanks|actually|great)[,!]? )*(?:by the way,? |speaking of (?:which|\w+(?: \w+){0,3}),? )?(?:i was (?:just )?(?:thinking|wondering)[, ]+)?/iu;
const FIRST_PERSON = /\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Ww]e|[Ww]e['’](?:ve|re)|[Oo]ur)\b/u;
const SCORE = /\b\d{1,3}-\d{1,3}\b(?! ?(?:minutes?|hours?|days?|mm|weeks?|months?|years?))/giu;
const CLOCK = /\d{1,2}:\d\d|\b\d{1,2} ?[ap]\.?m\b/giu;
const WEEKDAY = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/giu;
const ONE_WEEKDAY = /\b(?:last|this|next|previous|past|coming) (?:mon|tues|wednes|thurs|fri|satur|sun)day/iu;
const MONTH_DAY =
  /\b\d{1,2}\/\d{1,2}\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?\b/giu;
const MOVED =
  /\b(?:moved|switched|changed|no longer|not anymore|anymore|replaced|upgraded|swapped|relocated|stopped|quit|cancel\w*)\b/iu;
const CLAUSE_START = /[,;]\s| - |\b(?:but|and|so)\b/giu;
const BREAKS = new Set("and but so which because for in on at from with to since than by while until".split(" "));
const NO_UNIT = new Set(
  "around about approximately roughly nearly almost over under like different new more total another".split(" "),
);
/** Before the number: "page 40", "level 3". */
const COUNTED_BEFORE = new Set("page episode chapter level issue volume season week day step room version size grade".split(" "));
const WORD = /\d{1,2}:\d\d|[\p{L}\p{N}']+/gu;
/** Words that subjects do not differ in. */
export const GENERAL: ReadonlySet<string> = stems(
  "need help think thinking know look looking want try trying make sure good great really recommend recommendation tip tips idea ideas suggest suggestion plan planning start started use using work working get getting got also way time day week month year hour minute past last ago recently new lot bit thing interested wondering question information specific provide " +
    "am pm around usually every everyday weekday weekdays weekend weekends morning evening night monday tuesday wednesday thursday friday saturday sunday routine today tomorrow one two three first second third now current currently lately just already far well feel love like",
);

const read = new Map<string, SentenceValues>();
const READ_LIMIT = 4_000;

/** Sentences come again and again as neighbours of new ones, so the last are kept. */
export function valuesOf(sentence: string): SentenceValues {
  let values = read.get(sentence);
  if (!values) {
    if (read.size >= READ_LIMIT) read.clear();
    read.set(sentence, (values = parse(sentence.replace(PREFIX, "") || sentence)));
  }
  return values;
}

function parse(text: string): SentenceValues {
  const words = [...text.matchAll(WORD)].map((match) => ({
    word: match[0].toLowerCase(),
    at: match.index,
    end: match.index + match[0].length,
  }));
  const clocks: (readonly string[])[] = [];
  const numbers: StatedNumber[] = [];
  for (const { index, text: number, values, vague } of numberMentions(text)) {
    if (values.some((value) => value.includes(":"))) clocks.push(values);
    else if (
      !(
        vague &&
        /^(?:one|second|first|single)$/iu.test(number) &&
        /^\s*(?:of|more|day|time|thing|place|half)\b/iu.test(text.slice(index + number.length))
      )
    )
      numbers.push({ values, units: unitsAt(words, index, index + number.length) });
  }
  return {
    numbers,
    scores: new Set(text.match(SCORE) ?? []),
    clocks,
    weekdays: new Set([...text.matchAll(WEEKDAY)].map((match) => (match[1] as string).toLowerCase())),
    dates: new Set((text.match(MONTH_DAY) ?? []).map((date) => date.toLowerCase())),
    terms: new Set(termsOf(text)),
    nearClock: near(words, text, CLOCK, 8),
    nearWeekday: near(words, text, WEEKDAY, 4),
    firstPerson: FIRST_PERSON.test(text),
    wished: isWished(text),
    oneWeekday: ONE_WEEKDAY.test(text),
    moved: MOVED.test(text),
  };
}

interface PlacedWord {
  readonly word: string;
  readonly at: number;
  readonly end: number;
}

function unitsAt(words: readonly PlacedWord[], start: number, end: number): ReadonlySet<string> {
  const units = new Set<string>();
  const next = words.findIndex(({ at }) => at >= end);
  for (const { word } of next < 0 ? [] : words.slice(next, next + 4)) {
    if (BREAKS.has(word) || /^\d/.test(word)) break;
    if (!ENGLISH_STOP_WORDS.has(word) && !NO_UNIT.has(word)) units.add(stem(word));
  }
  const before = words.findLast(({ end: last }) => last <= start)?.word;
  if (before !== undefined && COUNTED_BEFORE.has(before)) units.add(stem(before));
  return units;
}

/** Stems of content words within so many words of each match. */
function near(words: readonly PlacedWord[], text: string, pattern: RegExp, distance: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(pattern)) {
    const first = words.findIndex(({ at }) => at >= match.index);
    const middle = first < 0 ? words.length : first;
    for (const { word } of words.slice(Math.max(0, middle - distance), middle + distance))
      for (const term of termsOf(word)) if (!/^\d/.test(term)) found.add(term);
  }
  return found;
}

function isWished(text: string): boolean {
  const places = [...numberMentions(text).map(({ index }) => index), ...[...text.matchAll(WEEKDAY)].map(({ index }) => index)];
  if (places.length === 0) return isWish(text);
  return places.every((place) => {
    const before = text.slice(0, place);
    const clause = [...before.matchAll(CLAUSE_START)].at(-1);
    return isWish(clause ? before.slice(clause.index + clause[0].length) : before);
  });
}
