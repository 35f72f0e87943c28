/** Calendar days in a person's time zone.
 *
 * A *wall time* is what a clock on that person's wall shows, as milliseconds: `Date.UTC` of its year, month, day and hour.
 * Days, weeks and months are counted in wall time, where every day has 24 hours, and turned into instants at the end. */

import type { Timestamp } from "../types.js";

/** Milliseconds of local calendar time; see above. */
export type Wall = number;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** What a zone's formatter and its latest answers cost to make: about 30 µs an answer. */
interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Wall time minus instant, by quarter of an hour: clocks change at no other moment. */
  readonly offsets: Map<number, number>;
  /** The same by UTC day, where it holds all day; NaN where clocks change. A memory's days are few and asked for again. */
  readonly steady: Map<number, number>;
}

const QUARTER = HOUR / 4;
const MAX_OFFSETS = 512;
/** Days of more than twenty years. */
const MAX_STEADY = 8_192;
/** The last day that a date can hold, from 1970. */
const LAST_DAY = 100_000_000;
const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    zone = { format, offsets: new Map(), steady: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

function offsetAt(at: Timestamp, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const day = Math.floor(at / DAY);
  if (day >= LAST_DAY) return offsetOfQuarter(at, zone);
  let offset = zone.steady.get(day);
  if (offset === undefined) {
    const first = offsetOfQuarter(day * DAY, zone);
    // No zone has moved its clocks there and back within a day.
    offset = first === offsetOfQuarter((day + 1) * DAY, zone) ? first : Number.NaN;
    if (zone.steady.size >= MAX_STEADY) zone.steady.clear();
    zone.steady.set(day, offset);
  }
  return Number.isNaN(offset) ? offsetOfQuarter(at, zone) : offset;
}

function offsetOfQuarter(at: Timestamp, { format, offsets }: Zone): number {
  const quarter = Math.floor(at / QUARTER);
  const known = offsets.get(quarter);
  if (known !== undefined) return known;
  const start = quarter * QUARTER;
  const parts: Record<string, number> = {};
  let beforeChrist = false;
  for (const { type, value } of format.formatToParts(start)) {
    if (type === "era") beforeChrist = value.startsWith("B");
    else parts[type] = Number(value);
  }
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = wallOfDay(beforeChrist ? 1 - year : year, month, day) + hour * HOUR + minute * 60_000 + second * 1000;
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  offsets.set(quarter, wall - start);
  return wall - start;
}

/** Wall time of midnight; days beyond the month's end run on, years below 100 are meant as they are. */
export function wallOfDay(year: number, month: number, day: number): Wall {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

/** The wall time in a zone at an instant.
 * @throws RangeError for an unknown zone or a time that no date can hold */
export function wallOf(at: Timestamp, timeZone: string): Wall {
  if (!Number.isFinite(new Date(at).getTime())) throw new RangeError(`no date can hold the time ${at}`);
  if (timeZone === "UTC") return at;
  // At either end of time a zone's clock would leave what a date can hold.
  return Math.max(-LAST_DAY * DAY, Math.min(LAST_DAY * DAY, at + offsetAt(at, timeZone)));
}

/** The instant at which a zone's clocks show a wall time: the first of two where an hour repeats; where one is skipped, the
 * time by the clock before the change. */
export function instantOf(wall: Wall, timeZone: string): Timestamp {
  if (timeZone === "UTC") return wall;
  // Offsets on both sides of any change within a day; the earlier instant wins when both read right.
  const before = wallOf(wall - DAY, timeZone) - (wall - DAY);
  const after = wallOf(wall + DAY, timeZone) - (wall + DAY);
  if (before === after) return wall - before;
  for (const offset of [before, after]) if (wallOf(wall - offset, timeZone) === wall) return wall - offset;
  return wall - before;
}

export function calendarDayOf(wall: Wall): CalendarDay {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export const startOfDay = (wall: Wall): Wall => Math.floor(wall / DAY) * DAY;

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (wall: Wall): number => (((Math.floor(wall / DAY) + 3) % 7) + 7) % 7;

export const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** "7 May 2023". */
export function dayText(wall: Wall): string {
  const { year, month, day } = calendarDayOf(wall);
  return `${day} ${MONTH_NAMES[month - 1] ?? ""} ${year}`;
}

const padded = (value: number, length: number): string => String(Math.abs(value)).padStart(length, "0");

/** "2023-05-07". */
export function isoDayText(wall: Wall): string {
  const { year, month, day } = calendarDayOf(wall);
  return `${year < 0 ? "-" : ""}${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** The day of an instant in a zone, for people: "7 May 2023".
 * @throws RangeError for an unknown zone or a time that no date can hold */
export function formatDay(at: Timestamp, timeZone: string): string {
  return dayText(wallOf(at, timeZone));
}

/** The day of an instant in a zone, as ISO 8601 has it: "2023-05-07".
 * @throws RangeError for an unknown zone or a time that no date can hold */
export function formatIsoDay(at: Timestamp, timeZone: string): string {
  return isoDayText(wallOf(at, timeZone));
}
