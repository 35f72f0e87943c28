/** Tells what of an answer is the prompt said again: JSON that a memory or a turn holds must not pass for the model's. */

import type { EngineMessage } from "../../ports.js";

/** What a text gains or loses where it is quoted, fenced or laid out anew counts for nothing. */
const LOOKS = /\\(?:u[0-9a-f]{4}|[bfnrt])|[\s\\"'`“”‘’\p{C}]/giu;
/** Characters before or after a value that agree, too, where it is said again: a short answer alone may be what a memory also holds. */
const BESIDE = 4;
/** Characters around a bracket that no model has in common with its prompt by chance. */
const AROUND = 16;
/** Characters from a bracket on that are somebody else's words even where nothing stands around them. */
const LONG = 32;

export class PromptEcho {
  readonly #prompt: string;

  constructor(messages: readonly EngineMessage[]) {
    const texts = messages.map(({ content }) => content);
    // Few prompts have a bracket, and then there is nothing to look for.
    this.#prompt = texts.some((text) => /[{[]/.test(text)) ? plainOf(texts.join("\n")).plain : "";
  }

  /** @returns whether the bracket at an index of the answer stands in words of the prompt. A short value that agrees with them
   * without anything beside it is the model's: `{"numbers":[1]}` */
  within(answer: string): (at: number) => boolean {
    if (this.#prompt === "") return () => false;
    let known: ReturnType<typeof plainOf> | undefined;
    return (at) => {
      known ??= plainOf(answer);
      const { plain } = known;
      const place = known.placeOf(at);
      const says = (from: number, to: number): boolean => this.#prompt.includes(plain.slice(from, to));
      for (let before = BESIDE; before < AROUND && before <= place; before++)
        if (says(place - before, place - before + AROUND)) return true;
      if (place + LONG <= plain.length && says(place, place + LONG)) return true;
      const beside = valueEnd(plain, place, place + LONG) + BESIDE;
      return beside <= plain.length && says(place, beside);
    };
  }
}

function plainOf(text: string): { readonly plain: string; readonly placeOf: (at: number) => number } {
  const places = new Uint32Array(text.length).fill(1);
  for (const { index, 0: look } of text.matchAll(LOOKS)) places.fill(0, index, index + look.length);
  let place = 0;
  for (let at = 0; at < places.length; at++) {
    const isKept = places[at] as number;
    places[at] = place;
    place += isKept;
  }
  return { plain: text.replace(LOOKS, ""), placeOf: (at) => places[at] ?? place };
}

/** @returns where a value without quotes ends that begins here; Infinity where that is not before `limit` */
function valueEnd(plain: string, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(limit, plain.length); at++) {
    const character = plain[at];
    if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return Number.POSITIVE_INFINITY;
}
