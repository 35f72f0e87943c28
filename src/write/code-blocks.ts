/** Code between fences, which says nothing of a person, and the short block that a sentence announces, which goes with it. */

import type { PlacedSentence } from "./sentences.js";

const FENCE = /^(?:```|~~~)/u;
/** Characters of a block that stay with the sentence before: "The build fails without this flag:" says nothing without it. */
const MAX_ANNOUNCED = 400;

/** Asked for the sentences of one turn in their order. */
export class CodeBlocks {
  readonly #text: string;
  #isInside = false;
  #isAnnounced = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** What a sentence is, if it is code, whatever it looks like.
   * @param before the sentence before it, where that one is kept and a block may stay with it */
  kindOf({ text, start }: PlacedSentence, before: string | undefined): "code" | "announced" | undefined {
    const fence = FENCE.exec(text)?.[0];
    if (fence !== undefined) {
      this.#isInside = !this.#isInside;
      if (this.#isInside) this.#isAnnounced = before?.endsWith(":") === true && this.#lengthFrom(start, fence) <= MAX_ANNOUNCED;
    }
    if (fence === undefined && !this.#isInside) return undefined;
    return this.#isAnnounced ? "announced" : "code";
  }

  /** All the rest is code where nothing closes it. */
  #lengthFrom(start: number, fence: string): number {
    const end = this.#text.indexOf(fence, start + fence.length);
    return (end < 0 ? this.#text.length : end) - start;
  }
}
