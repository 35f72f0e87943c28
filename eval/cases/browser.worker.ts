/** Plays cases in a worker of Chromium. */

import type { WorkerAnswer } from "../../bench/browser.js";
import { openBrowserHost } from "./browser-host.js";
import type { Case } from "./case.js";
import { runCase } from "./run.js";

self.onmessage = async ({ data }: MessageEvent<readonly Case[]>) => {
  const answer: WorkerAnswer = await played(data).then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }) as const,
  );
  self.postMessage(answer);
};

/** @returns what is wrong with each, in their order */
async function played(cases: readonly Case[]): Promise<string[][]> {
  const faults: string[][] = [];
  for (const which of cases) faults.push(await runCase(which, openBrowserHost()));
  return faults;
}
