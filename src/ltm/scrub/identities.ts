/** All that identifies somebody in a text, by every detector there is. */

import { folded } from "./folded.js";
import { findHidden } from "./hidden.js";
import { KnownNames, type NameSpan } from "./known-names.js";
import type { NameTagger } from "./name-tagger.js";
import { peopleOf } from "./persons.js";
import { PLACEHOLDER } from "./placeholder.js";
import { type IdentitySpan, spansOf, withoutOverlap } from "./span.js";
import { findStructured } from "./structured.js";

/** @returns in order, without overlap, at places of the text as it was given */
export function identitiesIn(text: string, names: KnownNames, tagger?: NameTagger): IdentitySpan[] {
  return identitiesOf([text], names, tagger)[0] ?? [];
}

/** Of texts that are sent together: a person's name in one tells who the same name in another is.
 * @returns for each text what `identitiesIn` gives of one */
export function identitiesOf(texts: readonly string[], names: KnownNames, tagger?: NameTagger): IdentitySpan[][] {
  const found = texts.map((text) => {
    const seen = folded(text);
    const placed = <T extends IdentitySpan>(span: T): T => ({
      ...span,
      start: seen.original(span.start),
      end: seen.original(span.end),
    });
    const hidden = findHidden(seen.text, (decoded) => [...findStructured(folded(decoded).text), ...names.find(decoded)]);
    const formed = [...findStructured(seen.text), ...hidden].map(placed);
    const guessed = (tagger?.find(seen.text) ?? []).map(placed);
    return { text, formed, named: names.find(text), guessed };
  });
  const guesses = found.flatMap(({ text, formed, named, guessed }) =>
    guessed
      .filter((guess) => !formed.some((span) => overlaps(span, guess)) && isWholeName(guess, named))
      .map(({ start, end }) => text.slice(start, end)),
  );
  const people = peopleOf(names.people, guesses);
  const all = people === names.people ? names : new KnownNames(people);
  return found.map(({ text, formed, named, guessed }) => {
    const sure = [...(all === names ? named : all.find(text)), ...formed];
    const literal = spansOf("LITERAL", text, PLACEHOLDER);
    const meant = guessed.map((guess) => ({ ...guess, identity: all.identityOf(guess.identity) ?? guess.identity }));
    return withoutOverlap([...literal, ...sure, ...meant.flatMap((guess) => outside(guess, sure))]);
  });
}

function overlaps(one: IdentitySpan, other: IdentitySpan): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Whether a guess tells more than is known: "Jonas Weber" of Jonas does, "Peters Hund" of Peter does not. */
function isWholeName(guess: IdentitySpan, named: readonly NameSpan[]): boolean {
  return named
    .filter((span) => overlaps(span, guess))
    .every(
      ({ start, end, isInflected }) =>
        start >= guess.start && end <= guess.end && end - start < guess.end - guess.start && !(isInflected && end < guess.end),
    );
}

/** What a guessed name leaves of itself beside what is sure: a longer name stays whole, one that only touches another is cut. */
function outside(guess: IdentitySpan, sure: readonly (IdentitySpan | NameSpan)[]): IdentitySpan[] {
  const touched = sure.filter(({ start, end }) => start < guess.end && guess.start < end);
  if (touched.some((span) => "isInflected" in span && span.isInflected === true && span.start === guess.start)) return [];
  const isCut = touched.some(({ start, end }) => start < guess.start || end > guess.end);
  if (!isCut) return [guess];
  const start = Math.max(guess.start, ...touched.filter((span) => span.start <= guess.start).map(({ end }) => end));
  const end = Math.min(guess.end, ...touched.filter((span) => span.end >= guess.end).map((span) => span.start));
  return end > start ? [{ ...guess, start, end }] : [];
}
