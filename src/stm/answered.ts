/** The questions that a conversation itself answered: what its own log teaches of which turns turn out to be needed. */

import type { Turn } from "../types.js";

/** A question and its reply, by position. */
export interface AnsweredTurn {
  /** Position of the question among the turns; the reply follows it. */
  readonly at: number;
  readonly question: string;
  readonly answer: string;
}

type SaidTurn = Pick<Turn, "role" | "name" | "text">;

const QUESTION = /[?？؟]/u;
/** The person asks of themselves or their own. Others' questions ("what is a verb?") are answered from elsewhere. */
const OWN = /\b(?:I|me|my|mine|myself|we|us|our|ours|ich|mir|mich|mein\w*|wir|uns\w*|yo|mi|mis|nosotros|nuestr\w+)\b|我|咱/iu;
/** A request for something new, whoever it is for. */
const REQUEST =
  /\b(?:can|could|would|will) you\b|\b(?:recommend|suggest\w*|advice|tips?|ideas?|write|draft|explain|translate|create|generate|give me|help me|how (?:can|do|should|could|would) I|should I|what (?:should|can|could) I)\b/iu;

/** Exchanges in which a person asks about their own and something that is no named speaker replies. */
export function answeredIn(turns: readonly SaidTurn[]): AnsweredTurn[] {
  return turns.flatMap((turn, at) => {
    const reply = turns[at + 1];
    if (turn.role !== "user" || reply?.role !== "assistant" || reply.name !== undefined) return [];
    if (!QUESTION.test(turn.text) || !OWN.test(turn.text) || REQUEST.test(turn.text)) return [];
    return [{ at, question: turn.text, answer: reply.text }];
  });
}
