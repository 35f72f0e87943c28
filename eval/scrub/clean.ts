/** What the tagger takes from sentences that name nobody: those of LongMemEval's users that are kept from its training. */

import { isHeldOut, userSentences } from "../../scripts/train-names/inputs.js";
import type { NameTagger } from "../../src/ltm/scrub/name-tagger.js";
import { NAMED_PERSONS } from "./named-persons.js";

/** @param data the folder of the benchmarks
 * @returns for each clean sentence 1 where it loses a word, else 0 */
export function lossesOf(tagger: NameTagger, data: string): readonly number[] {
  const names = /[\p{L}'’-]+/gu;
  return userSentences(data)
    .filter(isHeldOut)
    .filter((text) => ![...text.matchAll(names)].some(([word]) => NAMED_PERSONS.has(word.replace(/['’]s?$/u, ""))))
    .map((text) => (tagger.find(text).length > 0 ? 1 : 0));
}
