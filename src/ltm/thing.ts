/** The name of a thing as people tell it, without the words around it that are no part of the name. */

import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { wordsOf } from "../text/terms.js";

/** Words with which no name of a thing begins or ends. */
const LOOSE =
  /^(?:(?:this|that|these|those|it|there|here|what|which|who|he|she|we|they|you|one|everything|something|nothing|anything|my|your|his|her|its|our|their|such|very|really|quite|so|great|good|nice|lot|bit|few|much|more|most|and|or|but|the|an)\s)+|\s(?:and|or|but|a|an|the|that|who|which|of|for|to|in|on|at|with|until|till|since|during|after|before|than|as|by|from|my|your|his|her|its|our|their|is|are|was|were|can|tonight|today|tomorrow|yesterday|again|too|now|then)$/iu;
/** "In October" is no place, and "a week" nothing that one has. */
const TIME =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|springs?|summers?|autumns?|falls?|winters?|weekends?|(?:half|a)?\s?(?:hours?|days?|weeks?|months?|years?|mornings?|evenings?|nights?)|half)$/iu;

/** @returns in lower case; `undefined` where the words name nothing */
export function thing(words: string): string | undefined {
  let name = words.trim().replace(/\s+/gu, " ");
  for (let before = ""; before !== name; ) {
    before = name;
    name = name.replace(LOOSE, "").trim();
  }
  const content = wordsOf(name).filter((word) => !ENGLISH_STOP_WORDS.has(word));
  // Two letters are a name where each is a syllable.
  const isLong = name.length > 2 || /^\p{Script=Han}{2}$/u.test(name);
  return content.length > 0 && isLong && !TIME.test(name) ? name.toLowerCase() : undefined;
}
