/** A trainer that learns in a worker, which lives for one step: steps are rare, and what it holds in between is nothing. */

import type { Trainer } from "../ports.js";
import type { TrainerApi } from "./lre-api.js";
import { WorkerLink } from "./worker-link.js";

/** @param spawn makes the worker */
export function remoteTrainer(spawn: () => Worker): Trainer {
  return {
    async learn(profile, state, log, { signal } = {}) {
      const link = await WorkerLink.start<TrainerApi>(spawn, "learning", signal);
      try {
        return await link.call((remote) => remote.learn(profile, state, log), signal);
      } finally {
        link.close();
      }
    },
  };
}
