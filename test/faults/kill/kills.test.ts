/** Kills a Node process and a Chromium while they work, a few times each; `npm run faults` does so a thousand times. */

import { describe, expect, it } from "vitest";
import { openChromiumVictim } from "./chromium-victim.js";
import { openNodeVictim } from "./node-victim.js";
import { runKills } from "./runner.js";

const KILLS = 25;
const SEED = 20_261_130;

describe.each([
  ["a Node process", openNodeVictim],
  ["a Chromium", openChromiumVictim],
])("%s that is killed at random moments", (_, open) => {
  it("loses nothing that was acknowledged, doubles nothing, and agrees with itself", { timeout: 600_000 }, async () => {
    const victim = await open();
    try {
      const { kills, acts, violations } = await runKills(victim, { kills: KILLS, seed: SEED });
      expect(violations).toEqual([]);
      expect(kills).toBe(KILLS);
      expect(acts).toBeGreaterThan(KILLS);
    } finally {
      await victim.close();
    }
  });
});
