/** The exact 0/1 knapsack by dynamic programming: what the greedy choice of units is held against. */

/** O(items · budget).
 * @param costs integers above 0
 * @param budget an integer of 0 or more
 * @returns the largest sum of values whose costs fit */
export function exactValue(values: ArrayLike<number>, costs: ArrayLike<number>, budget: number): number {
  const best = new Float64Array(budget + 1);
  for (let i = 0; i < values.length; i++) {
    const cost = costs[i] as number;
    const value = values[i] as number;
    for (let room = budget; room >= cost; room--) {
      const taken = (best[room - cost] as number) + value;
      if (taken > (best[room] as number)) best[room] = taken;
    }
  }
  return best[budget] as number;
}
