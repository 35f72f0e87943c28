/** Resolves what a question points at ("it", "that project", "the other one", "and the price?") from the last turns. */

import type { RecentTurn } from "../ports.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { termsOf } from "../text/terms.js";

/** Turns looked back; further back a pronoun seldom points. */
const TURNS_READ = 6;
const LENGTH_READ = 1_000;
const PHRASES_KEPT = 2;

/** Points at a person. */
const PERSON = /\b(?:he|him|his|she|her|hers)\b/i;
/** Points at a thing or several; "that" only where it stands for something ("about that", "was that?"), not where it joins clauses. */
const THING =
  /\b(?:it|its|they|them|their|theirs|there|those|these|this|(?:the )?(?:other|same|first|second|last) one|(?<=\b(?:is|was|about|of|with|for|like|did|does) )that)\b/i;
/** Names the kind of thing: "that project", "the same hotel", "the other car". */
const KIND = /\b(?:that|this|those|these|the (?:same|other))\s+([a-z]{3,})\b/i;
const ELLIPSIS = /^\s*(?:and|or|what about|how about|und|y|et)\b/i;
const UNSPACED_POINTER = /[它他她]|那个|这个|那里|那次/;

/** A name inside a sentence: capitalised words that do not begin it, or a quoted title. */
const NAME = /(?<=[\p{Ll}\d,;:)]\s)(?:\p{Lu}[\p{L}\p{N}'’-]*)(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*|["“]([^"”]{2,40})["”]/gu;
/** What follows an article or possessive, up to three words. */
const NOUN_PHRASE = /\b(?:a|an|the|my|our|your|his|her|their|new)\s+((?:[\p{L}\p{N}'’-]+\s?){1,3})/giu;
const TIME_WORDS = new Set(
  "yesterday today tonight tomorrow ago last next week month year morning evening afternoon night weekend".split(" "),
);
const NO_NAMES = /^(?:I\b|OK$)/;

export function trimPhrase(words: string): string {
  const kept: string[] = [];
  for (const word of words.trim().split(/\s+/)) {
    const folded = word.toLowerCase();
    if (ENGLISH_STOP_WORDS.has(folded) || TIME_WORDS.has(folded) || /(?:ed|ly)$/.test(folded)) break;
    kept.push(word);
  }
  return kept.join(" ");
}

function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)].map((match) => match[1] ?? match[0]).filter((name) => !NO_NAMES.test(name));
}

export function phrasesIn(text: string): string[] {
  const phrases = [...text.matchAll(NOUN_PHRASE)]
    .map((match) => trimPhrase(match[1] ?? ""))
    .filter((phrase) => phrase.length > 2);
  return [...new Set([...namesIn(text), ...phrases])];
}

/** The phrase around a noun: "the Falcon project", "project Falcon". */
function phraseWith(noun: string, text: string): string | undefined {
  const singular = noun.replace(/s$/i, "");
  const around = new RegExp(
    `((?:[\\p{L}\\p{N}'’-]+\\s+){0,2})\\b(${singular}s?)\\b((?:\\s+\\p{Lu}[\\p{L}\\p{N}'’-]*){0,2})`,
    "iu",
  ).exec(text);
  if (!around) return undefined;
  const before = (around[1] ?? "")
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "" && !ENGLISH_STOP_WORDS.has(word.toLowerCase()));
  const after = around[3]?.trim().match(/^\p{Lu}/u) ? around[3].trim() : "";
  return [...before, around[2] ?? "", after].filter(Boolean).join(" ");
}

/** Newest first. */
export function newestTexts(recent: readonly RecentTurn[]): string[] {
  return recent
    .slice(-TURNS_READ)
    .map(({ text }) => text.slice(0, LENGTH_READ))
    .reverse();
}

function firstFound(texts: readonly string[], find: (text: string) => readonly string[]): readonly string[] {
  for (const text of texts) {
    const found = find(text);
    if (found.length > 0) return found;
  }
  return [];
}

/** The question with what it points at put in, or undefined when it points at nothing that the last turns hold.
 * @param recent oldest first, without the question itself */
export function resolveReferences(question: string, recent: readonly RecentTurn[]): string | undefined {
  const texts = newestTexts(recent);
  if (texts.length === 0) return undefined;
  const [pointer = "", noun = ""] = KIND.exec(question) ?? [];
  const folded = noun.toLowerCase();
  if (folded && !ENGLISH_STOP_WORDS.has(folded) && !TIME_WORDS.has(folded)) {
    const phrase =
      firstFound(texts, (text) => {
        const found = phraseWith(noun, text);
        return found && found.toLowerCase() !== folded ? [found] : [];
      })[0] ?? firstFound(texts, namesIn)[0];
    return phrase ? question.replace(pointer, () => phrase) : undefined;
  }
  if (PERSON.test(question)) {
    const name = firstFound(texts, namesIn)[0];
    // "her" owns what follows it.
    if (name) return question.replace(PERSON, (_, at) => (/^(?:his|hers|her \w)/i.test(question.slice(at)) ? `${name}'s` : name));
  }
  const points = THING.test(question);
  if (points || (ELLIPSIS.test(question) && termsOf(question).length <= 3)) {
    const phrases = firstFound(texts, phrasesIn).slice(0, PHRASES_KEPT);
    if (phrases.length === 0) return undefined;
    return points ? question.replace(THING, () => phrases.join(", ")) : `${question} ${phrases.join(", ")}`;
  }
  if (UNSPACED_POINTER.test(question)) return `${question} ${texts[0]?.slice(0, 60) ?? ""}`;
  return undefined;
}
