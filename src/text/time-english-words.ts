/** The words that English speaks of time with, and what they count for. */

import type { Season, Shift, Unit } from "./time-span.js";

/** With the dot of an abbreviation before a number: one before anything else may end the sentence. */
export const MONTH =
  "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\b(?:(?<=\\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))\\.(?=,? ?\\d))?";
export const WEEKDAY = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday)";
export const COUNT =
  "(\\d{1,3}|a couple of|a couple|couple of|a few|several|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|half a|an?|few)";
export const UNIT = "(hour|day|week|fortnight|weekend|month|year|decade)s?";
export const SEASON = "(spring|summer|fall|autumn|winter)";
export const YEAR = "(1[89]\\d\\d|20\\d\\d)";
export const LAST = "(last|past|this past|previous|this|next|coming|this coming|upcoming)";
/** "Friday the" before a date says nothing more. */
export const WEEKDAY_LEAD = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? (?:the )?";
export const DAY_NUMBER = "(\\d{1,2})(?:st|nd|rd|th)?";

// biome-ignore format: a table
const COUNTS: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12,
  fifteen: 15, twenty: 20, thirty: 30, "half a": 0.5, "a couple": 2, "a couple of": 2, "couple of": 2, few: 3, "a few": 3, several: 4,
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
export const WEEKDAY_SHORT = "(mon|tues?|wed|thu|thurs?|fri|sat|sun)";
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** Words and names too; read as months only where the sentence leaves no doubt. */
export const DOUBTFUL_MONTH = /^(?:mar|march|apr|april|may|jun|june|aug|august|sep|dec)$/iu;

export const lower = (text: string | undefined): string => (text ?? "").toLowerCase();
export const countOf = (text: string | undefined): number => COUNTS[lower(text)] ?? Number(text);
/** "Tues" and "Tuesday" alike. */
export const weekdayNumber = (text: string | undefined): number =>
  WEEKDAYS.findIndex((name) => name.startsWith(lower(text).slice(0, 3)));
export const monthOf = (text: string | undefined): number => MONTHS.indexOf(lower(text).slice(0, 3)) + 1;
export const seasonNamed = (text: string | undefined): Season => (lower(text) === "fall" ? "autumn" : (lower(text) as Season));
export const shiftOf = (word: string | undefined): Shift => {
  const text = lower(word);
  return /last|past|previous/u.test(text) ? -1 : /next|coming/u.test(text) ? 1 : 0;
};
/** Without the flag u, which doubles the time of a pattern; there is nothing but ASCII and quotes in them. */
export const pattern = (source: string): RegExp => new RegExp(source, "gi");

/** Units and how many of ours one of them is. */
export function unitOf(text: string | undefined): { readonly unit: Unit; readonly times: number } {
  const word = lower(text);
  if (word === "decade") return { unit: "year", times: 10 };
  return word === "fortnight" ? { unit: "week", times: 2 } : { unit: word as Unit, times: 1 };
}
/** A year that was said, else a guess. */
export function yearOr(text: string | undefined, otherwise: () => number): number {
  return text === undefined ? otherwise() : Number(text);
}
