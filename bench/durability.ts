/** What it costs that a resolved `record` is on the disk, in a Chromium worker. */

import { runInChromium } from "./browser.js";
import type { DurabilityBenchInput } from "./durability.worker.js";

/** Figures in milliseconds: `record.strict.p50` and `record.relaxed.p50`, the latter with every transaction's durability forced
 * to "relaxed" for comparison, and `record.strictOverRelaxed`. Measures dist/: build first. */
export async function benchDurability({ entries = 2_000, seed = 1 } = {}): Promise<Readonly<Record<string, number>>> {
  const input: DurabilityBenchInput = { entries, seed };
  const { value } = await runInChromium("bench/durability.worker.ts", { input, built: true });
  return value as Record<string, number>;
}
