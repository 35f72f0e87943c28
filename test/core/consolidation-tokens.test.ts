/** What consolidation with a model costs: all calls of it, with all that a model is told, count against the limit of a day. */

import { afterEach, describe, expect, it } from "vitest";
import { PROMPT_TOKENS } from "../../src/core/engine-batches.js";
import { type Memory, modelConsolidator } from "../../src/index.js";
import { consolidateWith } from "../../src/ltm/model-consolidator.js";
import type { Consolidator, SlmEngine, TokenUsage } from "../../src/ports.js";
import { consolidatorMessages } from "../../src/slm/prompts/consolidator.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { Rig } from "../faults/rig.js";
import { type ScriptedEngine, scriptedEngine } from "../slm/scripted-engine.js";

const NODE = { id: "a", type: "Concept", name: "rooibos", statement: "a drink for the night", support: [1] };
const agreed = { optedIn: true } as const;
const PROSE = "I am sorry, but I cannot help with that.";
const rigs: Rig[] = [];

async function filled(): Promise<{ readonly memory: Memory; readonly spent: () => Promise<number | undefined> }> {
  const rig = new Rig();
  rigs.push(rig);
  const told = await rig.open();
  await told.record([{ id: "a", conversationId: "default", text: "I drink rooibos every night.", isStatement: true }]);
  const spent = async () => {
    const row = await (await rig.store()).meta<{ readonly spent?: { readonly tokens: number } }>("consolidation");
    return row?.spent?.tokens;
  };
  return { memory: told.memory, spent };
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

const answering = (...answers: readonly (object | string)[]) =>
  scriptedEngine({ answers: answers.map((one) => (typeof one === "string" ? one : JSON.stringify(one))) });
/** By hand, what went to an engine and came back. */
const costOf = ({ asked }: ScriptedEngine, answers: readonly string[]) =>
  asked.reduce((sum, { messages }) => sum + estimateTokens(messages.map(({ content }) => content).join("\n")), 0) +
  answers.reduce((sum, answer) => sum + estimateTokens(answer), 0);
const counting = (
  engine: SlmEngine,
  counts: { readonly promptTokens: number; readonly completionTokens: number },
): SlmEngine => ({
  ...engine,
  complete: async (...call) => ({ ...(await engine.complete(...call)), ...counts }),
});

describe("the tokens of a day", () => {
  it("hold the whole prompt, the second try, and an answer of no use", async () => {
    const { memory, spent } = await filled();
    const engine = answering(PROSE);
    await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed });
    expect(engine.asked).toHaveLength(2);
    expect(await spent()).toBe(costOf(engine, [PROSE, PROSE]));
    const willing = answering({ addNode: [NODE] });
    const before = (await spent()) ?? 0;
    await memory.consolidate({ consolidator: modelConsolidator(willing), ...agreed });
    expect(((await spent()) ?? 0) - before).toBe(costOf(willing, [JSON.stringify({ addNode: [NODE] })]));
  });

  it("are those that the engine counts, where it does", async () => {
    const { memory, spent } = await filled();
    const engine = counting(answering({ addNode: [NODE] }), { promptTokens: 5_000, completionTokens: 70 });
    await memory.consolidate({ consolidator: modelConsolidator(engine), ...agreed });
    expect(await spent()).toBe(5_070);
  });

  it("are estimated for a consolidator that tells nothing, with about what it tells a model", async () => {
    const { memory, spent } = await filled();
    const quiet: Consolidator = { id: "quiet", place: "engine", consolidate: async () => [] };
    await memory.consolidate({ consolidator: quiet, ...agreed });
    expect(await spent()).toBeGreaterThan(PROMPT_TOKENS);
    const empty = consolidatorMessages({ fragments: [], nodes: [], edges: [] });
    const told = estimateTokens(empty.map(({ content }) => content).join("\n"));
    expect(PROMPT_TOKENS).toBeGreaterThanOrEqual(told);
    expect(PROMPT_TOKENS).toBeLessThan(1.5 * told);
  });

  it("stay as they were where nobody was reached, and count what was sent where nothing came back in time", async () => {
    const { memory, spent } = await filled();
    const away: Consolidator = {
      id: "away",
      place: "engine",
      consolidate: () => Promise.reject(new TypeError("Failed to fetch")),
    };
    await memory.consolidate({ consolidator: away, ...agreed });
    expect(await spent()).toBe(0);
    const silent: Consolidator = { ...away, consolidate: () => new Promise(() => undefined) };
    await memory.consolidate({ consolidator: silent, ...agreed, timeoutMs: 20 });
    expect(await spent()).toBeGreaterThan(PROMPT_TOKENS);
  });

  it("hold back what would go beyond them, which says so, and goes when it may", async () => {
    const { memory } = await filled();
    const engine = answering({ addNode: [NODE] });
    const consolidator = modelConsolidator(engine);
    expect(await memory.consolidate({ consolidator, ...agreed, maxTokensPerDay: 100 })).toMatchObject({ batches: 0, left: 1 });
    expect(engine.asked).toEqual([]);
    expect(await memory.knowledge.jobs()).toMatchObject([
      { state: "waiting", cause: "limit", attempts: 0, reason: expect.stringMatching(/the 100 of a day/) },
    ]);
    expect(await memory.consolidate({ consolidator, ...agreed, maxTokensPerDay: 500 })).toMatchObject({ batches: 1, left: 0 });
    const [done] = await memory.knowledge.jobs();
    expect(done).toMatchObject({ state: "committed" });
    expect(done?.reason).toBeUndefined();
    // What went before counts.
    await memory.record({ user: "My brother grows pears, and a pear is a fruit." });
    expect(await memory.consolidate({ consolidator, ...agreed, maxTokensPerDay: 500 })).toMatchObject({ batches: 0 });
    expect(engine.asked).toHaveLength(1);
  });
});

it("tells of every call of a model as it is answered, and in the error what a refusal took", async () => {
  const told: TokenUsage[] = [];
  const engine = counting(answering(PROSE), { promptTokens: 300, completionTokens: 12 });
  const batch = { fragments: [{ fragment: 1, text: "The user drinks tea.", kind: "fact" }], nodes: [], edges: [] } as const;
  await expect(consolidateWith(engine, batch, { onUsage: (usage) => told.push(usage) })).rejects.toMatchObject({
    code: "model-failed",
    details: { promptTokens: 600, completionTokens: 24 },
  });
  expect(told).toEqual([
    { promptTokens: 300, completionTokens: 12 },
    { promptTokens: 300, completionTokens: 12 },
  ]);
});
