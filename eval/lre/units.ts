/** Gold dialogues as units of the context window. */

import type { Unit } from "../../src/lre/unit.js";
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
