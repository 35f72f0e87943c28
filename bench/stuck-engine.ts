/** How long the first recall takes whose model never answers (the next ones do not wait for it), against its deadline, in a Chromium
 * worker. */

import { runInChromium } from "./browser.js";
import type { StuckEngineInput } from "./stuck-engine.worker.js";

/** Figures in milliseconds beyond a deadline of 100: `slm.stuck.over.p50 | .p95` with an engine whose calls never settle, the same under
 * `slm.blocked` with one that besides keeps a thread of its own busy, and under `.timer` of a bare timer of 100 ms taken in turns with
 * them. Measures dist/: build first. */
export async function benchStuckEngine({ entries = 1_000, seed = 1 } = {}): Promise<Readonly<Record<string, number>>> {
  const input: StuckEngineInput = { entries, seed };
  const { value } = await runInChromium("bench/stuck-engine.worker.ts", { input, built: true });
  return value as Record<string, number>;
}
