/** One step of learning from a log: the state in, the state out. It runs in a worker of its own, or in this thread. */

import type { Trainer } from "../ports.js";
import { Learner } from "./learner.js";
import type { Unit } from "./unit.js";

/** What a unit must cover of what an answer tells beyond its question, weighted by idf. A log's own replies are mostly made of
 * general knowledge; at .1, right for questions about the past, chance would share the credit out. */
const COVERAGE = 0.3;

/** The learner as a {@link Trainer}: stateless, so that who stores the state is its only owner. */
export const learnFromLog: Trainer["learn"] = async (profile, state, { id, turns, answered }) => {
  const learner = new Learner(profile, { coverage: COVERAGE }, state);
  const units = turns.map(
    ({ role, name, sessionId, text }, at): Unit => ({ id: String(at), role, speaker: name ?? role, session: sessionId, text }),
  );
  const { evidence } = learner.observe({ id, units, answered });
  return { state: learner.export(), evidence };
};
