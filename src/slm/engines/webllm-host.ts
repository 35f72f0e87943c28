/** Loads models into WebLLM, inside its worker, and looks after those that are kept on this device. */

import { MemoryError } from "../../errors.js";
import type { EngineHost, Progress } from "./engine-host.js";
import { ForcedTokens } from "./forced-tokens.js";
import { WebLlmEngine } from "./webllm-engine.js";
import { type GraphicsDevice, misfitOf, nextBest, nextSmaller } from "./webllm-fit.js";
import { fromWebLlmLoad, isUnreachable, pipelineOf, type WebLlmPeer, type WebLlmRecord } from "./webllm-peer.js";

/** What the page settles before the worker starts; all URLs are absolute. */
export interface WebLlmSettings {
  readonly model: string;
  /** Where the app's own build of the model lies; WebLLM's list is asked without it. */
  readonly custom?: Omit<WebLlmRecord, "model_id">;
  readonly contextTokens?: number;
  readonly cache: "cache" | "indexeddb" | "opfs";
  readonly peerUrl?: string;
}

/** A model of WebLLM's list, or the app's own. */
export interface WebLlmModel {
  readonly model: string;
  /** Graphics memory in megabytes that it asks for; absent where the list does not tell. */
  readonly memoryMB?: number;
  readonly isCached: boolean;
  /** Why it cannot run here; absent where nothing speaks against it. */
  readonly misfit?: string;
}

const MEGABYTE = 1024 * 1024;

/** What of WebGPU is asked; the language's own libraries have no types of it. */
interface Graphics {
  readonly gpu?: {
    requestAdapter(options: { readonly powerPreference: "high-performance" }): Promise<{
      readonly features: ReadonlySet<string>;
      readonly limits: { readonly maxBufferSize: number; readonly maxStorageBufferBindingSize: number };
      readonly info: { readonly vendor: string; readonly architecture: string };
    } | null>;
  };
  readonly deviceMemory?: number;
}

type ImportPeer = (url: string | undefined) => Promise<WebLlmPeer>;

export function webLlmHost(importPeer: ImportPeer): EngineHost<WebLlmSettings> {
  const peerOf = async ({ peerUrl }: WebLlmSettings): Promise<WebLlmPeer> => {
    try {
      return await importPeer(peerUrl);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new MemoryError(
        "peer-missing",
        `webllm() needs the package @mlc-ai/web-llm, which could not be imported (${why}): install it, or pass peerUrl on a page without a bundler`,
        { cause },
      );
    }
  };
  return {
    async open(settings, { signal, onProgress }) {
      const peer = await peerOf(settings);
      const config = configOf(peer, settings);
      const record = recordOf(config.model_list, settings.model);
      const device = await graphicsDevice();
      const misfit = misfitOf(record, device);
      // Where the app's own build does not fit, one of the list may.
      const others = peer.prebuiltAppConfig.model_list;
      if (misfit !== undefined) throw unfit(misfit, nextBest(record, others, device));
      signal?.throwIfAborted();
      if (!(await peer.hasModelInCache(settings.model, config).catch(() => false)))
        await checkRoom(record, (mostMB) => nextSmaller(record, others, device, mostMB));
      const forced = new ForcedTokens();
      const runtime = new peer.MLCEngine({
        appConfig: config,
        logLevel: "SILENT",
        logitProcessorRegistry: new Map([[settings.model, forced]]),
        initProgressCallback: tellProgress(settings.model, onProgress),
      });
      try {
        const { contextTokens } = settings;
        await runtime.reload(settings.model, contextTokens === undefined ? undefined : { context_window_size: contextTokens });
      } catch (error) {
        const failure = fromWebLlmLoad(error, settings.model);
        // Damaged files would be found in the cache again; whole ones of a download that was cut stay, and it goes on from there.
        if (failure.code === "asset-unavailable" && !isUnreachable(error))
          await peer.deleteModelAllInfoInCache(settings.model, config).catch(() => undefined);
        const isTooLarge = failure.code === "unsupported" || failure.code === "quota-exceeded";
        const next = isTooLarge ? nextSmaller(record, others, device) : undefined;
        throw next ? new MemoryError(failure.code, `${failure.message}; ${next} asks for less`, { cause: error }) : failure;
      }
      // Builds with a sliding window have none that ends.
      const windowTokens = pipelineOf(runtime, settings.model)?.contextWindowSize ?? 0;
      const engine = new WebLlmEngine({
        runtime,
        model: settings.model,
        forced,
        device: `webgpu (${device.name})`,
        contextTokens: settings.contextTokens ?? (windowTokens > 0 ? windowTokens : 4_096),
      });
      await engine.measure();
      return engine;
    },
    questions: {
      models: async (settings: WebLlmSettings): Promise<readonly WebLlmModel[]> => {
        const peer = await peerOf(settings);
        const config = configOf(peer, settings);
        const device = await graphicsDevice().catch(() => undefined);
        const chat = config.model_list.filter(({ model_type }) => model_type !== peer.ModelType.embedding);
        return Promise.all(
          chat.map(async (record) => {
            const misfit = device ? misfitOf(record, device) : "this browser offers no WebGPU";
            return {
              model: record.model_id,
              ...(record.vram_required_MB !== undefined && { memoryMB: record.vram_required_MB }),
              isCached: await peer.hasModelInCache(record.model_id, config).catch(() => false),
              ...(misfit !== undefined && { misfit }),
            };
          }),
        );
      },
      remove: async (settings: WebLlmSettings): Promise<void> => {
        const peer = await peerOf(settings);
        const config = configOf(peer, settings);
        recordOf(config.model_list, settings.model);
        await peer.deleteModelAllInfoInCache(settings.model, config);
      },
    },
  };
}

function configOf(
  peer: WebLlmPeer,
  { model, custom, cache }: WebLlmSettings,
): { readonly model_list: WebLlmRecord[]; readonly cacheBackend: WebLlmSettings["cache"] } {
  const own = custom && [{ ...custom, model_id: model }];
  return { model_list: own ?? peer.prebuiltAppConfig.model_list, cacheBackend: cache };
}

function recordOf(models: readonly WebLlmRecord[], model: string): WebLlmRecord {
  const record = models.find(({ model_id }) => model_id === model);
  if (record) return record;
  const start = model.slice(0, 5).toLowerCase();
  const like = models.map(({ model_id }) => model_id).filter((id) => id.toLowerCase().startsWith(start));
  const hint = like.length > 0 ? `; there are ${like.slice(0, 5).join(", ")}` : "";
  throw new MemoryError(
    "unsupported",
    `WebLLM has no model named ${model}${hint}; pass modelUrl and modelLib for a build of your own`,
  );
}

async function graphicsDevice(): Promise<GraphicsDevice> {
  const { gpu, deviceMemory } = navigator as unknown as Graphics;
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter)
    throw new MemoryError(
      "unsupported",
      gpu
        ? "WebGPU finds no graphics adapter here: models of WebLLM cannot run; wllama runs without one"
        : "this browser offers no WebGPU: models of WebLLM cannot run; wllama runs without it",
    );
  const { vendor, architecture } = adapter.info;
  return {
    features: adapter.features,
    maxBufferSize: adapter.limits.maxBufferSize,
    maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
    name: [vendor, architecture].filter(Boolean).join(" ") || "this device",
    ...(deviceMemory !== undefined && { memoryGB: deviceMemory }),
  };
}

function unfit(reason: string, next: string | undefined): MemoryError {
  return new MemoryError("unsupported", next ? `${reason}; ${next} can run here` : reason);
}

/** Weights are about as large on disk as in memory.
 * @param nextWithin a model that takes so many megabytes at most
 * @throws MemoryError "quota-exceeded" */
async function checkRoom(
  { model_id, vram_required_MB }: WebLlmRecord,
  nextWithin: (mostMB: number) => string | undefined,
): Promise<void> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  if (vram_required_MB === undefined || estimate?.quota === undefined) return;
  const neededBytes = vram_required_MB * MEGABYTE;
  const usageBytes = estimate.usage ?? 0;
  if (usageBytes + neededBytes <= estimate.quota) return;
  const next = nextWithin((estimate.quota - usageBytes) / MEGABYTE);
  throw new MemoryError(
    "quota-exceeded",
    `${model_id} takes about ${Math.round(vram_required_MB)} MB, more than the browser has left for this page: remove another model, or choose a smaller one${next ? `, such as ${next}` : ""}`,
    { details: { neededBytes, usageBytes, quotaBytes: estimate.quota } },
  );
}

function tellProgress(model: string, onProgress: Progress | undefined) {
  return ({ progress }: { readonly progress: number }): void =>
    onProgress?.({ task: `load ${model}`, done: Math.round(progress * 100), total: 100 });
}
