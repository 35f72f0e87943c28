/** `cases`: whether faults that people reported of other memories occur in Keepsake. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { runInChromium } from "../bench/browser.js";
import { type Case, readCases } from "./cases/case.js";
import { openNodeHost } from "./cases/node-host.js";
import { runCase as runOn } from "./cases/run.js";
import type { EvalOptions } from "./options.js";
import type { Findings } from "./report.js";

/** Far west and far east of Greenwich: what a case about time gives must not hang on where the process runs. */
const PROCESS_ZONES = ["America/Los_Angeles", "Pacific/Auckland"] as const;
/** How long all cases together may take in a browser. */
const BROWSER_LIMIT_MS = 600_000;

/** @returns what is wrong in Node, in words; empty when the case passes */
export async function runCase(which: Case): Promise<string[]> {
  return runOn(which, await openNodeHost());
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

/** A tab is a browser's; SQLite has none. */
function isOfBrowsers({ setup }: Case): boolean {
  return "tabs" in setup;
}

/** @returns what is wrong with each, in their order */
async function runInBrowser(cases: readonly Case[]): Promise<readonly string[][]> {
  if (cases.length === 0) return [];
  const { value } = await runInChromium("eval/cases/browser.worker.ts", { input: cases, timeoutMs: BROWSER_LIMIT_MS });
  return value as string[][];
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
  const inBrowser = cases.filter((which) => options.browser || isOfBrowsers(which));
  const browserFaults = await runInBrowser(inBrowser);
  const figures: Record<string, number> = { "cases.passed": 0, "cases.total": cases.length };
  for (const which of cases) {
    const name = `cases.${which.kind}`;
    figures[`${name}.passed`] ??= 0;
    figures[`${name}.total`] = (figures[`${name}.total`] ?? 0) + 1;
    const faults = inBrowser.includes(which) ? (browserFaults[inBrowser.indexOf(which)] ?? []) : await runEverywhere(which);
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
