/** Whether two sentences state different values of one type, or the same ones. */

import { findIdentifiers } from "../text/identifiers.js";
import { fold } from "../text/terms.js";
import { nameKey, namesIn } from "./names.js";
import { valuesOf } from "./values.js";

/** Keys of the values of a sentence, by their type. */
export const valueKeys = (text: string): Record<"clock" | "weekday" | "number" | "name" | "identifier", readonly string[]> => {
  const { clocks, weekdays, numbers } = valuesOf(text);
  return {
    clock: clocks.flat(),
    weekday: [
      ...weekdays,
      ...(
        text.match(
          /(?:星期|周|礼拜)[一二三四五六日天]|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo)/giu,
        ) ?? []
      ).map(fold),
    ],
    number: numbers.flatMap(({ values }) => values),
    name: namesIn(text)
      .filter(({ opens }) => !opens)
      .map((name) => nameKey(name.text)),
    identifier: findIdentifiers(text),
  };
};

/** Whether two sentences state different values of one type, and the newer does not repeat the older's; of names and codes, whether
 * each has one that the other lacks. */
export function differs(older: string, newer: string): boolean {
  const [a, b] = [valueKeys(older), valueKeys(newer)];
  const lacks = (some: readonly string[], all: readonly string[]): boolean => some.some((value) => !all.includes(value));
  return (
    (["clock", "weekday"] as const).some(
      (type) => a[type].length > 0 && b[type].length > 0 && !a[type].some((value) => b[type].includes(value)),
    ) ||
    numbersDiffer(older, newer) ||
    (["identifier", "name"] as const).some((type) => lacks(a[type], b[type]) && lacks(b[type], a[type]))
  );
}

/** Whether both count the same, or one leaves open what it counts, and no number is repeated. */
function numbersDiffer(older: string, newer: string): boolean {
  const [a, b] = [valuesOf(older).numbers, valuesOf(newer).numbers];
  if (a.some(({ values }) => b.some((other) => values.some((value) => other.values.includes(value))))) return false;
  const countsAlike = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    one.size === 0 || other.size === 0 || [...one].some((unit) => other.has(unit));
  return a.some(({ units }) => b.some((other) => countsAlike(units, other.units)));
}

export function sameValues(one: string, other: string): boolean {
  const [a, b] = [valueKeys(one), valueKeys(other)];
  return (["clock", "weekday", "number"] as const).every((type) => [...a[type]].sort().join() === [...b[type]].sort().join());
}
