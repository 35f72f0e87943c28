/** Runs one case on a host. */

import type { Case, FurtherCheck } from "./case.js";
import type { StageHost } from "./host.js";
import { faultsOf } from "./match.js";
import { MissingSeam, Stage } from "./stage.js";

const SHOWN_TEXT = 240;

/** @param host closed afterwards
 * @returns what is wrong, in words; empty when the case passes */
export async function runCase(which: Case, host: StageHost): Promise<string[]> {
  await using stage = new Stage(which, host);
  const faults: string[] = [];
  try {
    await stage.prepare();
    const { also = [], ...first } = which.expect;
    const checks: readonly FurtherCheck[] = [first, ...also];
    for (const check of checks) {
      for (const texts of await stage.texts(check)) {
        const found = faultsOf(check, texts, stage.invariants);
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
