/** Serves a trainer from inside its worker. */

import type { Trainer } from "../ports.js";
import { type Endpoint, expose } from "./endpoint.js";
import { holdLifeLock } from "./life-lock.js";
import type { TrainerApi } from "./lre-api.js";

export function serveTrainer(trainer: Trainer, endpoint?: Endpoint): void {
  const api: TrainerApi = {
    start: (lifeLock) => holdLifeLock(lifeLock).isHeld,
    learn: (profile, state, log) => trainer.learn(profile, state, log),
  };
  expose(api, endpoint);
}
