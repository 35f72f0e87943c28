/** Gold dialogues as units of the context window, and what of their evidence a window keeps. */

import type { Unit } from "../../src/lre/unit.js";
import type { Kept, WindowSelection } from "../../src/lre/window-options.js";
import type { Dialogue } from "./dialogues.js";

export const unitsOf = (dialogue: Dialogue): Unit[] =>
  dialogue.turns.map((turn, at) => ({
    id: String(at),
    role: turn.role,
    speaker: turn.speaker,
    session: String(turn.session),
    text: turn.text,
    ...(turn.caption !== undefined && { caption: turn.caption }),
  }));

export interface Retention {
  /** Share of evidence turns that are kept. */
  readonly evidence: number;
  /** Share of questions with all of their evidence kept. */
  readonly all: number;
}

export function retentionOf(dialogue: Dialogue, kept: ReadonlySet<number>): Retention {
  let gold = 0;
  let found = 0;
  dialogue.gold.forEach((label, at) => {
    gold += label;
    if (label === 1 && kept.has(at)) found++;
  });
  const asked = dialogue.questions.filter(({ evidence }) => evidence.length > 0);
  const whole = asked.filter(({ evidence }) => evidence.every((at) => kept.has(at)));
  return { evidence: found / Math.max(1, gold), all: whole.length / Math.max(1, asked.length) };
}

export const keptOf = (selection: WindowSelection): Set<number> =>
  new Set(selection.kept.map(({ unit }: Kept) => Number(unit.id)));
