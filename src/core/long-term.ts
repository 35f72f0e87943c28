/** Makes the parts of the long-term memory, and gives each request to the one that answers it. */

import type { KnowledgeAnswer, KnowledgeRequest, MemoryEvent } from "../backend.js";
import { liteConsolidator } from "../ltm/lite-consolidator.js";
import type { CallOptions } from "../ports.js";
import { Consolidating, type ConsolidatingParts } from "./consolidating.js";
import { EngineBatches } from "./engine-batches.js";
import { KnowledgeExchange } from "./knowledge-exchange.js";
import { KnowledgeReads } from "./knowledge-reads.js";
import { allowedBy } from "./withholding.js";

export interface LongTermParts extends Omit<ConsolidatingParts, "consolidator"> {
  readonly emit: (event: MemoryEvent) => void;
  /** See `LocalMemoryParts`. */
  readonly nameModel?: (() => Promise<ArrayBuffer>) | undefined;
}

type Answer = <Request extends KnowledgeRequest>(
  request: Request,
  call: CallOptions,
) => Promise<KnowledgeAnswer[Request["type"]]>;

export function joinLongTerm(parts: LongTermParts): Answer {
  const consolidating = new Consolidating({ ...parts, consolidator: liteConsolidator() });
  const batches = new EngineBatches(parts, consolidating);
  const reads = new KnowledgeReads(parts.store);
  const exchange = new KnowledgeExchange(parts);
  const onProgress = (detail: { readonly done: number; readonly total: number }) =>
    parts.emit({ type: "progress", detail: { task: "consolidate", ...detail } });
  const answer = (request: KnowledgeRequest, { signal }: CallOptions) => {
    switch (request.type) {
      case "consolidate":
        return consolidating.run({
          ...(request.maxBatches !== undefined && { maxBatches: request.maxBatches }),
          signal,
          onProgress,
        });
      case "prepare":
        return batches.prepare(request, signal);
      case "sent":
        return batches.sent(request.jobId);
      case "finish":
        return batches.finish(request.jobId, request, signal);
      case "fail":
        return batches.fail(request.jobId, request);
      case "standing":
        return consolidating.standing(request.place, allowedBy(request.withhold));
      case "jobs":
        return consolidating.queue.jobs();
      case "nodes":
        return reads.nodes(request);
      case "common":
        return reads.common(request);
      case "export":
        return exchange.export(request.minUsers, { signal });
      case "import":
        return exchange.import(request.file, { signal });
      case "neighbours":
        return reads.neighbours(request.id);
    }
  };
  return answer as Answer;
}
