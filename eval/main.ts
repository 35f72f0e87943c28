/** `npm run eval -- <command>`: replays the benchmarks and writes a report. */

import { runCases } from "./cases.js";
import { runGrowth } from "./growth.js";
import { runLre } from "./lre/run.js";
import { LTM_PARTS, runLtm } from "./ltm.js";
import { METHODS } from "./methods.js";
import { runNoise } from "./noise.js";
import { readOptions } from "./options.js";
import { RECALL_METHODS, runRecall } from "./recall.js";
import { writeReport } from "./report.js";
import { ROLE_PARTS, runRoles } from "./roles/run.js";
import { runScrub } from "./scrub/run.js";
import { runWrite, WRITE_PARTS } from "./write/run.js";

const COMMANDS = {
  recall: runRecall,
  cases: runCases,
  growth: runGrowth,
  noise: runNoise,
  lre: runLre,
  ltm: runLtm,
  roles: runRoles,
  scrub: runScrub,
  write: runWrite,
} as const;

const options = readOptions(process.argv.slice(2), {
  commands: Object.keys(COMMANDS),
  methods: {
    ...Object.fromEntries(Object.keys(COMMANDS).map((command) => [command, RECALL_METHODS])),
    ltm: LTM_PARTS,
    roles: ROLE_PARTS,
    write: WRITE_PARTS,
  },
  defaultMethods: { ltm: LTM_PARTS, roles: ROLE_PARTS, write: WRITE_PARTS },
  otherwise: METHODS,
});
const startedAt = new Date().toISOString();
const findings = await COMMANDS[options.command as keyof typeof COMMANDS](options);
const { command, seed, out } = options;
const report = await writeReport(
  out,
  { command, seed, startedAt, options: { ...options, limit: Number.isFinite(options.limit) ? options.limit : null } },
  findings,
);
for (const [name, value] of Object.entries(report.figures)) {
  // Per category the table in report.md says more.
  if (command !== "recall" || name.split(".").length <= 3) process.stdout.write(`${name.padEnd(44)} ${value.toFixed(4)}\n`);
}
process.stdout.write(`written to ${out}\n`);
