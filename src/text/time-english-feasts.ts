/** The feasts of a fixed date that English names: "last Christmas", "on Halloween". */

import { wallOfDay } from "./calendar.js";
import { lower, shiftOf, yearOr } from "./time-english-words.js";
import type { Reference, Span, Tense } from "./time-span.js";
import { dayRange, yearOfDay } from "./time-span.js";

/** Fixed feasts: month, first and last day. */
const FEASTS: Readonly<Record<string, readonly [number, number, number]>> = {
  "christmas eve": [12, 24, 24],
  christmas: [12, 24, 26],
  "christmas day": [12, 25, 25],
  "new year's eve": [12, 31, 31],
  "new year's day": [1, 1, 1],
  "valentine's day": [2, 14, 14],
  halloween: [10, 31, 31],
};

/** @param match its groups: last, this or next; the feast; the year */
export function feast(match: RegExpExecArray, reference: Reference, tense: () => Tense): Span | undefined {
  const [named, first, last] = FEASTS[lower(match[2]).replace("’", "'")] ?? [0, 0, 0];
  if (named === 0) return undefined;
  const shift = shiftOf(match[1]);
  let value = yearOr(match[3], () => yearOfDay(reference, named, first, shift > 0 ? "future" : shift < 0 ? "past" : tense()));
  if (match[3] === undefined && shift < 0 && wallOfDay(value, named, last) >= reference.today) value -= 1;
  return dayRange(value, named, first, last);
}
