/** What can be read off a question's surface: whom it names, whose words would answer it, whether it is about now. */

import { fold } from "../text/terms.js";

/** Asks for what the assistant said. */
const ASKS_ASSISTANT =
  /\b(?:did you|you (?:told|said|mention|suggest|recommend|provid|gave|list|describ|shar)\w*|your (?:suggest|recommend|list|advice)\w*|remind me|(?:our|previous|earlier|last) (?:chat|conversation|discussion))|\bhast du\b|\bdu (?:hast|sagtest)\b|\bdijiste\b|\brecomendaste\b|你(?:说过|说的|推荐|建议|提到)/i;
const ASKS_USER = /\b(?:i|i['’](?:ve|m|d|ll)|my|me|we|our|mine|ich|mir|mich|mein[a-z]*|yo|mis?|je)\b|我|私|僕|俺|제|내|나는/i;
const PRESENT =
  /^\s*(?:may|can|could|should|must)\b|\b(?:do|does|is|are|am|have|has|current|currently|now|still|nowadays|latest|newest)\b|现在|目前|\bjetzt\b|\bderzeit\b|\baktuell|\bahora\b|\bactualmente\b/i;
const PAST =
  /\b(?:did|was|were|had|when|previous|previously|first|before|used to|formerly|originally|earlier|ago|last)\b|以前|之前|曾经|\bfrüher\b|\bwar(?:en)?\b|\bantes\b/i;

/** Asks for the last of several values, in whatever tense. */
const NEWEST =
  /\b(?:most recent(?:ly)?|latest|newest|currently|right now|these days|nowadays|so far|zuletzt|neueste\p{L}*|más reciente|últimamente)\b|最新|最近一次|目前/iu;
/** Asks for a value that no longer holds. */
const FORMER =
  /\b(?:previous|previously|earlier|first|initial(?:ly)?|used to|use to|before|formerly|former|originally|original|(?<!how )old|when i (?:just )?started|at the start|back then|früher\p{L}*|vorher|zuerst|damals|antes|anterior|al principio)\b|以前|之前|曾经|原来|当初/iu;

/** Letters that a short form of a name must have ("Mel" for Melanie). */
const MIN_SHORT_NAME = 3;

const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The names, as given, that a question holds: whole in any case, or the first letters of a longer one, capitalised. */
export function peopleIn(question: string, names: readonly string[]): string[] {
  const folded = fold(question);
  const capitalised = question.match(/\p{Lu}\p{Ll}+/gu) ?? [];
  return names.filter((name) => {
    const foldedName = fold(name);
    if (foldedName !== "" && folded.includes(foldedName)) {
      // Names written without spaces have no edges to find.
      if (UNSPACED.test(name)) return true;
      if (new RegExp(`(?<![\\p{L}\\p{N}])${escape(foldedName)}(?![\\p{L}\\p{N}])`, "u").test(folded)) return true;
    }
    return capitalised.some(
      (word) => word.length >= MIN_SHORT_NAME && word.length < name.length && name.length > 4 && name.startsWith(word),
    );
  });
}

/** Whose words answer: the one person named; else "assistant" or "user" when the question asks for their words; else nobody. */
export function subjectOf(question: string, people: readonly string[]): string | undefined {
  if (people.length > 0) return people.length === 1 ? people[0] : undefined;
  if (ASKS_ASSISTANT.test(question)) return "assistant";
  return ASKS_USER.test(question) ? "user" : undefined;
}

/** Whether the question asks how things are now, so that the newer of two values should come first. */
export function asksPresent(question: string): boolean {
  return (PRESENT.test(question) && !PAST.test(question)) || (NEWEST.test(question) && !FORMER.test(question));
}

/** Whether the question asks how things were before: "what did I use to …", "my old address". */
export function asksFormer(question: string): boolean {
  return FORMER.test(question);
}
