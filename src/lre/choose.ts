/** Chooses what stays of a set of units under a budget: knapsack for dialogue, coverage for agents, ledger for both. */

import { type Coverable, selectCoverage } from "./coverage.js";
import type { Identifier } from "./identifiers.js";
import { solveKnapsack } from "./knapsack.js";
import { chooseLines, type IdentifierUses, type LedgerLine } from "./ledger.js";
import { calibrate } from "./scorer.js";

/** An older unit that may go. */
export interface Candidate {
  readonly tokens: number;
  readonly score: number;
  readonly identifiers: readonly Identifier[];
}

export interface Choice {
  readonly taken: Uint8Array;
  readonly probabilities: Float64Array;
  readonly lines: readonly LedgerLine[];
  readonly ledgerTokens: number;
  readonly value: number;
  readonly bound: number;
}

export interface ChoiceOptions {
  readonly budget: number;
  readonly byCoverage: boolean;
  /** Tokens that the ledger may take at most. */
  readonly ledgerBudget: number;
  /** Tokens that it takes beside its text. */
  readonly ledgerCost: number;
  /** Identifiers that pinned and recent units hold. */
  readonly present: ReadonlySet<string>;
  /** Identifiers of units that are gone for good, or were in the ledger. */
  readonly spilled: Iterable<string>;
  readonly uses: IdentifierUses;
  readonly count: (text: string) => number;
}

const tokensOf = (candidates: readonly Candidate[], taken: Uint8Array): number =>
  candidates.reduce((sum, candidate, i) => sum + (taken[i] === 1 ? candidate.tokens : 0), 0);

/** Units that still fit what is left, best a token first. */
function fill(candidates: readonly Candidate[], values: Float64Array, taken: Uint8Array, left: number): number {
  const open = candidates.map((_, i) => i).filter((i) => taken[i] === 0);
  const more = solveKnapsack(
    open.map((i) => values[i] as number),
    open.map((i) => candidates[i]?.tokens ?? 0),
    left,
  );
  open.forEach((i, k) => {
    if (more.taken[k] === 1) taken[i] = 1;
  });
  return left - more.cost;
}

/** Agents: identifiers worth most are set aside for the ledger first, units are then chosen for what they still add. */
function chooseByCoverage(candidates: readonly Candidate[], probabilities: Float64Array, options: ChoiceOptions): Uint8Array {
  const { budget, present, uses, count, ledgerCost } = options;
  const ledgerBudget = Math.min(budget, options.ledgerBudget);
  const pool = new Set(options.spilled);
  for (const { identifiers } of candidates) for (const { value } of identifiers) pool.add(value);
  for (const value of present) pool.delete(value);
  const first = ledgerBudget > 0 ? chooseLines(pool, ledgerBudget, uses, count, ledgerCost) : { lines: [], tokens: 0 };
  const covered = new Set(present);
  for (const { value } of first.lines) covered.add(value);
  const units = candidates.map(
    (candidate, i): Coverable => ({
      cost: candidate.tokens,
      probability: probabilities[i] as number,
      identifiers: candidate.identifiers.map(({ value }) => value),
    }),
  );
  return selectCoverage(units, budget - first.tokens, (value) => uses.weight(value), covered);
}

/** The ledger never takes what the kept units carry; what it leaves of the budget is filled with units again. */
export function choose(candidates: readonly Candidate[], options: ChoiceOptions): Choice {
  const { budget, present, uses, count } = options;
  const ledgerBudget = Math.min(budget, options.ledgerBudget);
  const probabilities = calibrate(candidates.map(({ score }) => score));
  const spilled = new Set(options.spilled);
  const total = candidates.reduce((sum, { tokens }) => sum + tokens, 0);
  const whole = spilled.size === 0 && total <= budget;
  let taken = new Uint8Array(candidates.length).fill(1);
  let value = probabilities.reduce((sum, probability) => sum + probability, 0);
  let bound = value;
  if (!whole) {
    if (options.byCoverage) taken = Uint8Array.from(chooseByCoverage(candidates, probabilities, options));
    else {
      const costs = candidates.map(({ tokens }) => tokens);
      taken = Uint8Array.from(solveKnapsack(probabilities, costs, budget - ledgerBudget).taken);
      bound = solveKnapsack(probabilities, costs, budget).bound;
    }
  }
  let left = budget - tokensOf(candidates, taken);
  let lines: readonly LedgerLine[] = [];
  let ledgerTokens = 0;
  if (!whole && ledgerBudget > 0) {
    const carried = new Set(present);
    candidates.forEach(({ identifiers }, i) => {
      for (const { value: held } of identifiers) {
        if (taken[i] === 1) carried.add(held);
        else spilled.add(held);
      }
    });
    const chosen = chooseLines(
      [...spilled].filter((held) => !carried.has(held)),
      options.byCoverage ? left : Math.min(left, ledgerBudget),
      uses,
      count,
      options.ledgerCost,
    );
    ({ lines, tokens: ledgerTokens } = chosen);
    left -= ledgerTokens;
  }
  if (!whole) {
    fill(candidates, probabilities, taken, left);
    value = probabilities.reduce((sum, probability, i) => sum + (taken[i] === 1 ? probability : 0), 0);
  }
  if (options.byCoverage) value = bound = 0;
  return { taken, probabilities, lines, ledgerTokens, value, bound };
}
