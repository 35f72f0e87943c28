/** The sentences of a person's turns with their features, and which turns are evidence: what the gate is trained and measured on. */

import type { Dialogue } from "../../eval/lre/dialogues.js";
import { RowStore } from "../../src/lre/rows.js";
import { splitSentences } from "../../src/text/sentences.js";
import { judgeSentence, type Verdict } from "../../src/write/gate.js";
import { GATE_FEATURES, sentenceFeatures } from "../../src/write/gate-features.js";
import { GateHistory } from "../../src/write/gate-history.js";

/** Sentences of a turn that are looked at, as by the writer. */
const MAX_SENTENCES = 400;

export interface GateTurn {
  readonly dialogue: number;
  readonly session: number;
  readonly at: number;
  readonly isEvidence: boolean;
  /** Its sentences: rows `from` to `to`. */
  readonly from: number;
  readonly to: number;
}

export interface GateRows {
  readonly store: RowStore;
  readonly turns: readonly GateTurn[];
  /** By row: what the rules say of the sentence. */
  readonly verdicts: readonly Verdict[];
  /** By row. */
  readonly turnOf: readonly number[];
}

/** @param salience of a turn, by dialogue and position
 * @param keep which sessions give rows; all are heard */
export function collectGate(
  dialogues: readonly Dialogue[],
  salience: (dialogue: number, at: number) => number,
  keep: (dialogue: number, session: number) => boolean = () => true,
): GateRows {
  const store = new RowStore(GATE_FEATURES.length);
  const turns: GateTurn[] = [];
  const verdicts: Verdict[] = [];
  const turnOf: number[] = [];
  const row = new Float64Array(GATE_FEATURES.length);
  const none = new Int32Array(0);
  dialogues.forEach((dialogue, number) => {
    const history = new GateHistory();
    const names = new Set(dialogue.turns.flatMap(({ speaker }) => speaker.toLowerCase().split(/\s+/u)));
    dialogue.turns.forEach((turn, at) => {
      const text = (turn.caption ? `[Image: ${turn.caption}] ` : "") + turn.text;
      const heard = { role: turn.role, name: turn.speaker, text, sessionId: String(turn.session) };
      const place = { ...history.enter(heard), salience: salience(number, at) };
      if (turn.role === "user" && keep(number, turn.session)) {
        const sentences = splitSentences(text).slice(0, MAX_SENTENCES);
        const from = store.rows;
        sentences.forEach((sentence, position) => {
          sentenceFeatures(sentence, { ...place, position, count: sentences.length }, history.heard, row);
          store.add(row, none, 0);
          verdicts.push(judgeSentence(sentence, turn.role, names));
          turnOf.push(turns.length);
        });
        const isEvidence = dialogue.gold[at] === 1;
        if (sentences.length > 0) turns.push({ dialogue: number, session: turn.session, at, isEvidence, from, to: store.rows });
      }
      history.leave(heard);
    });
  });
  return { store, turns, verdicts, turnOf };
}
