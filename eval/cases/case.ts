/** Cases made after public bug reports: a small input, an action, and what must and must not show. */

import { readFile } from "node:fs/promises";

/** What is checked, and of which text; a plain string is sought ignoring case, `a||b` is either, `=x` minds case, `re:` is a pattern. */
export interface Check {
  readonly on?: string;
  readonly topK?: number;
  readonly mustContain?: readonly string[];
  readonly mustNotContain?: readonly string[];
  /** Counts only the texts that hold it. */
  readonly match?: string;
  readonly entriesAtMost?: number;
  /** Invariants by name. */
  readonly structure?: readonly string[];
  readonly maxTokens?: number;
  readonly maxHanCharacters?: number;
}

/** A further check may ask a question of its own. */
export interface FurtherCheck extends Check {
  readonly ask?: string;
  readonly space?: string;
}

export interface CaseTurn {
  readonly user: string;
  readonly assistant?: string;
  readonly at: string;
  /** Whose memory it is. */
  readonly space?: string;
  readonly session?: string;
}

export interface CaseStep {
  readonly ask?: string;
  readonly at?: string;
  /** IANA name; the offset of `at` by default. */
  readonly tz?: string;
  readonly space?: string;
  readonly session?: string;
  readonly command?: string;
  readonly query?: string;
  /** Path of a file of the set-up. */
  readonly file?: string;
  readonly budgetTokens?: number;
  readonly sweepBudgetTokens?: readonly [number, number];
  readonly step?: number;
  /** Which turns each call sends off the device, by position. */
  readonly calls?: readonly { readonly send: readonly number[] }[];
  /** Persons that the memory knows. */
  readonly names?: readonly string[];
  /** How long an opening may take until it settles. */
  readonly timeoutMs?: number;
  readonly sequence?: readonly CaseStep[];
  readonly then?: CaseStep;
}

export interface Case {
  readonly id: string;
  readonly fault: string;
  readonly kind: string;
  /** Turns, or an object with `turns`, `files` and what else the case needs. */
  readonly setup: readonly CaseTurn[] | Readonly<Record<string, unknown>>;
  readonly action: CaseStep;
  readonly expect: Check & { readonly also?: readonly FurtherCheck[] };
}

/** @param path JSON lines, one case each
 * @throws RangeError for a line that is no case */
export async function readCases(path: string): Promise<Case[]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, index) => {
    const found = JSON.parse(line) as Partial<Case>;
    if (!found.id || !found.kind || !found.setup || !found.action || !found.expect)
      throw new RangeError(`line ${index + 1} of ${path} is no case: id, kind, setup, action and expect are needed`);
    return found as Case;
  });
}
