/** Numbers of bank accounts and payment cards, whatever stands between their groups. */

import { ibanLength, isCard, isIban } from "./check-digits.js";
import { type IdentitySpan, spansOf } from "./span.js";

/** Between two letters or digits of one number. */
const GAP = "[^\\p{L}\\p{N}]{0,3}";
const IBAN_START = new RegExp(`(?<![\\p{Script=Latin}\\p{N}])([A-Za-z]{2})${GAP}\\d${GAP}\\d`, "gu");
const NEXT = new RegExp(`${GAP}[A-Za-z0-9]`, "uy");

const BEFORE = "(?<![\\p{Script=Latin}\\p{N}])";
const AFTER = "(?!\\d|\\p{Script=Latin})";
/** Cards as they are printed, with the same sign between all groups; after them may stand when they expire. */
const PRINTED = new RegExp(
  `${BEFORE}(?:\\d{4}([^\\p{L}\\p{N}]{1,3})\\d{4}\\1\\d{4}\\1\\d{1,4}(?:\\1\\d{1,3}(?!\\d))?|\\d{4}([^\\p{L}\\p{N}]{1,3})\\d{6}\\2\\d{4,5}|\\d(?:([^\\p{L}\\p{N}]{1,3})\\d)(?:\\3\\d){11,17})${AFTER}`,
  "gu",
);
const SPACED = new RegExp(`${BEFORE}(?<!\\d[ -])\\d(?:[ -]?\\d){12,18}${AFTER}(?![ -]\\d)`, "gu");

export function findAccounts(text: string): IdentitySpan[] {
  return [...findIbans(text), ...findCards(text)];
}

/** A country's numbers have one length, so the words after one are told from its groups. */
function findIbans(text: string): IdentitySpan[] {
  const spans: IdentitySpan[] = [];
  for (const { 0: head, 1: country = "", index: start } of text.matchAll(IBAN_START)) {
    let end = start + head.length;
    for (let left = (ibanLength(country) ?? 0) - 4; left > 0 && end > 0; left--) {
      NEXT.lastIndex = end;
      end = NEXT.test(text) ? NEXT.lastIndex : 0;
    }
    if (end > start && !/^[A-Za-z0-9]/.test(text.slice(end, end + 1)) && isIban(text.slice(start, end)))
      spans.push({ type: "IBAN", start, end });
  }
  return spans;
}

function findCards(text: string): IdentitySpan[] {
  const whole = (value: string): boolean => isCard(value);
  return [...text.matchAll(PRINTED)]
    .map(({ 0: value, index: start }): IdentitySpan => ({ type: "CARD", start, end: start + value.length }))
    .filter(({ start, end }) => isCard(text.slice(start, end)))
    .concat(spansOf("CARD", text, SPACED, whole));
}
