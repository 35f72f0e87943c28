/** The periods that English names from now on or back: "last week", "this Friday", "the summer before last". */

import { calendarDayOf, DAY } from "./calendar.js";
import { lower, seasonNamed, shiftOf, WEEKDAYS, weekdayNumber } from "./time-english-words.js";
import type { Reference, Span, Tense } from "./time-span.js";
import { day, month, seasonNear, seasonOf, week, weekend, year } from "./time-span.js";
import { nextWeekday, weekday } from "./time-weekday.js";

/** @param match its groups: last, this or next; the period */
export function named(match: RegExpExecArray, reference: Reference, tense: () => Tense): Span | undefined {
  const shift = shiftOf(match[1]);
  const word = lower(match[2]);
  switch (word) {
    case "day":
      return shift < 0
        ? { from: reference.today - 2 * DAY, to: reference.now, label: day(reference.today - DAY).label }
        : undefined;
    case "night":
      return day(reference.today + shift * DAY);
    case "week":
      return week(reference, shift, tense());
    case "weekend":
      return weekend(reference, shift, tense());
    case "month":
      return month(reference.year, reference.month + shift);
    case "year":
      return year(reference.year + shift);
    default:
      return lower(match[1]) === "next"
        ? nextWeekday(reference, weekdayNumber(word))
        : weekday(reference, weekdayNumber(word), shift, tense());
  }
}

/** @param match its group: the period */
export function beforeLast(match: RegExpExecArray, reference: Reference): Span | undefined {
  const word = lower(match[1]);
  if (word === "week") return week(reference, -2, "past");
  if (word === "weekend") return weekend(reference, -2, "past");
  if (word === "month") return month(reference.year, reference.month - 2);
  if (word === "year") return year(reference.year - 2);
  if (word === "night") return day(reference.today - 2 * DAY);
  if (WEEKDAYS.includes(word)) return weekday(reference, WEEKDAYS.indexOf(word), -2, "past");
  return seasonOf(calendarDayOf(seasonNear(reference, seasonNamed(word), -1, "past").from).year - 1, seasonNamed(word));
}

/** "Black Friday", "our Mental Health Monday": names, not days of this week. */
export function isName(match: RegExpExecArray): boolean {
  // "At Nordlicht on Friday" is none.
  if (match[0] !== match[1]) return false;
  const before = match.input.slice(Math.max(0, match.index - 40), match.index);
  return (
    /\b(?:black|cyber|good|ash|palm|easter|super) $/iu.test(before) ||
    /[\p{L},] (?:\p{Lu}\p{Ll}+ )+$|["“](?:\p{Lu}\p{Ll}+ )+$/u.test(before)
  );
}
