/** The protocol between a memory and the worker that learns for it. */

import type { Learned, TrainingLog } from "../ports.js";
import type { WorkerApi } from "./worker-link.js";

export interface TrainerApi extends WorkerApi {
  learn(profile: "people" | "assistant", state: Uint8Array | undefined, log: TrainingLog): Promise<Learned>;
}
