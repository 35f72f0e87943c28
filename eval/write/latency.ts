/** What a record costs as the store grows. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "keepsake/node";
import type { DatasetTurn } from "../data/dataset.js";
import { quantile } from "../metrics.js";

const SIZES = [100, 1_000, 10_000] as const;
/** Records timed at each size, after some that are not. */
const TIMED = 60;
const WARM_UP = 10;
/** Turns recorded at a time while a store is filled. */
const BATCH = 64;

/** Median milliseconds of recording what a person said and what was replied, by entries in the store, on the disk.
 * @param turns of a chat, told again under other ids as often as it takes */
export async function recordTimes(turns: readonly DatasetTurn[], seed: number): Promise<ReadonlyMap<number, number>> {
  const directory = await mkdtemp(join(tmpdir(), "keepsake-record-"));
  const memory = await openMemory({ name: "record", userId: `seed-${seed}`, directory, timeZone: "UTC", capacity: 100_000 });
  const medians = new Map<number, number>();
  let told = 0;
  /** Each telling names other things, so that nothing merges with what is there. */
  const next = () => {
    const turn = turns[told % turns.length] as DatasetTurn;
    const again = Math.floor(told++ / turns.length);
    const text = again === 0 ? turn.text : turn.text.replace(/\p{L}{5,}/gu, (word) => `${word}${again}`);
    return { role: turn.role, text, id: `t${told}` };
  };
  try {
    for (const size of SIZES) {
      const filling = memory.conversation("filling");
      while ((await memory.stats()).entries < size) await filling.record({ messages: Array.from({ length: BATCH }, next) });
      const conversation = memory.conversation(`timed-${size}`);
      const times: number[] = [];
      for (let at = 0; at < WARM_UP + TIMED; at++) {
        const messages = [next(), next()];
        const startedAt = performance.now();
        await conversation.record({ messages });
        if (at >= WARM_UP) times.push(performance.now() - startedAt);
      }
      medians.set(size, quantile(times, 0.5));
      process.stderr.write(`\rrecord: ${size} entries `);
    }
  } finally {
    await memory.close();
    await rm(directory, { recursive: true, force: true });
  }
  process.stderr.write("\n");
  return medians;
}
