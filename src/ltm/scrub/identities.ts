/** All that identifies somebody in a text, by every detector there is. */

import { folded } from "./folded.js";
import type { KnownNames } from "./known-names.js";
import type { NameTagger } from "./name-tagger.js";
import { PLACEHOLDER } from "./placeholder.js";
import { type IdentitySpan, spansOf, withoutOverlap } from "./span.js";
import { findStructured } from "./structured.js";

/** A long run of letters may be a text in disguise. */
const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/_-]{12,}={0,2}(?![\w+/=-])/gu;

/** @returns in order, without overlap, at places of the text as it was given */
export function identitiesIn(text: string, names: KnownNames, tagger?: NameTagger): IdentitySpan[] {
  const seen = folded(text);
  const placed = (span: IdentitySpan): IdentitySpan => ({
    ...span,
    start: seen.original(span.start),
    end: seen.original(span.end),
  });
  const sure = [...names.find(text), ...findStructured(seen.text).map(placed)];
  const guessed = (tagger?.find(seen.text) ?? []).map(placed);
  const literal = spansOf("LITERAL", text, PLACEHOLDER);
  const hidden = spansOf("KEY", text, BASE64, (value) => hides(value, names));
  return withoutOverlap([...literal, ...sure, ...guessed.flatMap((span) => outside(span, sure)), ...hidden]);
}

/** What a guessed name leaves of itself beside what is sure: a longer name stays whole, one that only touches another is cut. */
function outside(guess: IdentitySpan, sure: readonly IdentitySpan[]): IdentitySpan[] {
  const touched = sure.filter(({ start, end }) => start < guess.end && guess.start < end);
  const isCut = touched.some(({ start, end }) => start < guess.start || end > guess.end);
  if (!isCut) return [guess];
  const start = Math.max(guess.start, ...touched.filter((span) => span.start <= guess.start).map(({ end }) => end));
  const end = Math.min(guess.end, ...touched.filter((span) => span.end >= guess.end).map((span) => span.start));
  return end > start ? [{ ...guess, start, end }] : [];
}

/** Whether a run of letters is an identity in base64. */
function hides(value: string, names: KnownNames): boolean {
  let decoded: string;
  try {
    decoded = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    // Not base64.
    return false;
  }
  const text = new TextDecoder().decode(Uint8Array.from(decoded, (character) => character.charCodeAt(0)));
  if (text.includes("�")) return false;
  return findStructured(text).length > 0 || names.find(text).length > 0;
}
