/** Finds the times that a text speaks of, as windows in the person's time zone. */

import type { Timestamp, TimeWindow } from "../types.js";
import type { Wall } from "./calendar.js";
import { instantOf, wallOf } from "./calendar.js";
import { anchored } from "./time-anchors.js";
import { english } from "./time-english.js";
import type { Reference, Rule, Span, Tense, TimeGrammar } from "./time-span.js";
import { inYear, range, referenceOf } from "./time-span.js";
import { nearer, tenseAround } from "./time-tense.js";

export { formatDay, formatIsoDay } from "./calendar.js";

/** One expression of time in a text. */
export interface TimeMention {
  /** The expression, a slice of the text. */
  readonly text: string;
  /** Where it starts. */
  readonly index: number;
  /** When that is; widened where people are vague ("two weeks ago": three days to both sides). */
  readonly window: TimeWindow;
  /** Whether it depends on when it was said: "yesterday", but also "in May" without a year. */
  readonly relative: boolean;
  /** The date in absolute words: "7 May 2023", "week of 1 May 2023", "May 2023"; in numbers for languages but English. */
  readonly date: string;
  /** Another date is about as likely: nothing tells the tense, and the dates before and after are about as far. */
  readonly doubtful: boolean;
}

/** Which date is meant where no tense tells: the last one, as questions mean it, or the nearest, as statements do. */
export type Bias = "past" | "nearest";

export interface TimeOptions {
  /** When the text was said. */
  readonly at: Timestamp;
  /** IANA name of the speaker's zone. */
  readonly timeZone: string;
  /** "past" by default; with "nearest" a mention may be doubtful. */
  readonly bias?: Bias;
  /** Characters looked at from the start, so that long texts cost no more; 2,000 by default. */
  readonly maxLength?: number;
}

export type TimeLanguage = "de" | "es" | "zh";

/** English always; the others as they are loaded. */
const grammars: TimeGrammar[] = [english];

const loaders: Readonly<Record<TimeLanguage, () => Promise<TimeGrammar>>> = {
  de: async () => (await import("./time-german.js")).german,
  es: async () => (await import("./time-spanish.js")).spanish,
  zh: async () => (await import("./time-chinese.js")).chinese,
};

/** Adds languages to what {@link timeMentions} understands from then on; asking twice is free.
 * @throws RangeError for a language that there is none of */
export async function loadTimeLanguages(languages: readonly TimeLanguage[]): Promise<void> {
  for (const language of languages) {
    if (!Object.hasOwn(loaders, language))
      throw new RangeError(`there is no time grammar for "${language}"; there are de, es and zh`);
    const grammar = await loaders[language]();
    if (!grammars.includes(grammar)) grammars.push(grammar);
  }
}

interface Found {
  readonly index: number;
  readonly length: number;
  readonly span: Span;
  readonly grammar: TimeGrammar;
}

/** A year, or a decade: the expression means the same whenever it is said. */
const ABSOLUTE = /\d{4}|\d0s$|\/\d{2}$/u;
/** The nearest that an expression without a tense may mean. */
function either(rule: Rule, match: RegExpExecArray, reference: Reference): Span | undefined {
  const [past, future] = [rule.resolve(match, reference, () => "past"), rule.resolve(match, reference, () => "future")];
  const span = nearer(past, future, reference);
  return span !== undefined && rule.vague ? { ...span, doubtful: true } : span;
}

/** Finds what one grammar knows; with the bias "nearest" both tenses are tried where none is told. */
function findSpans(text: string, reference: Reference, grammar: TimeGrammar, bias: Bias, found: Found[]): void {
  for (const rule of grammar.rules) {
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(text); match !== null; match = rule.pattern.exec(text)) {
      const { index } = match;
      const { length } = match[0];
      if (length === 0) {
        rule.pattern.lastIndex += 1;
        continue;
      }
      if (found.some((other) => index < other.index + other.length && other.index < index + length)) continue;
      let told: Tense | undefined;
      const resolved = rule.resolve(match, reference, () => {
        told ??= tenseAround(text, index, length, grammar.tense);
        return told;
      });
      const span =
        bias === "nearest" && told === "unknown" && rule.settled === undefined ? either(rule, match, reference) : resolved;
      if (span === undefined || !(span.from < span.to)) continue;
      found.push({ index, length, span, grammar });
    }
  }
}

/** Adds an expression that overlaps no other, or holds those that it overlaps: "24 April 2023" is no "April 2023" of a language
 * that writes the day otherwise. */
function addLonger(found: Found[], one: Found): void {
  const end = one.index + one.length;
  const overlapped = found.filter((other) => one.index < other.index + other.length && other.index < end);
  const holds = ({ index, length }: Found): boolean => one.index <= index && index + length <= end && length < one.length;
  if (!overlapped.every(holds)) return;
  for (const other of overlapped) found.splice(found.indexOf(other), 1);
  found.push(one);
}

const yearIn = (text: string): number | undefined => Number(/\d{4}/u.exec(text)?.[0] ?? Number.NaN) || undefined;

/** The range between two expressions, where only "to" or its like stands between them. A year said once holds for both. */
function rangeBetween(text: string, first: Found, second: Found): Span | undefined {
  const gap = text.slice(first.index + first.length, second.index);
  if (first.grammar !== second.grammar || gap.length > 9 || !first.grammar.rangeJoin.test(gap)) return undefined;
  const between = /\b(?:between|zwischen|entre)\s*$/iu.test(text.slice(Math.max(0, first.index - 12), first.index));
  if (!between && /and|und|y/iu.test(gap)) return undefined;
  const [firstYear, secondYear] = [first, second].map(({ index, length }) => yearIn(text.slice(index, index + length)));
  const from = firstYear === undefined && secondYear !== undefined ? inYear(first.span, secondYear) : first.span;
  const to = secondYear === undefined && firstYear !== undefined ? inYear(second.span, firstYear) : second.span;
  const whole = range(from ?? first.span, to ?? second.span);
  const told = firstYear !== undefined || secondYear !== undefined;
  return whole && !told && (first.span.doubtful || second.span.doubtful) ? { ...whole, doubtful: true } : whole;
}

/** Joins "3 May" and "5 June" in "from 3 May to 5 June" to one range. */
function joinRanges(text: string, found: readonly Found[]): Found[] {
  const joined: Found[] = [];
  for (const next of found) {
    const last = joined.at(-1);
    const span = last === undefined ? undefined : rangeBetween(text, last, next);
    if (last === undefined || span === undefined) joined.push(next);
    else joined[joined.length - 1] = { ...last, length: next.index + next.length - last.index, span };
  }
  return joined;
}

/** Reads "the week before 3 August" as a week, not as the 3rd; what stood inside the longer expression goes. */
function withAnchors(text: string, found: readonly Found[]): Found[] {
  const anchoredOnes = found.map((one) => {
    if (one.grammar !== english) return one;
    const better = anchored(text, one.index, text.slice(one.index, one.index + one.length), one.span);
    if (better === undefined) return one;
    const span: Span = one.span.doubtful ? { ...better.span, doubtful: true } : better.span;
    return { ...one, index: better.index, length: one.index + one.length - better.index, span };
  });
  return anchoredOnes.filter(
    (one, index) =>
      !anchoredOnes.some((other, at) => at > index && other.index <= one.index && one.index < other.index + other.length),
  );
}

const clampWall = (wall: Wall): Wall => Math.max(-8.64e15 + 2e8, Math.min(8.64e15 - 2e8, wall));

/** The times that a text speaks of, in the order of the text, not overlapping.
 *
 * Without a year the past is meant (or the nearest, see {@link Bias}), unless the sentence speaks of what is to come. English always; other languages after
 * {@link loadTimeLanguages}. A text without words of time costs a test of one pattern.
 * @throws RangeError for an unknown zone or a time that no date can hold */
export function timeMentions(text: string, options: TimeOptions): TimeMention[] {
  const { at, timeZone, bias = "past", maxLength = 2000 } = options;
  const looked = text.length > maxLength ? text.slice(0, maxLength) : text;
  const spoken = grammars.filter((grammar) => grammar.hint.test(looked));
  if (spoken.length === 0) return [];
  const reference = referenceOf(wallOf(at, timeZone));
  const found: Found[] = [];
  // English last: its month and day names are also those of other languages, whose rules know more about them.
  for (const grammar of spoken.reverse()) {
    const own: Found[] = [];
    findSpans(looked, reference, grammar, bias, own);
    for (const one of own) addLonger(found, one);
  }
  found.sort((left, right) => left.index - right.index);
  return joinRanges(looked, withAnchors(looked, found)).map(({ index, length, span, grammar }) => ({
    text: looked.slice(index, index + length),
    index,
    window: { from: instantOf(clampWall(span.from), timeZone), to: instantOf(clampWall(span.to), timeZone) },
    relative: !ABSOLUTE.test(looked.slice(index, index + length)),
    date: grammar.labelText(span.label),
    doubtful: span.doubtful === true,
  }));
}
