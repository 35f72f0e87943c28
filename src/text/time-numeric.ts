/** Dates that English writes in numbers. */

import { pattern } from "./time-english-words.js";
import type { Rule, Span } from "./time-span.js";
import { calendarDay, month, yearOfDay } from "./time-span.js";

/** "3/14/2023" as Americans write it, the day first where the month cannot be, or where dots part it. */
function numericDay(match: RegExpExecArray): Span | undefined {
  const [left, right] = [Number(match[1]), Number(match[3])];
  if (match[2] !== "/" && match[4]?.length === 2) return undefined;
  const value = Number(match[4]) + (match[4]?.length === 2 ? (Number(match[4]) < 70 ? 2000 : 1900) : 0);
  return match[2] === "." || left > 12 ? calendarDay(value, right, left) : calendarDay(value, left, right);
}

export const NUMERIC_RULES: readonly Rule[] = [
  {
    pattern: pattern("(?<![\\d.-])(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})(?![\\d-])"),
    resolve: (match) => calendarDay(Number(match[1]), Number(match[2]), Number(match[3])),
  },
  { pattern: pattern("(?<![\\w./-])(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})(?![\\w/]|[.-]\\d)"), resolve: numericDay },
  {
    pattern: pattern("\\b(?:on|by|since|until|before|after) (\\d{1,2})/(\\d{1,2})(?![\\w/])"),
    resolve: (match, reference, tense) => {
      const [named, dayNumber] = [Number(match[1]), Number(match[2])];
      return named > 12 ? undefined : calendarDay(yearOfDay(reference, named, dayNumber, tense()), named, dayNumber);
    },
  },
  {
    pattern: pattern("(?<![\\w./-])(0?[1-9]|1[0-2])/(20\\d\\d)(?![\\w/])"),
    resolve: (match) => month(Number(match[2]), Number(match[1])),
  },
];
