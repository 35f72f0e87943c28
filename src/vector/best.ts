/** Keeps the k best hits of a stream, ties by slot. */

import type { VectorHit } from "../ports.js";

/** Order of hits: best first, ties by slot. */
export const byScore = (a: VectorHit, b: VectorHit): number => b.score - a.score || a.slot - b.slot;

/** A bounded heap with the worst kept hit on top. */
export class BestHits {
  readonly #heap: VectorHit[] = [];

  /** @param k how many are kept, an integer of 0 or more */
  constructor(readonly k: number) {}

  offer(slot: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.k) {
      heap.push({ slot, score });
      this.#rise(heap.length - 1);
      return;
    }
    const worst = heap[0];
    if (worst === undefined || worst.score > score || (worst.score === score && worst.slot < slot)) return;
    heap[0] = { slot, score };
    this.#sink();
  }

  /** What is kept, best first. */
  hits(): VectorHit[] {
    return [...this.#heap].sort(byScore);
  }

  #rise(start: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= this.#heap.length) return;
      const child = right < this.#heap.length && byScore(this.#at(right), this.#at(left)) > 0 ? right : left;
      if (!this.#swapIfWorse(child, at)) return;
      at = child;
    }
  }

  /** Swaps when the first is the worse one, which belongs nearer to the top. */
  #swapIfWorse(first: number, second: number): boolean {
    const a = this.#at(first);
    const b = this.#at(second);
    if (byScore(a, b) <= 0) return false;
    this.#heap[first] = b;
    this.#heap[second] = a;
    return true;
  }

  #at(index: number): VectorHit {
    return this.#heap[index] as VectorHit;
  }
}
