/** What runs in the consolidation worker: an endpoint's engine, opened for each question that is put to it. */

import type { OpenAI } from "openai";
import { MemoryError } from "../../errors.js";
import type { ConsolidationBatch, GraphOperation, SlmEngine, TokenUsage } from "../../ports.js";
import type { EngineHost } from "./engine-host.js";
import { engineOf } from "./openai-client.js";
import type { OpenAiCompatibleOptions } from "./openai-compatible.js";

export interface OpenAiHostSettings {
  readonly options: Omit<OpenAiCompatibleOptions, "baseURL"> & { readonly baseURL: string };
  readonly peerUrl?: string;
}

export interface ConsolidateQuestion extends OpenAiHostSettings {
  readonly batch: ConsolidationBatch;
}

export interface ConsolidateAnswer {
  readonly operations: readonly GraphOperation[];
  /** Of each call that it took. */
  readonly usage: readonly TokenUsage[];
}

/** @param importPeer gets the package `openai`, from a URL where one is given
 * @param ask.consolidate what a batch is asked with */
export function openaiHost(
  importPeer: (url: string | undefined) => Promise<{ readonly OpenAI: typeof OpenAI }>,
  ask: { readonly consolidate: (engine: SlmEngine, batch: ConsolidationBatch) => Promise<ConsolidateAnswer> },
): EngineHost<OpenAiHostSettings> {
  const open = async ({ options, peerUrl }: OpenAiHostSettings): Promise<SlmEngine> => {
    const peer = await importPeer(peerUrl).catch((cause: unknown) => {
      throw new MemoryError("peer-missing", "openaiConsolidator() needs the package openai: npm install openai", { cause });
    });
    return engineOf(peer.OpenAI, options);
  };
  return {
    open,
    questions: {
      consolidate: async ({ batch, ...settings }: ConsolidateQuestion) => ask.consolidate(await open(settings), batch),
    },
  };
}
