/** Times of exports: seconds, milliseconds or text, with or without a zone. */

import { DAY, HOUR, instantOf, wallOfDay } from "../text/calendar.js";
import type { Timestamp } from "../types.js";

/** Numbers below are seconds until the year 5138, above them milliseconds, then micro- and nanoseconds. */
const SECONDS = 1e11;
const MILLISECONDS = 1e14;
const MICROSECONDS = 1e17;

const WRITTEN =
  /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\s*\(\w+\))?(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?\s*$/i;
/** "1:56 pm on 8 May, 2023". */
const SPOKEN = /^\s*(\d{1,2}):(\d{2})\s*(am|pm)\s+on\s+(\d{1,2})\s+(\p{L}+),?\s+(\d{4})\s*$/iu;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since the epoch, or undefined for what is no time; zero too, which stands for a missing one.
 * @param timeZone of times that name none */
export function timeOf(value: unknown, timeZone: string): Timestamp | undefined {
  if (typeof value === "number") return instantOfNumber(value);
  if (typeof value !== "string") return undefined;
  if (/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return instantOfNumber(Number(value));
  return writtenTime(value, timeZone) ?? spokenTime(value, timeZone) ?? otherTime(value);
}

/** The first of several values that is a time. */
export function firstTimeOf(values: readonly unknown[], timeZone: string): Timestamp | undefined {
  for (const value of values) {
    const at = timeOf(value, timeZone);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** The messages with the time of a neighbour where they have none: of the one before, else of the one after, else `fallback`. */
export function withTimes<M extends { readonly at?: Timestamp }>(messages: readonly M[], fallback: Timestamp | undefined): M[] {
  let last: Timestamp | undefined;
  const first = messages.find(({ at }) => at !== undefined)?.at ?? fallback;
  return messages.map((message) => {
    const at = message.at ?? last ?? first;
    last = at;
    return at === undefined ? message : { ...message, at };
  });
}

function instantOfNumber(value: number): Timestamp | undefined {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return undefined;
  if (size < SECONDS) return Math.round(value * 1_000);
  if (size < MILLISECONDS) return Math.round(value);
  if (size < MICROSECONDS) return Math.round(value / 1_000);
  return Math.round(value / 1e6);
}

function writtenTime(text: string, timeZone: string): Timestamp | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = WRITTEN.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const ms = Math.floor(Number(`0.${fraction || "0"}`) * 1_000);
  const wall =
    wallOfDay(Number(year), Number(month), Number(day)) +
    Number(hour) * HOUR +
    Number(minute) * 60_000 +
    Number(second) * 1_000 +
    ms;
  if (zone === undefined) return instantOf(wall, timeZone);
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d{2}):?(\d{2})/.exec(zone) ?? [];
  const offset = Number(hours) * HOUR + Number(minutes) * 60_000;
  return offset >= DAY ? undefined : wall - (sign === "-" ? -offset : offset);
}

function spokenTime(text: string, timeZone: string): Timestamp | undefined {
  const [, hour, minute, half, day, month, year] = SPOKEN.exec(text) ?? [];
  const number = MONTHS.indexOf(month?.slice(0, 3).toLowerCase() ?? "") + 1;
  if (hour === undefined || number === 0) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return instantOf(wallOfDay(Number(year), number, Number(day)) + hours * HOUR + Number(minute) * 60_000, timeZone);
}

/** "Tue, 14 Jan 2025 10:30:00 GMT": what names its zone and the platform can read. */
function otherTime(text: string): Timestamp | undefined {
  if (!/\d{4}/.test(text) || !/(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?$/.test(text.trim())) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) || at === 0 ? undefined : at;
}
