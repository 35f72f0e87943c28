/** AdaGrad over the made sentences, with features and list entries dropped by chance so that neither decides alone. */

import { BEGIN, charactersOf, chineseFeatures, INSIDE, mayBeOfName, OUTSIDE } from "../../src/ltm/scrub/names/chinese-tagger.js";
import { hashOf } from "../../src/ltm/scrub/names/hash.js";
import { endsName, latinFeatures, MOST_FEATURES } from "../../src/ltm/scrub/names/latin-tagger.js";
import { isCandidate, latinTokens } from "../../src/ltm/scrub/names/latin-tokens.js";
import type { NameModel } from "../../src/ltm/scrub/names/model.js";
import type { Sentence } from "./generate.js";

const LATIN_SIZE = 1 << 16;
const SIZE = 1 << 15;
const EPOCHS = 3;
const RATE = 0.12;
const DROPPED_FEATURES = 0.15;
const DROPPED_LISTS = 0.6;
const KEPT = 1 / (1 - DROPPED_FEATURES);

export function quantised(weights: Float32Array): { readonly steps: Int8Array; readonly scale: number } {
  const sizes = [...weights]
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  const scale = (sizes[Math.floor(sizes.length * 0.9995)] ?? 127) / 127;
  return { steps: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale)))), scale };
}

export function learn(sentences: readonly Sentence[], model: NameModel, random: () => number) {
  const latin = new Float32Array(LATIN_SIZE);
  const latinSquares = new Float32Array(LATIN_SIZE);
  const chinese = new Float32Array(2 * SIZE);
  const chineseSquares = new Float32Array(2 * SIZE);
  const features = new Int32Array(MOST_FEATURES);
  const drop = (count: number): number => {
    let kept = 1;
    for (let k = 1; k < count; k++) if (random() >= DROPPED_FEATURES) features[kept++] = features[k] as number;
    return kept;
  };
  const step = (weights: Float32Array, squares: Float32Array, place: number, error: number): void => {
    squares[place] = (squares[place] as number) + error * error;
    weights[place] = (weights[place] as number) - (RATE * error) / Math.sqrt((squares[place] as number) + 1e-4);
  };

  const learnLatin = ({ text, names }: Sentence, epoch: number): void => {
    const tokens = latinTokens(text, model);
    const dropped = names.map(() => random() < DROPPED_LISTS);
    const labels = tokens.list.map((token) => {
      const at = names.findIndex(([start, end]) => token.start >= start && token.end <= end);
      if (at >= 0 && dropped[at]) {
        token.isGiven = false;
        token.isFamily = false;
        token.hash = hashOf(token.word);
      }
      return at >= 0 ? 1 : 0;
    });
    let named = false;
    tokens.list.forEach((token, at) => {
      if (!isCandidate(token)) {
        if (endsName(token)) named = false;
        return;
      }
      const count = drop(latinFeatures(tokens, at, named, features, LATIN_SIZE));
      let sum = 0;
      for (let k = 0; k < count; k++) sum += latin[features[k] as number] as number;
      const chance = 1 / (1 + Math.exp(-sum * KEPT));
      const label = labels[at] as number;
      const error = chance - label;
      if (Math.abs(error) > 0.002) for (let k = 0; k < count; k++) step(latin, latinSquares, features[k] as number, error);
      named = epoch === 0 || random() < 0.3 ? label === 1 : chance > 0.5;
    });
  };

  const learnChinese = ({ text, names }: Sentence, epoch: number): void => {
    const characters = charactersOf(text, model);
    let last = OUTSIDE;
    let last2 = OUTSIDE;
    characters.list.forEach((character, at) => {
      let tag = OUTSIDE;
      if (mayBeOfName(character)) {
        const place = characters.places[at] as number;
        const name = names.find(([start, end]) => place >= start && place < end);
        const label = name === undefined ? OUTSIDE : place === name[0] ? BEGIN : INSIDE;
        const count = drop(chineseFeatures(characters, at, last, last2, features, SIZE));
        let begin = 0;
        let inside = 0;
        for (let k = 0; k < count; k++) {
          begin += chinese[features[k] as number] as number;
          inside += chinese[SIZE + (features[k] as number)] as number;
        }
        const b = Math.exp(Math.min(30, begin * KEPT));
        const i = last === OUTSIDE ? 0 : Math.exp(Math.min(30, inside * KEPT));
        const all = 1 + b + i;
        const beginError = b / all - (label === BEGIN ? 1 : 0);
        const insideError = i / all - (label === INSIDE ? 1 : 0);
        for (let k = 0; k < count; k++) {
          step(chinese, chineseSquares, features[k] as number, beginError);
          if (last !== OUTSIDE || label === INSIDE) step(chinese, chineseSquares, SIZE + (features[k] as number), insideError);
        }
        const guess = (b + i) / all >= 0.5 ? (b >= i ? BEGIN : INSIDE) : OUTSIDE;
        tag = epoch === 0 || random() < 0.5 ? label : guess;
      }
      last2 = last;
      last = tag;
    });
  };

  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const sentence of sentences) {
      if (/\p{Script=Latin}/u.test(sentence.text)) learnLatin(sentence, epoch);
      if (sentence.locale === "zh" && /\p{Script=Han}/u.test(sentence.text)) learnChinese(sentence, epoch);
    }
  return { latin: quantised(latin), chinese: quantised(chinese) };
}
