/** `modelConsolidator`: an engine as a consolidator. What it needs is loaded with its first batch. */

import type { Consolidator, SlmEngine } from "./ports.js";

/** @param engine any: an endpoint, an AI SDK model, a model in this browser. To it goes scrubbed text, and only with the person's word:
 * see `consolidate` */
export function modelConsolidator(engine: SlmEngine): Consolidator {
  return {
    id: engine.id,
    place: "engine",
    consolidate: async (batch, call = {}) => (await import("./ltm/model-consolidator.js")).consolidateWith(engine, batch, call),
  };
}
