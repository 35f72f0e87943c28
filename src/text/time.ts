/** Finds the times that a text speaks of, as windows in the person's time zone. */

import type { Timestamp, TimeWindow } from "../types.js";
import type { Wall } from "./calendar.js";
import { instantOf, wallOf } from "./calendar.js";
import { anchored } from "./time-anchors.js";
import { english } from "./time-english.js";
import type { Reference, Span, Tense, TimeGrammar } from "./time-span.js";
import { inYear, range, referenceOf } from "./time-span.js";

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
}

export interface TimeOptions {
  /** When the text was said. */
  readonly at: Timestamp;
  /** IANA name of the speaker's zone. */
  readonly timeZone: string;
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

const SENTENCE_END = /[.!?\n。！？]/u;
/** A year, or a decade: the expression means the same whenever it is said. */
const ABSOLUTE = /\d{4}|\d0s$|\/\d{2}$/u;
/** A tense is told within this many characters. */
const TENSE_REACH = 120;

/** The tense of the sentence around an expression; where it speaks of both, the words just before decide. */
function tenseAround(text: string, index: number, length: number, grammar: TimeGrammar): Tense {
  let from = index;
  while (from > 0 && index - from < TENSE_REACH && !SENTENCE_END.test(text[from - 1] ?? "")) from -= 1;
  let to = index + length;
  while (to < text.length && to - index < TENSE_REACH && !SENTENCE_END.test(text[to] ?? "")) to += 1;
  const before = text.slice(from, index);
  const after = text.slice(index + length, to);
  const around = `${before} ${after}`;
  const past = grammar.pastCue.test(around);
  const future = grammar.futureCue.test(around);
  if (past && future) return grammar.futureCue.test(before.slice(-40)) ? "future" : "past";
  return past ? "past" : future ? "future" : "unknown";
}

function findSpans(text: string, reference: Reference, grammar: TimeGrammar, found: Found[]): void {
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
      const span = rule.resolve(match, reference, () => tenseAround(text, index, length, grammar));
      if (span === undefined || !(span.from < span.to)) continue;
      found.push({ index, length, span, grammar });
    }
  }
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
  return range(from ?? first.span, to ?? second.span);
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
    return better === undefined
      ? one
      : { ...one, index: better.index, length: one.index + one.length - better.index, span: better.span };
  });
  return anchoredOnes.filter(
    (one, index) =>
      !anchoredOnes.some((other, at) => at > index && other.index <= one.index && one.index < other.index + other.length),
  );
}

const clampWall = (wall: Wall): Wall => Math.max(-8.64e15 + 2e8, Math.min(8.64e15 - 2e8, wall));

/** The times that a text speaks of, in the order of the text, not overlapping.
 *
 * Without a year the past is meant, unless the sentence speaks of what is to come. English always; other languages after
 * {@link loadTimeLanguages}. A text without words of time costs a test of one pattern.
 * @throws RangeError for an unknown zone or a time that no date can hold */
export function timeMentions(text: string, options: TimeOptions): TimeMention[] {
  const { at, timeZone, maxLength = 2000 } = options;
  const looked = text.length > maxLength ? text.slice(0, maxLength) : text;
  const spoken = grammars.filter((grammar) => grammar.hint.test(looked));
  if (spoken.length === 0) return [];
  const reference = referenceOf(wallOf(at, timeZone));
  const found: Found[] = [];
  // English last: its month and day names are also those of other languages, whose rules know more about them.
  for (const grammar of spoken.reverse()) findSpans(looked, reference, grammar, found);
  found.sort((left, right) => left.index - right.index);
  return joinRanges(looked, withAnchors(looked, found)).map(({ index, length, span, grammar }) => ({
    text: looked.slice(index, index + length),
    index,
    window: { from: instantOf(clampWall(span.from), timeZone), to: instantOf(clampWall(span.to), timeZone) },
    relative: !ABSOLUTE.test(looked.slice(index, index + length)),
    date: grammar.labelText(span.label),
  }));
}
