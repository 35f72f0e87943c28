/** Verdicts of the bundled exam on engines that differ, over many seeds: what they are given must not be chance. */

import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { type Examined, examine } from "../../src/exams/exam.js";
import { lowerBound, rule } from "../../src/exams/verdict.js";
import type { SlmEngine } from "../../src/ports.js";
import type { RoleVerdicts } from "../../src/types.js";
import { FlatIndex } from "../../src/vector/flat.js";
import { guessing, likeLite, oracle } from "./engines.js";
import { staticEmbedder } from "./static-embedder.js";

async function sit(engine: SlmEngine, seed: number): Promise<RoleVerdicts> {
  return (await held(engine, seed)).verdicts;
}

async function held(engine: SlmEngine, seed: number): Promise<Examined> {
  const embedder = await staticEmbedder();
  return examine({
    engine,
    embedder,
    wordVectors: embedder,
    createVectorIndex: (dimension) => new FlatIndex({ dimension }),
    stopwatch: { now: () => performance.now() },
    idle: async () => undefined,
    onProgress: () => undefined,
    seed,
  });
}

const formsOf = ({ controller, selector, writer }: RoleVerdicts) => [controller.form, selector.form, writer.form];
const SEEDS = [1, 2, 3, 4, 5];

describe("the exam of a small model", { timeout: 30_000 }, () => {
  it.each(SEEDS)("gives all roles to a model that knows the answers (seed %i)", async (seed) => {
    const verdicts = await sit(oracle(seed), seed);
    expect(formsOf(verdicts)).not.toContain("lite");
    expect(verdicts.selector.trials.map(({ form, passed }) => [form, passed])).toEqual([
      ["likelihood", true],
      ["generate", true],
    ]);
    expect(verdicts.selector.trials[0]?.weight).toBeGreaterThanOrEqual(0.3);
  });

  it.each(SEEDS)("gives none to a model that guesses (seed %i)", async (seed) => {
    expect(formsOf(await sit(guessing(seed), seed))).toEqual(["lite", "lite", "lite"]);
  });

  it.each([
    // A planner adds beside the rules, and gains by each reading that it knows.
    [0.15, [expect.any(String), "lite", "lite"]],
    // Rules answer most of the selector's items, so that this gain may be chance there.
    [0.9, [expect.not.stringMatching("lite"), expect.any(String), expect.any(String)]],
  ])("goes by what a model knows: %d of the items", async (share, forms) => {
    for (const seed of SEEDS) expect(formsOf(await sit(oracle(seed, share), seed)), `seed ${seed}`).toEqual(forms);
  });

  it("gives none to a model that does what lite does", async () => {
    const verdicts = await sit(likeLite(), 1);
    expect(formsOf(verdicts)).toEqual(["lite", "lite", "lite"]);
    expect(verdicts.selector.reason).toContain("it gains nothing");
  });

  it("is another exam for another seed, and the same for the same", async () => {
    const [once, again, other] = [await sit(guessing(7), 7), await sit(guessing(7), 7), await sit(guessing(7), 8)];
    const scores = ({ selector }: RoleVerdicts) => selector.trials.map(({ lite, model }) => [lite, model]);
    expect(scores(again)).toEqual(scores(once));
    expect(scores(other)).not.toEqual(scores(once));
  });

  it("counts answers that cannot be read as nothing, and goes on", async () => {
    const dumb = { ...guessing(1), complete: async () => ({ text: "no", finish: "stop" as const }) };
    const { selector, writer } = await sit(dumb, 1);
    expect(selector.trials.find(({ form }) => form === "generate")).toMatchObject({ model: 0, failed: 6, items: 6 });
    expect(writer.form).toBe("lite");
  });

  it("tells of an engine that failed on the way, and not of one that cannot do one kind of call at all", async () => {
    let calls = 0;
    const unplugged: SlmEngine = {
      ...oracle(1),
      complete: async (...asked) => {
        if (++calls > 4) throw new MemoryError("model-failed", "fetch failed");
        return oracle(1).complete(...asked);
      },
    };
    expect((await held(unplugged, 1)).outage).toBe("fetch failed");
    const gone: SlmEngine = {
      ...guessing(1),
      complete: () => Promise.reject(new Error("no server")),
      score: () => Promise.reject(new Error("no server")),
    };
    expect((await held(gone, 1)).outage).toBe("no server");
    const wordless: SlmEngine = { ...oracle(1), complete: () => Promise.reject(new Error("grammars are not supported")) };
    const { verdicts, outage } = await held(wordless, 1);
    expect(outage).toBeUndefined();
    expect(verdicts.selector.form).toBe("likelihood");
    const narrow: SlmEngine = { ...oracle(1), complete: () => Promise.reject(new MemoryError("too-large", "too long")) };
    expect((await held(narrow, 1)).outage).toBeUndefined();
  });

  it("rejects with the signal's reason", async () => {
    const embedder = await staticEmbedder();
    const aborted = examine({
      engine: guessing(1),
      embedder,
      wordVectors: embedder,
      createVectorIndex: (dimension) => new FlatIndex({ dimension }),
      stopwatch: { now: () => 0 },
      idle: async () => undefined,
      onProgress: () => undefined,
      signal: AbortSignal.abort("closed"),
    });
    await expect(aborted).rejects.toBe("closed");
  });
});

describe("a ruling", () => {
  const played = (gains: readonly number[]) => gains.map((gain) => ({ lite: 0.5, model: 0.5 + gain, failed: false, ms: 1 }));

  it("takes a gain for what it is only beyond its uncertainty", () => {
    expect(rule(played(Array.from({ length: 12 }, (_, at) => (at % 2 ? 0.4 : -0.3))), "last")).toBe("refused");
    expect(rule(played(Array.from({ length: 12 }, (_, at) => (at % 2 ? 0.4 : 0.1))), "last")).toBe("passed");
  });

  it("asks for more at half time, and ends early only what is hopeless", () => {
    const some = played(Array.from({ length: 12 }, (_, at) => (at % 2 ? 0.4 : -0.15)));
    expect(rule(some, "half")).toBe("undecided");
    expect(rule(played([0.1, 0, 0.2, 0, 0, 0]), "early")).toBe("undecided");
    expect(rule(played([-0.5, -0.4, -0.5, -0.5, -0.4, -0.5]), "early")).toBe("refused");
  });

  it("refuses what loses anything, where nothing may be lost", () => {
    expect(rule(played(Array.from({ length: 12 }, () => 0.3)), "last", { losses: 1 })).toBe("refused");
  });

  it("bounds a mean as Student's t does", () => {
    // Mean 3, deviation 1.5811 and t(4) = 2.132 at 95%.
    expect(lowerBound([1, 2, 3, 4, 5], 95)).toBeCloseTo(3 - (2.132 * 1.5811) / Math.sqrt(5), 3);
  });
});
