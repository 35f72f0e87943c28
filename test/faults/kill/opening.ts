/** How long a memory takes to open after a kill, against after a clean end. */

import { seeded } from "../../../bench/random.js";
import { Database, noTally } from "./runner.js";
import type { Victim } from "./victim.js";

export interface Openings {
  /** Milliseconds until it was open. */
  readonly cleanMs: readonly number[];
  readonly killedMs: readonly number[];
}

/** @param entries that the memory holds
 * @param rounds openings of each kind, in turns, so that what else the machine does weighs on both alike
 * @throws Error when anything is wrong after a kill */
export async function measureOpenings(
  victim: Victim,
  { entries, rounds, seed }: { readonly entries: number; readonly rounds: number; readonly seed: number },
): Promise<Openings> {
  const total = noTally();
  const fixed = { capacity: entries * 2, embedder: "static", evicts: false, handles: 1 } as const;
  const database = new Database(victim, `opened ${seed}`, seeded(seed), total, fixed);
  await database.live({ type: "make", version: "this", entries });
  const cleanMs: number[] = [];
  const killedMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const clean = await database.live({ type: "open", checks: false });
    await database.liveAndDie();
    const killed = await database.live({ type: "open", checks: false });
    if (clean !== undefined) cleanMs.push(clean);
    if (killed !== undefined) killedMs.push(killed);
  }
  const [violation] = total.violations;
  if (violation) throw new Error(`${violation.kind} ${violation.after}: ${violation.what}`);
  return { cleanMs, killedMs };
}
