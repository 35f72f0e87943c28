/** The scorer of the context window, as the sentence gate uses it; a chunk of its own, loaded with the first turn that is written. */

import { StreamScorer } from "../lre/scorer.js";
import { shippedModel } from "../lre/shipped.js";
import type { TurnScorer } from "./gate-history.js";
import type { GateProfile } from "./gate-stream.js";

export function createTurnScorer(profile: GateProfile): TurnScorer {
  return new StreamScorer(shippedModel(profile));
}
