/** The engines that a run may ask for: a server of OpenAI's form is asked for roles, plans and batches alike, and what is asked is counted. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { counting, openEngine } from "../../eval/engines.js";
import { runGrowth } from "../../eval/growth.js";
import { LTM_PARTS, runLtm } from "../../eval/ltm.js";
import { runNoise } from "../../eval/noise.js";
import { readOptions } from "../../eval/options.js";
import { runRoles } from "../../eval/roles/run.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { type RunningServer, SERVED_MODEL, serveOpenAi } from "../slm/openai-server.js";
import { type ScriptedEngine, scriptedEngine } from "../slm/scripted-engine.js";
import { writeLocomo } from "./data-files.js";

const KEY = "sesame";
let model: ScriptedEngine;
let server: RunningServer;
beforeEach(async () => {
  vi.stubEnv("KEEPSAKE_API_KEY", KEY);
  model = scriptedEngine({ answers: ['{"numbers":[2,1]}'] });
  server = await serveOpenAi(
    { ...model, complete: async (...asked) => ({ ...(await model.complete(...asked)), promptTokens: 70, completionTokens: 7 }) },
    KEY,
  );
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const choice = (more: Partial<Parameters<typeof openEngine>[0]> = {}) => ({
  engine: "openai",
  model: SERVED_MODEL,
  baseUrl: `${server.url}/v1`,
  ...more,
});

describe("a server of OpenAI's form", () => {
  it("answers for each role, with the key of the environment", async () => {
    const { engine, as, asked } = await openEngine(choice());
    expect(engine.id).toBe(`openai-compatible/${new URL(server.url).host}/${SERVED_MODEL}`);
    await as("writer").complete([{ role: "user", content: "Write" }]);
    await as("writer").complete([{ role: "user", content: "Write again" }]);
    expect(asked.get("writer")).toMatchObject({ calls: 2, scorings: 0, promptTokens: 140, completionTokens: 14 });
    expect([...asked.keys()]).toEqual(["writer"]);
    await engine.close();
  });

  it.each([
    ["without an address", () => ({ baseUrl: undefined }), /--base-url URL/],
    ["without a model", () => ({ model: undefined }), /--model NAME/],
    ["of another model", () => ({ model: "gpt-9" }), /gives no answer of gpt-9: .*gpt-9 does not exist/],
    [
      "that is not there",
      () => ({ baseUrl: "http://127.0.0.1:1/v1" }),
      /127\.0\.0\.1:1\/v1 gives no answer.*check that the server runs/,
    ],
    ["at a wrong path", () => ({ baseUrl: `${server.url}/v2` }), /v2 gives no answer.*check the base URL/],
    ["of another kind", () => ({ engine: "webllm" }), /--engine is node-llama or openai, got webllm/],
    ["beside a file", () => ({ engine: "node-llama" }), /--base-url is where --engine openai asks/],
  ])("%s is refused in words", async (_, more, message) => {
    await expect(openEngine(choice(more()))).rejects.toThrow(message);
  });

  it("wants the right key", async () => {
    vi.stubEnv("KEEPSAKE_API_KEY", "");
    await expect(openEngine(choice())).rejects.toThrow(/check the API key/);
  });

  it("that turns out to take no schema is not told to the roles as one that does", async () => {
    let capabilities = { ...model.capabilities, schema: true };
    const role = counting({
      ...model,
      get capabilities() {
        return capabilities;
      },
    }).as("writer");
    capabilities = { ...capabilities, schema: false };
    expect(role.capabilities.schema).toBe(false);
  });
});

describe("a run that names a server", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "keepsake-eval-"));
    await writeLocomo(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const optionsOf = (command: string, ...more: readonly string[]) =>
    readOptions(
      [
        ...[command, "--data", folder, "--out", join(folder, "out"), "--engine", "openai"],
        ...["--base-url", `${server.url}/v1`, "--model", SERVED_MODEL, ...more],
      ],
      {
        commands: [command],
        methods: { [command]: command === "ltm" ? LTM_PARTS : ["lite", "slm", "coarse", "likelihood", "generate", "exam"] },
        defaultMethods: { ltm: ["growth"], growth: ["lite"], noise: ["lite"] },
        otherwise: ["coarse", "lite", "likelihood", "generate"],
      },
    );

  it("plays the roles with it, and leaves out what needs scores", async () => {
    const { figures, intervals, notes } = await runRoles(optionsOf("roles"));
    expect(figures["roles.selector.lite.recall@5.locomo.temporal"]).toBe(1);
    expect(figures["roles.selector.generate.gain.recall@5.locomo.single-hop"]).toBeDefined();
    expect(intervals["roles.selector.generate.gain.recall@5.locomo"]).toHaveLength(2);
    expect(figures).toMatchObject({ "roles.selector.generate.promptTokens": 70, "roles.selector.generate.completionTokens": 7 });
    expect(figures).not.toHaveProperty(["roles.selector.generate.estimatedTokens"]);
    expect(Object.keys(figures).filter((name) => name.includes("likelihood"))).toEqual([]);
    expect(notes?.join("\n")).toMatch(/gives no scores.*\n.*selector\.generate against lite/);
  });

  it.each([
    ["growth", runGrowth, "growth.trajectory.3.recall@10.slm"],
    ["noise", runNoise, "locomo.model.recall@10"],
  ])("asks it in %s", async (command, run, figure) => {
    const { figures, notes } = await run(optionsOf(command, "--roles", "selector=generate"));
    expect(figures[figure]).toBeGreaterThan(0);
    expect(notes?.[0]).toContain(SERVED_MODEL);
    expect(model.asked.length).toBeGreaterThan(1);
  });

  it("consolidates with it in ltm", async () => {
    const { figures, notes } = await runLtm(optionsOf("ltm"));
    // Numbers are no operations of a graph.
    expect(figures).toMatchObject({ "locomo.ltm.model.batches": 0, "locomo.ltm.model.failed": 3 });
    expect(model.asked.length).toBeGreaterThan(1);
    expect(notes?.[0]).toContain(SERVED_MODEL);
  });

  it("refuses roles by likelihood, which a server cannot play", async () => {
    await expect(runNoise(optionsOf("noise", "--roles", "selector=likelihood"))).rejects.toThrow(/gives no scores/);
  });
});

describe("scores", () => {
  it("cost the estimated tokens of the prompt and of what is scored, once for the same", async () => {
    const { as, asked } = counting(scriptedEngine({ answers: ["Yes"], score: () => -1 }));
    const prompt = [{ role: "user" as const, content: "Note: I moved to Oslo in March." }];
    const continuations = ["Where do I live?", "When did I move to Oslo?"];
    for (const _ of [1, 2]) await as("selector.likelihood").score?.(prompt, continuations);
    await as("selector.likelihood").complete(prompt);
    const texts = [prompt[0]?.content ?? "", ...continuations];
    expect(asked.get("selector.likelihood")).toMatchObject({
      calls: 2,
      scorings: 1,
      promptTokens: 0,
      estimatedTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    });
  });
});
