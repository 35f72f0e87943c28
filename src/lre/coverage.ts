/** Which of an agent's units to keep so that the identifiers in the window cover most of those ever seen. */

export interface Coverable {
  readonly cost: number;
  /** Probability that the unit is load-bearing, 0 to 1: breaks ties between units that cover the same. */
  readonly probability: number;
  readonly identifiers: readonly string[];
}

/** What a unit's probability counts beside its identifiers: enough to order units that cover nothing new, never to outweigh one that does. */
const TIE = 1e-3;

interface Bid {
  readonly at: number;
  readonly density: number;
}

/** A max-heap of bids. */
class Bids {
  private readonly heap: Bid[] = [];

  push(bid: Bid): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(bid);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as Bid).density >= bid.density) break;
      heap[at] = heap[parent] as Bid;
      at = parent;
    }
    heap[at] = bid;
  }

  pop(): Bid | undefined {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as Bid).density > (heap[child] as Bid).density) child++;
      if ((heap[child] as Bid).density <= last.density) break;
      heap[at] = heap[child] as Bid;
      at = child;
    }
    heap[at] = last;
    return top;
  }

  get top(): number {
    return this.heap[0]?.density ?? Number.NEGATIVE_INFINITY;
  }
}

/** Greedy by new weight a token. What a unit adds only shrinks as others are taken, so old bids are upper bounds and few are
 * computed again (lazy greedy, Minoux 1978): O(n log n) in practice.
 * @param weightOf of an identifier, 0 or more
 * @param covered identifiers that the window holds anyway; grows by those of the units taken
 * @returns 1 where the unit is taken */
export function selectCoverage(
  units: readonly Coverable[],
  budget: number,
  weightOf: (identifier: string) => number,
  covered: Set<string>,
): Uint8Array {
  const taken = new Uint8Array(units.length);
  const bids = new Bids();
  const bidFor = (at: number): Bid => {
    const { cost, probability, identifiers } = units[at] as Coverable;
    let gain = TIE * probability;
    for (const identifier of identifiers) if (!covered.has(identifier)) gain += weightOf(identifier);
    return { at, density: gain / Math.max(1, cost) };
  };
  for (let at = 0; at < units.length; at++) bids.push(bidFor(at));
  let left = budget;
  for (let bid = bids.pop(); bid; bid = bids.pop()) {
    const unit = units[bid.at] as Coverable;
    if (unit.cost > left) continue;
    const renewed = bidFor(bid.at);
    if (renewed.density < bid.density && renewed.density < bids.top) {
      bids.push(renewed);
      continue;
    }
    taken[bid.at] = 1;
    left -= unit.cost;
    for (const identifier of unit.identifiers) covered.add(identifier);
  }
  return taken;
}
