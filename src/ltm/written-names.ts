/** What a sentence writes as a name: with capitals where no sentence begins. It stands in where no tagger is loaded. */

import { splitSentences } from "../text/sentences.js";
import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { fold } from "../text/terms.js";

const WORD = /[\p{L}\p{M}\p{N}]+(?:[’'-][\p{L}\p{M}\p{N}]+)*/gu;
const CAPITALISED = /^\p{Lu}\p{M}*(?:\p{Ll}|[’']\p{Lu})/u;
/** A word behind one of these begins something, as a sentence does. */
const OPENING = /["'“‘„«»:([–—-]\s*$/u;
/** Characters before a word in which that stands. */
const REACH = 4;
/** German writes every noun with a capital, so its capitals tell nothing. */
const GERMAN = /(?<!\p{L})(?:ist|sind|ein|eine[nrms]?|und|ich|nicht|für|wir|habe|mein\p{L}*|auch)(?!\p{L})/u;
/** Written with a capital in English, and the beginning of many a common thing: "German shepherd", "Easter egg". */
const NO_NAMES = new Set(
  "german french italian spanish english british irish scottish chinese japanese korean indian mexican thai greek turkish american canadian swedish dutch polish russian vietnamese european asian african latin christian jewish muslim buddhist christmas easter halloween thanksgiving monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december".split(
    " ",
  ),
);
/** A sentence of which more than this part of the words has capitals is a headline. */
const HEADLINE = 0.6;

/** Words of a text, without case, accents and the ending of the possessive. */
export function plainWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => plain(word));
}

/** @returns names as runs of words that stand together, each as {@link plainWords} has them */
export function namesWritten(text: string): string[][] {
  const names: string[][] = [];
  for (const sentence of splitSentences(text)) {
    if (GERMAN.test(sentence)) continue;
    const words = [...sentence.matchAll(WORD)].map(({ 0: word, index }, at) => ({
      word: plain(word),
      isCapital: CAPITALISED.test(word) && !NO_NAMES.has(plain(word)),
      begins: at === 0 || OPENING.test(sentence.slice(Math.max(0, index - REACH), index)),
    }));
    if (words.length > 3 && words.filter(({ isCapital }) => isCapital).length > HEADLINE * words.length) continue;
    let run: typeof words = [];
    for (const word of [...words, undefined]) {
      if (word?.isCapital && !word.begins) run.push(word);
      else {
        const sure = run.filter(({ begins }) => !begins);
        // What begins the sentence may be of the name, or not.
        for (const name of new Set([run, run[0]?.begins ? sure : run]))
          if (sure.length > 0) names.push(name.map((one) => one.word));
        run = word?.isCapital && !ENGLISH_STOP_WORDS.has(word.word) ? [word] : [];
      }
    }
  }
  return names;
}

/** Whether some words stand in others, in their order and together. */
export function holds(words: readonly string[], part: readonly string[]): boolean {
  return part.length > 0 && ` ${words.join(" ")} `.includes(` ${part.join(" ")} `);
}

function plain(word: string): string {
  return fold(word).replace(/'s?$/u, "");
}
