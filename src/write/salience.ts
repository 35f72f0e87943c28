/** How much a sentence matters: a score from what is told by its form. */

import type { Role } from "../types.js";
import { isFirstPerson, REMEMBER } from "./gate.js";

const EVENT_VERB =
  /\b(?:bought|got|went|started|finished|joined|moved|adopted|planned|attended|visited|received|used to|tried|made|met|ordered|lost|signed|completed|read|watched|switched|born|married|graduated)\b|[了过]/iu;
const PREFERENCE =
  /\b(?:love|like|prefer|enjoy|favou?rite|hate|interested|into|fan of|allergic|mag|liebe|gusta|encanta)\b|喜欢|讨厌|过敏/iu;
const ASIDE = /\b(?:by the way|speaking of|reminds me|i mentioned|actually|just|recently)\b|对了|顺便|übrigens|por cierto/iu;
const KIN =
  /\b(?:mother|mom|mum|father|dad|sister|brother|friend|wife|husband|son|daughter|aunt|uncle|cousin|grand\w+|partner|boyfriend|girlfriend|boss|family|kids?)\b/iu;
const CAPITALISED = /(?<=[\p{Ll},;:] )\p{Lu}\p{Ll}+/gu;

export interface SentenceSigns {
  readonly role: Role;
  /** The sentence holds an expression of time. */
  readonly hasTime: boolean;
  readonly identifiers: number;
  /** The turn is so long that it was pasted rather than said. */
  readonly pasted: boolean;
}

/** Weights after the learned gate that the write path was studied with (first person, event verbs, time, preference and number
 * raise; an assistant's words and pasted text lower). The trained weights take their place.
 * @returns 0 to 1 */
export function salienceOf(sentence: string, signs: SentenceSigns): number {
  const head = sentence.length > 600 ? sentence.slice(0, 600) : sentence;
  const first = isFirstPerson(head);
  const words = Math.min(60, head.split(/\s+/u).length + (head.match(/\p{Script=Han}/gu)?.length ?? 0) / 2);
  let sum = -1.6 + 0.5 * Math.log1p(words);
  if (first) sum += 0.9;
  if (signs.hasTime) sum += first ? 0.9 : 0.4;
  if (EVENT_VERB.test(head)) sum += first ? 0.7 : 0.3;
  if (PREFERENCE.test(head)) sum += 0.5;
  if (KIN.test(head)) sum += 0.3;
  if (ASIDE.test(head)) sum += 0.3;
  if (/\d/u.test(head)) sum += 0.3;
  if (REMEMBER.test(head)) sum += 2;
  sum += 0.2 * Math.min(4, head.match(CAPITALISED)?.length ?? 0) + 0.3 * Math.min(3, signs.identifiers);
  if (signs.pasted) sum -= 0.8;
  if (signs.role === "assistant") sum -= 1.4;
  return 1 / (1 + Math.exp(-sum));
}
