/** What the gate learns from, and gates that did not learn from a fold. */

import { isPermissive } from "../../eval/data/licence.js";
import type { Dialogue } from "../../eval/lre/dialogues.js";
import type { Folds } from "../../eval/lre/folds.js";
import { type Logistic, standardisation } from "../../src/lre/logistic.js";
import { fitGate } from "./fit.js";
import type { GateRows, GateTurn } from "./rows.js";
import { LEARNED, LEARNED_COLUMNS, toWeights } from "./shipping.js";

/** Held tight: with less the gate learns where LongMemEval put its facts, and LoCoMo's are missed. */
const L2 = 1_000;
/** The turn's score is held four times as tight: it was learned from the same labels, and between people it is another model's. */
const TIGHT = LEARNED.indexOf("salience");

/** Of sessions that several haystacks hold the first counts. */
export function firstOccurrence(dialogues: readonly Dialogue[]): (dialogue: number, session: number) => boolean {
  const first = new Map<string, string>();
  dialogues.forEach(({ sessions }, dialogue) => {
    sessions.forEach(({ id }, session) => {
      if (!first.has(id)) first.set(id, `${dialogue}:${session}`);
    });
  });
  return (dialogue, session) => first.get(dialogues[dialogue]?.sessions[session]?.id ?? "") === `${dialogue}:${session}`;
}

/** Sessions that hold evidence and may be learned from: elsewhere a fact may matter just as much and nobody asked for it. */
function lessons(rows: GateRows, dialogues: readonly Dialogue[]): GateTurn[] {
  const holds = new Set(
    rows.turns.filter(({ isEvidence }) => isEvidence).map(({ dialogue, session }) => `${dialogue}:${session}`),
  );
  return rows.turns.filter(
    ({ dialogue, session }) =>
      holds.has(`${dialogue}:${session}`) && isPermissive(dialogues[dialogue]?.sessions[session]?.id ?? ""),
  );
}

const rowsOf = (turns: readonly GateTurn[]): number[] =>
  turns.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));

/** The gate that ships. */
export function trainGate(rows: GateRows, dialogues: readonly Dialogue[], provenance: string) {
  return fitted(rows, dialogues, () => true, provenance);
}

/** One gate a fold, which learned from no text of it. */
export function trainFolds(rows: GateRows, dialogues: readonly Dialogue[], folds: Folds) {
  return Array.from({ length: folds.count }, (_, fold) =>
    fitted(rows, dialogues, ({ dialogue, session }) => folds.learns(fold, dialogue, session), `fold ${fold}`),
  );
}

function fitted(rows: GateRows, dialogues: readonly Dialogue[], learns: (turn: GateTurn) => boolean, provenance: string) {
  const seen = rows.turns.filter(
    (turn) => learns(turn) && isPermissive(dialogues[turn.dialogue]?.sessions[turn.session]?.id ?? ""),
  );
  const scale = standardisation(rows.store.data, rowsOf(seen), LEARNED_COLUMNS);
  const turns = lessons(rows, dialogues).filter(learns);
  scale.deviation[TIGHT] = 2 * (scale.deviation[TIGHT] as number);
  const logistic = loosened(fitGate(rows.store.data, { turns, use: LEARNED_COLUMNS, l2: L2, scale }));
  return { logistic, weights: toWeights(logistic, rows.store.data, rowsOf(seen), provenance) };
}

/** The same function of what was held tight, in plain deviations. */
function loosened(fitted: Logistic): Logistic {
  const [deviation, weights] = [fitted.deviation.slice(), fitted.weights.slice()];
  deviation[TIGHT] = (deviation[TIGHT] as number) / 2;
  weights[TIGHT] = (weights[TIGHT] as number) / 2;
  return { ...fitted, deviation, weights };
}
