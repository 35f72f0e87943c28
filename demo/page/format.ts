/** How the page writes dates, times, counts and sizes. */

import type { Timestamp, TimeWindow } from "keepsake";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const NUMBER = new Intl.NumberFormat("en-GB");
const DAY_MS = 86_400_000;

/** "5 May 2025" */
export function day(at: Timestamp): string {
  return DAY.format(at);
}

/** "Monday 5 May 2025" */
export function longDay(at: Timestamp): string {
  return WEEKDAY.format(at);
}

/** "19:20" */
export function clock(at: Timestamp): string {
  return CLOCK.format(at);
}

/** The value of a `datetime` attribute. */
export function isoTime(at: Timestamp): string {
  return new Date(at).toISOString();
}

/** "16 May 2025 – 20 May 2025", or one day where the window is no longer. */
export function span({ from, to }: TimeWindow): string {
  return to - from <= DAY_MS * 1.1 ? day(from) : `${day(from)} – ${day(to - 1)}`;
}

/** "3.4 ms" */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** "1,234" */
export function whole(value: number): string {
  return NUMBER.format(value);
}

/** "1 memory", "2 memories" */
export function plural(value: number, one: string, many: string): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

/** "1.4 MB" */
export function bytes(size: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** The start of a long text, for a label that is read aloud. */
export function shorten(text: string, length = 60): string {
  const points = [...text];
  return points.length <= length
    ? text
    : `${points
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}
