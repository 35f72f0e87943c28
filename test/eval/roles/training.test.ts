/** What `roles --export-training` writes: documented lines, of sessions that may be learned from. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readOptions } from "../../../eval/options.js";
import { ROLE_PARTS, runRoles } from "../../../eval/roles/run.js";
import { type RunningServer, SERVED_MODEL, serveOpenAi } from "../../slm/openai-server.js";
import { scriptedEngine } from "../../slm/scripted-engine.js";
import { writeLocomo, writeLongMemEval } from "../data-files.js";

let folder: string;
let server: RunningServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsake-training-"));
  server = await serveOpenAi(scriptedEngine({ answers: ["Hello"] }), "none");
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

it("holds the query, dated candidates and the numbers of those with evidence, without ShareGPT, LoCoMo and questions that lost theirs", async () => {
  await writeLongMemEval(folder);
  await writeLocomo(folder);
  const out = join(folder, "out");
  const engine = ["--engine", "openai", "--base-url", `${server.url}/v1`, "--model", SERVED_MODEL];
  const { notes } = await runRoles(
    readOptions(["roles", "--export-training", "--data", folder, "--out", out, "--methods", "coarse", ...engine], {
      commands: ["roles"],
      methods: { roles: ROLE_PARTS },
      defaultMethods: {},
      otherwise: [],
    }),
  );
  const text = await readFile(join(out, "selector-training.jsonl"), "utf8");
  const samples = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [sample] = samples;
  const evidence = "2023-05-13 user: I planted the plum tree behind the shed.";
  expect(samples).toEqual([
    {
      query: "Where did I plant the plum tree?",
      candidates: expect.any(Array),
      selection: [sample.candidates.indexOf(evidence) + 1],
    },
  ]);
  expect(sample.candidates).toContain(evidence);
  expect(sample.candidates).toContain("2023-05-10 user: How long do I boil an egg?");
  expect(text).not.toMatch(/ShareGPT|Lyon|boat|Pixel|Oslo/);
  expect(notes).toContain("1 training samples for SLM-2 in selector-training.jsonl, without ShareGPT sessions");
});
