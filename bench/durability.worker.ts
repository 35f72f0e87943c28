/** Measures what strict durability costs a record, in turns with relaxed; `durability.ts` starts it. */

import { openMemory } from "keepsake";
import type { WorkerAnswer } from "./browser.js";
import { seeded } from "./random.js";
import { percentile } from "./timing.js";

export interface DurabilityBenchInput {
  readonly entries: number;
  readonly seed: number;
}

const RECORDS = 150;
const WORDS = ["canoe", "ferns", "passport", "telescope", "kitchen", "drawer", "Lisbon", "Bergen", "winter", "guitar"];

async function measure({ entries, seed }: DurabilityBenchInput): Promise<Record<string, number>> {
  const random = seeded(seed);
  const said = () => {
    const words = Array.from({ length: 6 }, () => WORDS[Math.floor(random() * WORDS.length)]);
    return `My ${words.join(" and the ")} cost ${Math.floor(random() * 1e6)} euros.`;
  };
  let durability: IDBTransactionDurability = "strict";
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, stores, mode, options) {
    return begin.call(this, stores, mode, mode === "readwrite" ? { ...options, durability } : options);
  };
  const memory = await openMemory({ name: `durability ${Date.now()}`, userId: "me", worker: false });
  await memory.record({ messages: Array.from({ length: entries }, () => ({ role: "user" as const, text: said() })) });
  const times = { strict: [] as number[], relaxed: [] as number[] };
  for (let index = -20; index < 2 * RECORDS; index++) {
    durability = index % 2 === 0 ? "strict" : "relaxed";
    const start = performance.now();
    await memory.record({ user: said() });
    if (index >= 0) times[durability].push(performance.now() - start);
  }
  await memory.close();
  const [strict, relaxed] = [percentile(times.strict, 0.5), percentile(times.relaxed, 0.5)];
  return { "record.strict.p50": strict, "record.relaxed.p50": relaxed, "record.strictOverRelaxed": strict / relaxed };
}

self.onmessage = ({ data }: MessageEvent<DurabilityBenchInput>) => {
  measure(data).then(
    (value) => postMessage({ ok: true, value } satisfies WorkerAnswer),
    (error: unknown) => postMessage({ ok: false, error: String(error) } satisfies WorkerAnswer),
  );
};
