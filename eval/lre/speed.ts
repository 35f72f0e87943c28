/** How many turns a CPU-second scores, and whether that stays so in a long stream. */

import { StreamScorer } from "../../src/lre/scorer.js";
import { shippedModel } from "../../src/lre/shipped.js";
import type { Unit } from "../../src/lre/unit.js";
import type { Dialogue } from "./dialogues.js";
import type { Figures } from "./figures.js";
import { unitsOf } from "./units.js";

const STREAM = 50_000;

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** CPU time, so that what else the machine does counts less; the best of several rounds, so that it counts less still. */
export function measureSpeed(figures: Figures, dialogues: readonly Dialogue[]): void {
  const model = shippedModel("people");
  const histories = dialogues.map(unitsOf);
  const turns = histories.reduce((sum, units) => sum + units.length, 0);
  let best = 0;
  for (let round = 0; round < 8; round++) {
    const seconds = cpuSeconds(() => {
      for (const units of histories) {
        const scorer = new StreamScorer(model);
        for (const unit of units) scorer.push(unit);
      }
    });
    best = Math.max(best, turns / seconds);
  }
  figures.set("lre.turnsPerCpuSecond", best);
  const all = histories.flat();
  const stream = Array.from(
    { length: STREAM },
    (_, i): Unit => ({ ...(all[i % all.length] as Unit), session: String(Math.floor(i / 20)) }),
  );
  const scorer = new StreamScorer(model);
  const blocks = Array.from({ length: 5 }, (_, block) => {
    const part = stream.slice((block * STREAM) / 5, ((block + 1) * STREAM) / 5);
    return part.length / cpuSeconds(() => part.forEach((unit) => scorer.push(unit)));
  });
  figures.set("lre.turnsPerCpuSecond.firstBlock", blocks[0] as number);
  figures.set("lre.turnsPerCpuSecond.lastBlock", blocks.at(-1) as number);
}
