import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openMemory } from "keepsake/node";
import { describe, expect, it } from "vitest";
import { runInChromium } from "../../bench/browser.js";
import type { DatasetMemory } from "../../eval/data/dataset.js";
import { openLocomo } from "../../eval/data/locomo.js";
import { type Played, play } from "./play.js";

const path = fileURLToPath(new URL("../../../shared/data/locomo/locomo7-dev.json", import.meta.url));
const QUESTIONS = 60;

// LoCoMo may be read but not passed on, so it is not in the repository: put it there to run these.
describe.skipIf(!existsSync(path))("a LoCoMo conversation (skipped without ../shared/data/locomo)", () => {
  async function conversation(): Promise<DatasetMemory> {
    for await (const memory of openLocomo(path).memories())
      return { ...memory, questions: memory.questions.filter(({ evidence }) => evidence.length > 0) };
    throw new Error("the file holds no conversation");
  }

  function checkAgainst(data: DatasetMemory, played: Played): void {
    expect(played.turns).toBe(data.turns.length);
    expect(played.entries).toBeGreaterThan(data.turns.length / 2);
    expect(played.subjects).toEqual([...new Set(data.turns.map(({ name }) => name))].sort());
    const times = data.turns.map(({ at }) => at);
    expect(played.said[0]).toBeGreaterThanOrEqual(Math.min(...times));
    expect(played.said[1]).toBeLessThanOrEqual(Math.max(...times));
    // Chance would find 2%; the whole data set is measured by `npm run eval -- recall`.
    expect(recallAt10(data, played)).toBeGreaterThan(0.6);
  }

  it("replays with its speakers and dates of then, and its questions find their evidence, in Node and in Chromium alike", {
    timeout: 300_000,
  }, async () => {
    const data = await conversation();
    const memory = await openMemory({ name: "replay", userId: "reader", directory: ":memory:", timeZone: "UTC" });
    const inNode = await play(memory, data, QUESTIONS);
    await memory.close();
    checkAgainst(data, inNode);

    const { value } = await runInChromium("test/replay/replay.worker.ts", { input: { memory: data, questions: QUESTIONS } });
    const inChromium = value as Played;
    checkAgainst(data, inChromium);
    const alike = inNode.found.filter((found, index) => found.join() === inChromium.found[index]?.join()).length;
    expect(alike / QUESTIONS).toBeGreaterThan(0.9);
  });
});

function recallAt10({ questions }: DatasetMemory, { found }: Played): number {
  const shares = found.map((turns, index) => {
    const evidence = questions[index]?.evidence ?? [];
    return evidence.filter((id) => turns.includes(id)).length / evidence.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
