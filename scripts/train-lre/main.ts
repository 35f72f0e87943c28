/** `npm run train:lre -- [--data FOLDER] [--out FILE]`: trains the shipped weights of the eviction scorer and writes `src/lre/weights.ts`.
 *
 * Learns from permissively licensed data alone: LongMemEval (MIT) without the sessions that come from ShareGPT, tau-bench and
 * SWE-agent (MIT), API-Bank (Apache-2.0). LoCoMo (CC BY-NC) is never read here. The same data give the same bytes: there is no
 * randomness in it. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isPermissive } from "../../eval/data/licence.js";
import { loadApiBank, loadSweAgent, loadTauBench } from "../../eval/lre/agents.js";
import { type Dialogue, loadLongMemEval } from "../../eval/lre/dialogues.js";
import { encodeModel, type ScorerModel } from "../../src/lre/model.js";
import { collectAgents, trainAgent } from "./agent.js";
import { collectAssistant, trainAssistant } from "./assistant.js";
import { trainPeople } from "./people.js";

const TARGET = fileURLToPath(new URL("../../src/lre/weights.ts", import.meta.url));

/** Leaves out the sessions that may not be learned from, evidence or not. */
function withoutShareGpt(dialogue: Dialogue): Dialogue {
  const allowed = dialogue.sessions.map(({ id }) => isPermissive(id));
  const kept = dialogue.turns.flatMap((turn, at) => (allowed[turn.session] ? [at] : []));
  return {
    ...dialogue,
    turns: kept.flatMap((at) => dialogue.turns[at] ?? []),
    gold: Uint8Array.from(kept, (at) => dialogue.gold[at] ?? 0),
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Base64 in lines that an editor can show. */
function literal(model: ScorerModel): string {
  const lines = base64(encodeModel(model)).match(/.{1,116}/g) ?? [];
  return lines.map((line) => `    "${line}"`).join(" +\n");
}

const { values } = parseArgs({
  options: { data: { type: "string", default: "../shared/data" }, out: { type: "string", default: TARGET } },
});
const dialogues = (await loadLongMemEval(join(values.data, "longmemeval"))).map(withoutShareGpt);
const DIALOGUES = "LongMemEval_S dev (MIT), no sharegpt_ sessions";
const people = trainPeople(dialogues, `${DIALOGUES}; evidence sessions, person's turns; answer weight set by hand`);
const rows = collectAssistant(dialogues);
const hasEvidence = dialogues.map(({ gold }) => gold.includes(1));
const assistant = trainAssistant(rows, DIALOGUES, (turn) => hasEvidence[rows.turns[turn]?.dialogue ?? 0] ?? false);
const runs = [
  ...(await loadTauBench(join(values.data, "tau-bench"))),
  ...(await loadSweAgent(join(values.data, "swe-agent"))),
  ...(await loadApiBank(join(values.data, "api-bank", "lv1-lv2-samples"))),
];
const agent = trainAgent(
  collectAgents(runs),
  "tau-bench airline, SWE-agent (MIT), API-Bank (Apache-2.0); reuse in 3 or more later units",
  () => true,
);

const entries = Object.entries({ people, assistant, agent }).map(([name, model]) => `  ${name}:\n${literal(model)},`);
const text = `/** The shipped weights, as model files in base64. Written by \`npm run train:lre\`; data, never edited by hand. */

export const WEIGHTS = {
${entries.join("\n")}
} as const;
`;
await writeFile(values.out, text);
for (const [name, model] of Object.entries({ people, assistant, agent }))
  process.stdout.write(`${name}: ${encodeModel(model).length} bytes\n`);
