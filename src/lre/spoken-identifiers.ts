/** Identifiers of a turn of dialogue: what any text could hold, and what only people write so ("4417-B", a telephone number). */

import { findIdentifiers as findSpoken } from "../text/identifiers.js";
import { fieldBefore, findIdentifiers, type Identifier } from "./identifiers.js";

/** "Room 25", "number 12": a figure that is nothing without its word, and there are many of them. */
const FIGURE = /^\d{1,3}$/;

/** Each value once, longest reading first: "0.0.12" inside "10.0.0.12" is none. */
export function spokenIdentifiers(text: string): Identifier[] {
  const found = findIdentifiers(text);
  const values = found.map(({ value }) => value);
  const spoken = findSpoken(text).filter((value) => !FIGURE.test(value) && !values.some((other) => other.includes(value)));
  const wider = spoken.map((value): Identifier => ({ value, kind: "code", field: fieldBefore(text, text.indexOf(value)) }));
  return [...found.filter(({ value }) => !spoken.some((other) => other.includes(value))), ...wider];
}
