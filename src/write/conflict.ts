/** Tells whether a newer sentence gives another value for what an older one says.
 *
 * A guess, made for precision and still wrong more often than right on unseen text: its result is a mark, and hides nothing.
 * Constants were set on the knowledge updates of LongMemEval: it finds .62 of the old values there. */

import { stem, termsOf } from "../text/terms.js";
import { isNegated, isOpen } from "./signals.js";
import { GENERAL, type SentenceValues, valuesOf } from "./values.js";

export type ValueChange = "number" | "score" | "clock" | "weekday" | "moved" | "reversal";

/** Cosine of two sentences from which they speak of one thing. */
export const MIN_COSINE = 0.65;
/** How rare the shared subject must be, as a sum of inverse document frequencies: for a score or a time of the day; for a duration; for a
 * number or a weekday; for "moved" and its like. */
const RARE = 3;
const RARE_DURATION = 4;
const RARE_NUMBER = 6;
const RARE_MOVED = 10;

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));
const DURATIONS = stems("minute hour day week month year");
const TIMES = stem("times");
/** Units that many things are counted in. */
const GENERAL_UNITS = stems(
  "minute minutes hour hours day days week weeks month months year years time times century mm gb word words mean got since run include exceed space step chapter people k item items way part one ones more rule april may june july march february january august september october november december",
);

/** Of the words of two sentences that are one denial apart, so many are the same. */
const REVERSED = 0.9;

/** Whether two sentences say the opposite in the same words: "allowed on Fridays" and "not allowed on Fridays". */
export function isReversal(older: string, newer: string): boolean {
  if (isNegated(older) === isNegated(newer) || isOpen(older) || isOpen(newer)) return false;
  const [a, b] = [affirmed(older), affirmed(newer)];
  const common = [...a].filter((term) => b.has(term)).length;
  return common >= 2 && common >= REVERSED * Math.max(a.size, b.size);
}

const affirmed = (text: string): ReadonlySet<string> => new Set(termsOf(text).filter((term) => !DENIAL.test(term)));
const DENIAL = /^(?:not|no|never|without|nor|neither|longer|nicht|kein.*|nie|nunca|sin|.*[不没].*|ani?more|more)$/u;

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...a].filter((one) => b.has(one));
const isDisjoint = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && shared(a, b).length === 0;

/** @param older,newer sentences of one speaker in two sessions, whose cosine is {@link MIN_COSINE} or more
 * @param idf how rare a term is: ln(1 + N / (n + .5)) */
export function valueChange(older: string, newer: string, idf: (term: string) => number): ValueChange | undefined {
  const a = valuesOf(older);
  const b = valuesOf(newer);
  if (!a.firstPerson || !b.firstPerson || a.wished || isDisjoint(a.dates, b.dates)) return undefined;
  const units = changedUnits(a, b);
  const subject = shared(a.terms, b.terms).filter((term) => !units.has(term) && !GENERAL.has(term) && !/^\d+$/.test(term));
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + idf(term), 0);
  const rarity = sum(subject);
  if (numberChanged(units, subject, rarity, sum)) return "number";
  if (isDisjoint(a.scores, b.scores) && rarity >= RARE) return "score";
  if (clockChanged(a, b, sum)) return "clock";
  if (isDisjoint(a.weekdays, b.weekdays) && !a.oneWeekday && !b.oneWeekday) {
    const around = shared(a.nearWeekday, b.nearWeekday).filter((term) => !GENERAL.has(term));
    if (around.length > 0 && sum(around) >= RARE_NUMBER) return "weekday";
  }
  return b.moved && !a.moved && rarity >= RARE_MOVED ? "moved" : undefined;
}

/** Units that both count, with no number in common. */
function changedUnits(a: SentenceValues, b: SentenceValues): ReadonlySet<string> {
  const changed = new Set<string>();
  const equal = new Set<string>();
  for (const one of a.numbers)
    for (const other of b.numbers) {
      const isEqual = one.values.some((value) => other.values.includes(value));
      for (const unit of shared(one.units, other.units)) (isEqual ? equal : changed).add(unit);
    }
  for (const unit of equal) changed.delete(unit);
  return changed;
}

function numberChanged(
  units: ReadonlySet<string>,
  subject: readonly string[],
  rarity: number,
  sum: (terms: readonly string[]) => number,
): boolean {
  const of = [...units];
  if (of.length === 0 || of.every((unit) => GENERAL_UNITS.has(unit) && !DURATIONS.has(unit) && unit !== TIMES)) return false;
  if (of.every((unit) => GENERAL_UNITS.has(unit)))
    return rarity >= (of.some((unit) => DURATIONS.has(unit)) ? RARE_DURATION : RARE_NUMBER);
  const ofUnits = sum(of.filter((unit) => !GENERAL_UNITS.has(unit) && !GENERAL.has(unit)));
  return (subject.length > 0 && rarity + ofUnits >= RARE_NUMBER) || ofUnits >= RARE_NUMBER + RARE;
}

function clockChanged(a: SentenceValues, b: SentenceValues, sum: (terms: readonly string[]) => number): boolean {
  if (a.clocks.length === 0 || b.clocks.length === 0) return false;
  if (a.clocks.some((one) => b.clocks.some((other) => one.some((value) => other.includes(value))))) return false;
  if (isDisjoint(a.weekdays, b.weekdays)) return false;
  const around = shared(a.nearClock, b.nearClock).filter((term) => !GENERAL.has(term));
  return around.length > 0 && sum(around) >= RARE;
}
