/** What the tagger takes from sentences that name nobody: those of LongMemEval's users that are kept from its training. */

import { isHeldOut, userSentences } from "../../scripts/train-names/inputs.js";
import type { NameTagger } from "../../src/ltm/scrub/name-tagger.js";
import { namesPerson } from "./named-persons.js";

/** @param data the folder of the benchmarks
 * @returns for each clean sentence 1 where it loses a word, else 0 */
export function lossesOf(tagger: NameTagger, data: string): readonly number[] {
  return userSentences(data)
    .filter((text) => isHeldOut(text) && !namesPerson(text))
    .map((text) => (tagger.find(text).length > 0 ? 1 : 0));
}
