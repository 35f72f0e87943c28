/** Scores of the context window's scorer for every turn of LongMemEval, each from a model that did not learn from its fold. */

import { isPermissive } from "../../eval/data/licence.js";
import type { Dialogue } from "../../eval/lre/dialogues.js";
import type { Folds } from "../../eval/lre/folds.js";
import { StreamScorer } from "../../src/lre/scorer.js";
import { collectAssistant, trainAssistant } from "../train-lre/assistant.js";

const round = (score: number): number => Number(score.toFixed(4));

/** The gate learns from these: from scores of a model that has seen the answers it would learn to trust them too much.
 * @returns by dialogue, one a turn */
export function heldOutScores(
  dialogues: readonly Dialogue[],
  folds: Folds,
  report: (done: number) => void = () => undefined,
): number[][] {
  const rows = collectAssistant(dialogues);
  const scores: number[][] = dialogues.map(() => []);
  const mayLearn = (dialogue: number, session: number): boolean =>
    dialogues[dialogue]?.gold.includes(1) === true && isPermissive(dialogues[dialogue]?.sessions[session]?.id ?? "");
  for (let fold = 0; fold < folds.count; fold++) {
    const model = trainAssistant(rows, "fold", (turn) => {
      const { dialogue, session, role } = rows.turns[turn] as (typeof rows.turns)[number];
      // The gate reads scores of persons' turns alone; a model needs some of the other part to be one.
      return folds.learns(fold, dialogue, session) && (role === "assistant" || mayLearn(dialogue, session));
    });
    dialogues.forEach((dialogue, number) => {
      if (folds.of[number] !== fold) return;
      const scorer = new StreamScorer(model);
      scores[number] = dialogue.turns.map(({ role, speaker, session, text }, at) =>
        round(scorer.push({ id: String(at), role, speaker, session: String(session), text })),
      );
    });
    report(fold + 1);
  }
  return scores;
}
