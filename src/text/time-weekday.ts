/** Which day a weekday or a number of the month means: the last, the next, the one of next week. */

import { calendarDayOf, DAY, weekdayOf } from "./calendar.js";
import type { Reference, Shift, Span, Tense } from "./time-span.js";
import { calendarDay, day, month } from "./time-span.js";

/** The last such weekday before today, this week's nearest, or the next. */
export function weekday(reference: Reference, wanted: number, shift: Shift, tense: Tense): Span {
  const back = (reference.weekday - wanted + 7) % 7 || 7;
  const ahead = (wanted - reference.weekday + 7) % 7;
  if (shift === -2) return day(reference.today - (back + 7) * DAY);
  if (shift === -1) return day(reference.today - back * DAY);
  if (shift === 1) return day(reference.today + (ahead || 7) * DAY);
  // Who means today says "today": a week before or after it is as likely.
  if (ahead === 0) return { ...day(reference.today), doubtful: true };
  return day(tense === "past" ? reference.today - back * DAY : reference.today + ahead * DAY);
}

/** "Next Friday": the one in the week after this one, weeks beginning on Monday, as most speakers mean it beside "this Friday".
 * It is never tomorrow. One that would be more than 11 days off is the coming one to as many; that, and what is almost here at a
 * week's end, is doubtful. */
export function nextWeekday(reference: Reference, wanted: number): Span {
  const inNextWeek = 7 + wanted - reference.weekday;
  if (inNextWeek > 11) return { ...day(reference.today + (inNextWeek - 7) * DAY), doubtful: true };
  const found = day(reference.today + (inNextWeek === 1 ? 8 : inNextWeek) * DAY);
  return inNextWeek < 4 ? { ...found, doubtful: true } : found;
}

/** Months to both sides in which every number of the month meets every weekday, but for some 31sts. */
const MONTHS_AROUND = 14;
/** Beyond so many days nobody names a day by its weekday and number alone, whatever the tense. */
const NUMBERED_REACH = 45 * DAY;

/** "Saturday the 26th": the nearest such day on the side that the tense tells; the nearest of all when that is far away. */
export function weekdayOn(reference: Reference, wanted: number, dayOfMonth: number, tense: Tense): Span | undefined {
  let past: Span | undefined;
  for (let shift = -MONTHS_AROUND; shift <= MONTHS_AROUND; shift += 1) {
    const { year: value, month: oneBased } = calendarDayOf(month(reference.year, reference.month + shift).from);
    const found = calendarDay(value, oneBased, dayOfMonth);
    if (found === undefined || weekdayOf(found.from) !== wanted) continue;
    if (found.from <= reference.today) {
      past = found;
      continue;
    }
    if (past === undefined) return found;
    const [back, ahead] = [reference.today - past.from, found.from - reference.today];
    if (tense !== "future" && back <= (tense === "past" ? NUMBERED_REACH : ahead)) return past;
    if (tense === "future" && ahead <= NUMBERED_REACH) return found;
    return back <= ahead ? past : found;
  }
  return past;
}

/** "the 14th": of this month, or of the nearest one that the tense allows. */
export function dayOfMonth(reference: Reference, wanted: number, tense: Tense): Span | undefined {
  const today = calendarDayOf(reference.today).day;
  const offset = tense === "future" ? (wanted < today ? 1 : 0) : wanted > today ? -1 : 0;
  const from = calendarDayOf(month(reference.year, reference.month + offset).from);
  return calendarDay(from.year, from.month, wanted);
}
