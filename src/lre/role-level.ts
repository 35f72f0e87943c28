/** Brings the scores of a person and of an assistant to one level before they compete for the same tokens. */

/** How much lower an assistant's turns score than the person's in what the scorer was trained on (LongMemEval_S: means -4.56 and
 * -5.04; a twentieth of the evidence is theirs). */
const GAP = 0.5;
/** Turns of the rarer role at which half of a difference is believed. */
const HALF_BELIEVED = 5;

/** The two parts of the model are learned apart, and replies unlike those they were learned from, such as very short ones, can
 * all come out above everything that the person said. What is left as it is: the order inside each role. */
export class RoleLevel {
  #person = 0;
  #personSum = 0;
  #reply = 0;
  #replySum = 0;

  add(isPerson: boolean, score: number): void {
    if (isPerson) {
      this.#person++;
      this.#personSum += score;
    } else {
      this.#reply++;
      this.#replySum += score;
    }
  }

  /** What to add to a reply's score. */
  get shift(): number {
    if (this.#person === 0 || this.#reply === 0) return 0;
    const rarer = Math.min(this.#person, this.#reply);
    const difference = this.#personSum / this.#person - this.#replySum / this.#reply;
    return ((difference - GAP) * rarer) / (rarer + HALF_BELIEVED);
  }
}

/** @param isPerson of each score */
export function levelled(scores: readonly number[], isPerson: (at: number) => boolean): number[] {
  const level = new RoleLevel();
  scores.forEach((score, at) => {
    level.add(isPerson(at), score);
  });
  const { shift } = level;
  return scores.map((score, at) => (isPerson(at) ? score : score + shift));
}
