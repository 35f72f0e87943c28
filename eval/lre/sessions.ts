/** The paper's unit on LongMemEval, the session: means and maxima of its turns' features. For comparison only; what ships keeps turns. */

import type { AssistantRows } from "../../scripts/train-lre/assistant.js";
import { ASSISTANT_FEATURES, REVISABLE } from "../../src/lre/assistant-features.js";
import { DIALOGUE_FEATURES } from "../../src/lre/dialogue-features.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import { logitsOf, RowStore } from "../../src/lre/rows.js";
import type { Dialogue } from "./dialogues.js";
import type { Folds } from "./folds.js";
import { auc } from "./ranking.js";

const DIALOGUE_COLUMNS = DIALOGUE_FEATURES.length;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const ALL = range(0, DIALOGUE_COLUMNS);
const OWN = range(DIALOGUE_COLUMNS, 2 * DIALOGUE_COLUMNS);
const ROLE = range(2 * DIALOGUE_COLUMNS, REVISABLE);
const column = (name: string): number => ASSISTANT_FEATURES.indexOf(name);
const L2 = 100;

interface SessionSpan {
  readonly dialogue: number;
  readonly session: number;
  readonly turns: readonly number[];
}

function spansOf(rows: AssistantRows): SessionSpan[] {
  const spans: (SessionSpan & { turns: number[] })[] = [];
  rows.turns.forEach(({ dialogue, session }, turn) => {
    const last = spans.at(-1);
    if (last?.dialogue === dialogue && last.session === session) last.turns.push(turn);
    else spans.push({ dialogue, session, turns: [turn] });
  });
  return spans;
}

/** @returns AUC of each answerable dialogue, its sessions ranked on held-out folds */
export function sessionAucs(rows: AssistantRows, dialogues: readonly Dialogue[], folds: Folds, atEviction: boolean): number[] {
  const { dense, columns } = rows.store.data;
  const at = (turn: number, col: number): number => dense[(2 * turn + (atEviction ? 1 : 0)) * columns + col] as number;
  const aggregate = (turns: readonly number[], use: readonly number[], kind: "mean" | "max"): number[] =>
    use.map((col) => {
      if (turns.length === 0) return 0;
      const values = turns.map((turn) => at(turn, col));
      return kind === "max" ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
    });
  const topics = atEviction
    ? ["earlierSession", "earlierSessionSecond", "anySession", "anySessionSecond"]
    : ["earlierSession", "earlierSessionSecond"];
  const turnTopics = atEviction
    ? ["earlierTurn", "earlierTurnSecond", "anyTurn", "anyTurnSecond"]
    : ["earlierTurn", "earlierTurnSecond"];
  const spans = spansOf(rows).filter(({ dialogue }) => dialogues[dialogue]?.questions[0]?.answer !== undefined);
  const chars = column("chars");
  const features = spans.map(({ session, turns }) => {
    const human = turns.filter((turn) => rows.turns[turn]?.role === "user");
    const other = turns.filter((turn) => rows.turns[turn]?.role !== "user");
    const humanChars = human.reduce((sum, turn) => sum + Math.expm1(at(turn, chars)), 0);
    const allChars = turns.reduce((sum, turn) => sum + Math.expm1(at(turn, chars)), 0);
    const base = [
      Math.log1p(human.length),
      Math.log1p(allChars),
      Math.log1p(humanChars),
      humanChars / Math.max(1, allChars),
      Math.log1p(session),
    ];
    return [
      ...base,
      ...aggregate(human, [...OWN, ...ROLE], "mean"),
      ...aggregate(human, [...OWN, ...ROLE], "max"),
      ...aggregate(other, [...ALL, ...ROLE], "mean"),
      ...aggregate(turns.slice(-1), topics.map(column), "max"),
      ...aggregate(human, turnTopics.map(column), "max"),
    ];
  });
  const store = new RowStore(features[0]?.length ?? 0);
  for (const row of features) store.add(row, new Int32Array(0), 0);
  const labels = Float32Array.from(spans, ({ dialogue, session }) =>
    dialogues[dialogue]?.sessions[session]?.isEvidence ? 1 : 0,
  );
  const scores = new Float64Array(spans.length);
  for (let fold = 0; fold < folds.count; fold++) {
    const subset = Uint32Array.from(
      spans.flatMap(({ dialogue, session }, i) => (folds.learns(fold, dialogue, session) ? [i] : [])),
    );
    const fitted = fitLogistic(store.data, { labels, subset, l2: L2 });
    const held = spans.flatMap(({ dialogue }, i) => (folds.of[dialogue] === fold ? [i] : []));
    logitsOf(fitted, store.data, held).forEach((score, k) => {
      scores[held[k] as number] = score;
    });
  }
  return dialogues.map((_, dialogue) => {
    const own = spans.flatMap((span, i) => (span.dialogue === dialogue ? [i] : []));
    return auc(
      own.map((i) => scores[i] as number),
      own.map((i) => labels[i] as number),
    );
  });
}
