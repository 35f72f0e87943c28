/** `openaiConsolidator`: a model behind an HTTP endpoint as a consolidator, called from a worker that lives for one batch. */

import { spawnConsolidationWorker } from "../../../workers/spawn-consolidation.js";
import type { Consolidator } from "../../ports.js";
import { askHost } from "./hosted-engine.js";
import { engineId, urlOf } from "./openai-client.js";
import type { OpenAiCompatibleOptions } from "./openai-compatible.js";
import type { ConsolidateAnswer, ConsolidateQuestion } from "./openai-host.js";

export interface OpenAiConsolidatorOptions extends OpenAiCompatibleOptions {
  /** URL of `openai` as an ES module, for pages without a bundler: import maps do not reach workers. */
  readonly peerUrl?: string | URL;
  /** Makes the worker, where the app hosts `consolidation.worker.js` elsewhere. */
  readonly createWorker?: () => Worker;
}

/** For `memory.consolidate({ consolidator, optedIn: true })` in a page: the call is made and its answer read in a worker, so that neither
 * the page nor the memory waits for it; an abort ends the worker, and the call with it. In Node, use
 * `modelConsolidator(await openaiCompatible(options).open())`.
 *
 * What goes wrong leaves the batch waiting, with the reason in its job: MemoryError "peer-missing", "worker-failed", "timeout", or
 * "model-failed" with `details.status` and `details.retryAfterMs`, also where the endpoint does not let this page in (CORS). */
export function openaiConsolidator(options: OpenAiConsolidatorOptions): Consolidator {
  const { peerUrl, createWorker = spawnConsolidationWorker, ...rest } = options;
  const baseURL = urlOf(options.baseURL);
  const settings = {
    options: { ...rest, baseURL: baseURL.href },
    ...(peerUrl !== undefined && { peerUrl: new URL(peerUrl, globalThis.location?.href).href }),
  };
  return {
    id: engineId(baseURL, options.model),
    place: "engine",
    consolidate: async (batch, { signal, onUsage } = {}) => {
      const question = { ...settings, batch } satisfies ConsolidateQuestion;
      const answer = await askHost<ConsolidateAnswer>(createWorker, "consolidation", "consolidate", question, signal);
      for (const usage of answer.usage) onUsage?.(usage);
      return answer.operations;
    },
  };
}
