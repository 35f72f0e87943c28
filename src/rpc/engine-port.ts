/** A port onto a small model, for the worker that asks it: the engine's own, or one that the page serves. */

import type { ConnectableSlm } from "../ports.js";
import { serveEngine } from "./engine.js";
import { openServedPort, type ServedPort } from "./served-port.js";

/** @throws what the engine's `connect` rejects with; the signal's reason */
export function openEnginePort(engine: ConnectableSlm, signal: AbortSignal): Promise<ServedPort> {
  return openServedPort(engine, serveEngine, signal);
}
