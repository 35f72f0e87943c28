/** Spans of local calendar time that expressions like "last week" stand for, and how a grammar of a language states them. */

import type { Wall } from "./calendar.js";
import { calendarDayOf, DAY, dayText, isoDayText, MONTH_NAMES, startOfDay, wallOfDay, weekdayOf } from "./calendar.js";

/** Whether the sentence around an expression tells of what was or of what will be. */
export type Tense = "past" | "future" | "unknown";

/** The moment from which relative expressions count, in wall time. */
export interface Reference {
  readonly now: Wall;
  /** Midnight of that day. */
  readonly today: Wall;
  readonly year: number;
  readonly month: number;
  /** 0 for Monday. */
  readonly weekday: number;
}

export interface Span {
  readonly from: Wall;
  /** Exclusive. */
  readonly to: Wall;
  /** What to write beside the expression. */
  readonly label: Label;
  /** Another reading is about as likely. */
  readonly doubtful?: true;
}

/** The absolute date of a span, before it is put into words. */
export type Label =
  | {
      readonly grain: "day" | "week" | "weekend" | "around" | "month" | "year";
      readonly wall: Wall;
      /** Of a month or a year: about then. */
      readonly rounded?: true;
    }
  | { readonly grain: "season"; readonly wall: Wall; readonly season: Season }
  | { readonly grain: "range"; readonly wall: Wall; readonly until: Wall };

export type Season = "spring" | "summer" | "autumn" | "winter";
export type Unit = "hour" | "day" | "week" | "weekend" | "month" | "year";
/** Which one of the periods around now is meant: -1 the last, 0 this, 1 the next. */
export type Shift = -2 | -1 | 0 | 1;

/** One way to speak of time. */
export interface Rule {
  /** With the flag g. */
  readonly pattern: RegExp;
  /** Says itself which one is meant, as "this weekend" does: a tense that is unknown leaves no doubt. */
  readonly settled?: true;
  /** Often of no one time: only a tense makes a date of it. */
  readonly vague?: true;
  /** @returns undefined where the match means no time after all */
  readonly resolve: (match: RegExpExecArray, reference: Reference, tense: () => Tense) => Span | undefined;
}

/** By what words a language tells the tense; all with the flag g. */
export interface TenseCues {
  /** Verbs of what was. */
  readonly past: RegExp;
  /** Verbs of what will be. */
  readonly future: RegExp;
  /** Ends right before an expression that lies ahead: "is now on". Without the flag g. */
  readonly aheadOf: RegExp;
  /** Nouns and prepositions of what will be, where no verb says otherwise: "deadline", "until". */
  readonly planned: RegExp;
  /** Where another clause may begin. */
  readonly clause: RegExp;
}

/** How one language speaks of time. */
export interface TimeGrammar {
  readonly language: string;
  /** Cheap test without false negatives: a text that fails it holds no expression. No flag g. */
  readonly hint: RegExp;
  /** Earlier rules claim their text first. */
  readonly rules: readonly Rule[];
  /** What stands between the ends of a range: "May 3 to June 5". */
  readonly rangeJoin: RegExp;
  readonly tense: TenseCues;
  readonly labelText: (label: Label) => string;
}

export function referenceOf(now: Wall): Reference {
  const { year, month } = calendarDayOf(now);
  return { now, today: startOfDay(now), year, month, weekday: weekdayOf(now) };
}

/** Length of a unit in days, as recall was measured with. */
const UNIT_DAYS: Readonly<Record<Unit, number>> = { hour: 1 / 24, day: 1, week: 7, weekend: 7, month: 30, year: 365 };
/** People round: "two weeks ago" may be three days off. Half widths in days, as recall was measured with. */
const SLACK_DAYS: Readonly<Record<Unit, number>> = { hour: 1, day: 1, week: 3, weekend: 3, month: 15, year: 120 };

export function day(wall: Wall): Span {
  const from = startOfDay(wall);
  return { from, to: from + DAY, label: { grain: "day", wall: from } };
}

/** A day of the calendar; undefined for 31 February and its like. */
export function calendarDay(year: number, month: number, dayOfMonth: number): Span | undefined {
  const wall = wallOfDay(year, month, dayOfMonth);
  const real = calendarDayOf(wall);
  return real.month === month && real.day === dayOfMonth && real.year === year ? day(wall) : undefined;
}

/** Days `first` to `last` of a month, both included. */
export function dayRange(year: number, month: number, first: number, last: number): Span | undefined {
  const from = calendarDay(year, month, first);
  const until = calendarDay(year, month, last);
  return from === undefined || until === undefined ? undefined : first === last ? from : range(from, until);
}

export function range(first: Span, last: Span): Span | undefined {
  if (last.to <= first.from) return undefined;
  return { from: first.from, to: last.to, label: { grain: "range", wall: first.from, until: last.to - DAY } };
}

/** The same days or months in another year: both ends of "May 3 to June 5, 2022" lie in the year of the second. */
export function inYear(span: Span, value: number): Span | undefined {
  const { month: oneBased, day: dayOfMonth } = calendarDayOf(span.label.wall);
  if (span.label.grain === "day") return calendarDay(value, oneBased, dayOfMonth);
  return span.label.grain === "month" ? month(value, oneBased) : undefined;
}

/** A month, 1 to 12; others run on into the years beside it. */
export function month(year: number, oneBased: number): Span {
  const from = wallOfDay(year, oneBased, 1);
  return { from, to: wallOfDay(year, oneBased + 1, 1), label: { grain: "month", wall: from } };
}

export function year(value: number): Span {
  const from = wallOfDay(value, 1, 1);
  return { from, to: wallOfDay(value + 1, 1, 1), label: { grain: "year", wall: from } };
}

/** The year that a month without one belongs to: the latest that has begun, or the next that has not ended. */
export function yearOfMonth(reference: Reference, oneBased: number, tense: Tense): number {
  if (tense === "future") return oneBased < reference.month ? reference.year + 1 : reference.year;
  return oneBased > reference.month ? reference.year - 1 : reference.year;
}

/** The year that a day without one belongs to; tomorrow still counts as near. */
export function yearOfDay(reference: Reference, oneBased: number, dayOfMonth: number, tense: Tense): number {
  const wall = wallOfDay(reference.year, oneBased, dayOfMonth);
  if (tense === "future") return wall < reference.today ? reference.year + 1 : reference.year;
  return wall > reference.today + DAY ? reference.year - 1 : reference.year;
}

const SEASON_START: Readonly<Record<Season, number>> = { spring: 3, summer: 6, autumn: 9, winter: 12 };

/** A season of the northern half of the earth; a winter belongs to the year it begins in. */
export function seasonOf(value: number, season: Season): Span {
  const start = SEASON_START[season];
  const from = wallOfDay(value, start, 1);
  return { from, to: wallOfDay(value, start + 3, 1), label: { grain: "season", wall: from, season } };
}

/** The last one that is over, the one of now (or the nearest), or the next that has not begun. */
export function seasonNear(reference: Reference, season: Season, shift: Shift, tense: Tense): Span {
  const years = [reference.year - 2, reference.year - 1, reference.year, reference.year + 1].map((value) =>
    seasonOf(value, season),
  );
  const over = years.filter((span) => span.to <= reference.now).at(-1);
  const begun = years.filter((span) => span.from <= reference.now).at(-1);
  const ahead = years.find((span) => span.from > reference.now);
  const current = begun !== undefined && begun.to > reference.now ? begun : undefined;
  const chosen = shift < 0 ? over : shift > 0 ? ahead : (current ?? (tense === "future" ? ahead : over));
  return chosen ?? seasonOf(reference.year, season);
}

/** `count` units before now (after it when negative), as wide as people round. @param upTo "two or three": the larger */
export function ago(reference: Reference, count: number, unit: Unit, upTo = count): Span {
  const slack = SLACK_DAYS[unit] * DAY;
  const early = reference.now - Math.max(count, upTo) * UNIT_DAYS[unit] * DAY;
  const late = reference.now - Math.min(count, upTo) * UNIT_DAYS[unit] * DAY;
  return { from: early - slack, to: late + slack, label: agoLabel(reference, count, unit, upTo) };
}

function agoLabel(reference: Reference, count: number, unit: Unit, upTo: number): Label {
  if (unit === "hour") return { grain: "day", wall: reference.now - count * UNIT_DAYS.hour * DAY };
  if (count !== upTo)
    return { grain: "around", wall: reference.today - Math.round(((count + upTo) / 2) * UNIT_DAYS[unit]) * DAY };
  if (unit === "day") return { grain: "day", wall: reference.today - count * DAY };
  if (unit === "month" && Number.isInteger(count)) return month(reference.year, reference.month - count).label;
  if (unit === "year" && Number.isInteger(count)) return year(reference.year - count).label;
  return { grain: "around", wall: reference.today - Math.round(count * UNIT_DAYS[unit]) * DAY };
}

/** The same span, where its count was no number: "around March 2023". */
export function rounded(span: Span): Span {
  const { label } = span;
  return label.grain === "month" || label.grain === "year" ? { ...span, label: { ...label, rounded: true } } : span;
}

/** The days that lie behind: "the past three weeks" (or ahead, for a negative count). */
export function lasting(reference: Reference, count: number, unit: Unit): Span {
  const length = Math.abs(count) * UNIT_DAYS[unit] * DAY;
  if (count < 0) {
    const to = startOfDay(reference.now + length) + DAY;
    return { from: reference.today, to, label: { grain: "range", wall: reference.today, until: to - DAY } };
  }
  // People count short: 15% more, as recall was measured with.
  const from = reference.now - length * 1.15;
  return { from, to: reference.now, label: { grain: "range", wall: startOfDay(reference.now - length), until: reference.today } };
}

const mondayOf = (reference: Reference): Wall => reference.today - reference.weekday * DAY;

export function week(reference: Reference, shift: Shift, tense: Tense): Span {
  const monday = mondayOf(reference) + shift * 7 * DAY;
  const label: Label = { grain: "week", wall: monday };
  // "Last week" is loose: 4 to 14 days back, as recall was measured with.
  if (shift === -1) return { from: reference.now - 14 * DAY, to: reference.now - 4 * DAY, label };
  if (shift === 0 && tense !== "future") return { from: reference.now - 7 * DAY, to: reference.now, label };
  if (shift === 0) return { from: reference.today, to: monday + 7 * DAY, label };
  return { from: monday, to: monday + 7 * DAY, label };
}

/** A weekend, Friday to Monday morning, as people count it. */
export function weekend(reference: Reference, shift: Shift, tense: Tense): Span {
  const thisSaturday = mondayOf(reference) + 5 * DAY;
  const atWeekend = reference.weekday >= 5;
  // On a Saturday or Sunday "last weekend" is the one before; early in the week "this weekend" of a tale is the one just gone.
  let saturday = thisSaturday + shift * 7 * DAY;
  if (shift === 0 && !atWeekend && tense === "past") saturday -= 7 * DAY;
  return { from: saturday - DAY, to: saturday + 2 * DAY, label: { grain: "weekend", wall: saturday } };
}

const ofYears = (from: Wall, until: Wall): boolean => /-01-01$/u.test(isoDayText(from)) && /-12-31$/u.test(isoDayText(until));

/** The words of a label in English. */
export function englishLabel(label: Label): string {
  const { year: value, month: oneBased } = calendarDayOf(label.wall);
  switch (label.grain) {
    case "day":
      return dayText(label.wall);
    case "week":
    case "weekend":
      return `${label.grain} of ${dayText(label.wall)}`;
    case "around":
      return `around ${dayText(label.wall)}`;
    case "month":
      return `${label.rounded ? "around " : ""}${MONTH_NAMES[oneBased - 1] ?? ""} ${value}`;
    case "season":
      return `${label.season} ${value}`;
    case "year":
      return `${label.rounded ? "around " : ""}${value}`;
    case "range":
      return ofYears(label.wall, label.until)
        ? `${value} to ${calendarDayOf(label.until).year}`
        : `${dayText(label.wall)} to ${dayText(label.until)}`;
  }
}

/** A label in numbers, for languages whose month names we do not carry: "2023-05". */
export function isoLabel(label: Label): string {
  const text = isoDayText(label.wall);
  switch (label.grain) {
    case "day":
      return text;
    case "week":
      return `${text}/${isoDayText(label.wall + 6 * DAY)}`;
    case "weekend":
      return `${text}/${isoDayText(label.wall + DAY)}`;
    case "around":
      return `~${text}`;
    case "month":
      return `${label.rounded ? "~" : ""}${text.slice(0, -3)}`;
    case "year":
      return `${label.rounded ? "~" : ""}${text.slice(0, -6)}`;
    case "season":
      return `${text.slice(0, -3)}/${isoDayText(wallOfDay(calendarDayOf(label.wall).year, SEASON_START[label.season] + 2, 1)).slice(0, -3)}`;
    case "range":
      return `${text}/${isoDayText(label.until)}`;
  }
}
