/** `cases`: whether faults that people reported of other memories occur in Keepsake. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Case, type FurtherCheck, readCases } from "./cases/case.js";
import { faultsOf } from "./cases/match.js";
import { MissingSeam, Stage } from "./cases/stage.js";
import type { EvalOptions } from "./options.js";
import type { Findings } from "./report.js";

/** Far west and far east of Greenwich: what a case about time gives must not hang on where the process runs. */
const PROCESS_ZONES = ["America/Los_Angeles", "Pacific/Auckland"] as const;
const SHOWN_TEXT = 240;

/** @returns what is wrong, in words; empty when the case passes */
export async function runCase(which: Case): Promise<string[]> {
  await using stage = await Stage.open(which);
  const faults: string[] = [];
  try {
    await stage.prepare();
    const { also = [], ...first } = which.expect;
    const checks: readonly FurtherCheck[] = [first, ...also];
    for (const check of checks) {
      for (const texts of await stage.texts(check)) {
        const found = faultsOf(check, texts);
        if (found.length === 0) continue;
        const shown = texts.map((text) => `      ${text.slice(0, SHOWN_TEXT)}`).join("\n");
        faults.push(`${check.on ?? "recall"}: ${found.join("; ")}\n${shown || "      (nothing)"}`);
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof MissingSeam)) throw error;
    faults.push(error.message);
  }
  return faults;
}

/** Runs a case of time in several zones of the process, the others in its own. */
async function runEverywhere(which: Case): Promise<string[]> {
  if (which.kind !== "time") return runCase(which);
  const before = process.env.TZ;
  try {
    for (const zone of PROCESS_ZONES) {
      process.env.TZ = zone;
      const faults = await runCase(which);
      if (faults.length > 0) return faults.map((fault) => `(process in ${zone}) ${fault}`);
    }
    return [];
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

async function casesFile(path: string): Promise<string> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind) throw new RangeError(`there is no file or folder ${path}; give the cases with --data FILE`);
  if (kind.isFile()) return path;
  const candidates = [join(path, "cases.jsonl"), join(path, "..", "cases", "cases.jsonl")];
  for (const candidate of candidates) if (await stat(candidate).catch(() => undefined)) return candidate;
  throw new RangeError(`no cases.jsonl in ${path}; give it with --data FILE`);
}

export async function runCases(options: EvalOptions): Promise<Findings> {
  const path = await casesFile(options.data);
  const cases = (await readCases(path)).slice(0, options.limit);
  process.stderr.write(`${cases.length} cases in ${path}\n`);
  const figures: Record<string, number> = { "cases.passed": 0, "cases.total": cases.length };
  for (const which of cases) {
    const name = `cases.${which.kind}`;
    figures[`${name}.passed`] ??= 0;
    figures[`${name}.total`] = (figures[`${name}.total`] ?? 0) + 1;
    const faults = await runEverywhere(which);
    if (faults.length === 0) {
      figures["cases.passed"] = (figures["cases.passed"] ?? 0) + 1;
      figures[`${name}.passed`] = (figures[`${name}.passed`] ?? 0) + 1;
      continue;
    }
    process.stdout.write(`FAILED ${which.id}: ${which.fault}\n`);
    for (const fault of faults) process.stdout.write(`    ${fault}\n`);
  }
  return { figures, intervals: {}, failed: 0 };
}
