/** Times that English counts from another date: "the week before 3 August", "the first weekend of May". */

import { DAY, weekdayOf } from "./calendar.js";
import { COUNT, countOf, lower, WEEKDAY, WEEKDAYS } from "./time-english-words.js";
import type { Span, Unit } from "./time-span.js";
import { ago, day, month, range, referenceOf, weekend } from "./time-span.js";
import { weekday } from "./time-weekday.js";

/** Characters before a date in which its anchor stands. */
const REACH = 48;
const NAMED = `(day|week|weekend|month|year|${WEEKDAY.slice(1, -1)})`;
const BESIDE = new RegExp(
  `\\b(?:(?:the )?${COUNT} |the |on (?:the )?)?${NAMED}s? (before|after|prior to|following) (?:the )?$`,
  "i",
);
const OF = new RegExp(
  `\\b(?:the )?(?:(first|second|third|fourth|last) )?(week|weekend|${WEEKDAY.slice(1, -1)}) (?:of|in) (?:the )?$`,
  "i",
);
const ORDINALS: readonly string[] = ["first", "second", "third", "fourth"];
/** The date itself, without the word that led to it. */
const LEAD = /^(?:of|in|on|before|after) /i;

export interface Anchored {
  /** Where the whole expression starts. */
  readonly index: number;
  readonly span: Span;
}

/** Days beside a date, from `from` for `length` days. */
function days(from: number, length: number): Span | undefined {
  return range(day(from), day(from + (length - 1) * DAY));
}

function beside(span: Span, count: number | undefined, word: string, after: boolean): Span | undefined {
  const reference = referenceOf(after ? span.to - DAY : span.from);
  const named = WEEKDAYS.indexOf(word);
  if (named >= 0) return weekday(reference, named, after ? 1 : -1, "unknown");
  if (word === "weekend") {
    // The Saturday on the asked side, a weekend counting from Friday.
    const toSaturday = after ? (5 - reference.weekday + 7) % 7 || 7 : -((reference.weekday - 5 + 7) % 7 || 7);
    return weekend(referenceOf(reference.today + toSaturday * DAY), 0, "unknown");
  }
  if (count !== undefined || word === "day") {
    const steps = (count ?? 1) * (after ? -1 : 1);
    return word === "day" && Number.isInteger(steps) ? day(reference.today - steps * DAY) : ago(reference, steps, word as Unit);
  }
  if (word === "week") return days(after ? span.to : span.from - 7 * DAY, 7);
  if (word === "month") return month(reference.year, reference.month + (after ? 1 : -1));
  return undefined;
}

/** The nth weekend, weekday or week of a month; -1 for the last. */
function within(span: Span, ordinal: number, word: string): Span | undefined {
  const last = span.to - DAY;
  if (word === "week") return ordinal < 0 ? days(span.to - 7 * DAY, 7) : days(span.from + ordinal * 7 * DAY, 7);
  const wanted = word === "weekend" ? 5 : WEEKDAYS.indexOf(word);
  const found =
    ordinal < 0
      ? last - ((weekdayOf(last) - wanted + 7) % 7) * DAY
      : span.from + (((wanted - weekdayOf(span.from) + 7) % 7) + ordinal * 7) * DAY;
  return word === "weekend" ? weekend(referenceOf(found), 0, "unknown") : day(found);
}

/** What an expression before a date makes of it, or undefined.
 * @param index where the date starts in the text; @param found its words */
export function anchored(text: string, index: number, found: string, span: Span): Anchored | undefined {
  const { grain } = span.label;
  if (grain !== "day" && grain !== "month") return undefined;
  const at = index + (LEAD.exec(found)?.[0].length ?? 0);
  const start = Math.max(0, at - REACH);
  const before = text.slice(start, at);
  const side = BESIDE.exec(before);
  if (side !== null) {
    const word = lower(side[2]);
    const made = beside(
      span,
      side[1] === undefined ? undefined : countOf(side[1]),
      word,
      /^(?:after|following)$/i.test(side[3] ?? ""),
    );
    return made && { index: start + side.index, span: made };
  }
  const of = OF.exec(before);
  if (of === null) return undefined;
  const word = lower(of[2]);
  if (of[1] === undefined) {
    if (grain !== "day" || (word !== "week" && word !== "weekend")) return undefined;
    const reference = referenceOf(span.from);
    const monday = reference.today - reference.weekday * DAY;
    const made = word === "week" ? days(monday, 7) : weekend(reference, 0, "unknown");
    return made && { index: start + of.index, span: made };
  }
  const made = grain === "month" ? within(span, ORDINALS.indexOf(lower(of[1])), word) : undefined;
  return made && { index: start + of.index, span: made };
}
