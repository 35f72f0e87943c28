/** `keepsake/webllm`: small models on WebGPU through `@mlc-ai/web-llm`, an optional peer, in a worker of their own. */

import { spawnWebLlmWorker } from "../../../workers/spawn-webllm.js";
import type { CallOptions, SlmProvider } from "../../ports.js";
import { askHost, HostedEngine } from "./hosted-engine.js";
import type { WebLlmModel, WebLlmSettings } from "./webllm-host.js";

export type { WebLlmModel } from "./webllm-host.js";

export interface WebLlmOptions {
  /** A model of WebLLM's list, such as "Llama-3.2-1B-Instruct-q4f16_1-MLC"; or any name with `modelUrl` and `modelLib`. */
  readonly model: string;
  /** Folder URL of a build of your own; WebLLM asks for its files under `resolve/main/`. */
  readonly modelUrl?: string | URL;
  /** URL of that build's WebGPU library, a .wasm file. */
  readonly modelLib?: string | URL;
  /** What that build needs, for the check before the load. */
  readonly needs?: { readonly memoryMB?: number; readonly bufferBytes?: number; readonly features?: readonly string[] };
  /** Hashes of that build's files as SRI has them ("sha256-…" in base64); a file of another hash is refused. */
  readonly integrity?: {
    readonly config?: string;
    readonly modelLib?: string;
    /** By file name, such as "tokenizer.json". */
    readonly tokenizer?: Readonly<Record<string, string>>;
  };
  /** Tokens of prompt and answer together, 256 or more; the build's own by default. */
  readonly contextTokens?: number;
  /** Where the browser keeps the weights; "cache" (the Cache API) by default. */
  readonly cache?: "cache" | "indexeddb" | "opfs";
  /** Milliseconds that one answer may take until its worker is ended, another started and the call sent once more; 60,000 by default. */
  readonly callLimitMs?: number;
  /** Milliseconds without progress after which a load is given up; 120,000 by default. */
  readonly loadLimitMs?: number;
  /** URL of `@mlc-ai/web-llm` as an ES module, for pages without a bundler: import maps do not reach workers. */
  readonly peerUrl?: string | URL;
  /** Makes the worker, where the app hosts `webllm.worker.js` elsewhere. */
  readonly createWorker?: () => Worker;
}

/** Names a model for `openMemory({ slm })`; nothing is loaded before `open`. The first `open` downloads the weights (376 MB of memory for
 * SmolLM2-360M, 879 for Llama-3.2-1B), file by file: one that was cut goes on where it stopped, at the next `open`.
 *
 * `open` checks the device and the room first. It rejects with MemoryError "unsupported" (with the reason, and a model that can run),
 * "quota-exceeded", "peer-missing", "asset-unavailable", "timeout", "worker-failed", or the signal's reason. */
export function webllm(options: WebLlmOptions): SlmProvider {
  const settings = settle(options);
  const { callLimitMs = 60_000, loadLimitMs = 120_000, createWorker = spawnWebLlmWorker } = options;
  positive("callLimitMs", callLimitMs);
  positive("loadLimitMs", loadLimitMs);
  return {
    open: (load) => HostedEngine.open({ label: "WebLLM", settings, spawn: createWorker, callLimitMs, loadLimitMs }, load),
  };
}

type CacheOptions = Pick<WebLlmOptions, "cache" | "peerUrl" | "createWorker"> & CallOptions;

/** The models of WebLLM's list: what each asks for, whether it can run here, whether it is on this device already.
 * @throws MemoryError "peer-missing" | "worker-failed"; the signal's reason */
export function webllmModels({
  signal,
  createWorker = spawnWebLlmWorker,
  ...options
}: CacheOptions = {}): Promise<readonly WebLlmModel[]> {
  return askHost(createWorker, "WebLLM", "models", settle({ ...options, model: "any" }), signal);
}

/** Deletes what is kept of a model on this device.
 * @throws MemoryError "unsupported" for a model that is not known; the signal's reason */
export function removeWebllmModel(options: Omit<WebLlmOptions, "callLimitMs" | "loadLimitMs"> & CallOptions): Promise<void> {
  return askHost(options.createWorker ?? spawnWebLlmWorker, "WebLLM", "remove", settle(options), options.signal);
}

function settle({
  model,
  modelUrl,
  modelLib,
  needs,
  integrity,
  contextTokens,
  cache = "cache",
  peerUrl,
}: WebLlmOptions): WebLlmSettings {
  if (typeof model !== "string" || model === "") throw new TypeError("model is the name of a model");
  if ((modelUrl === undefined) !== (modelLib === undefined))
    throw new TypeError("a build of your own needs both modelUrl and modelLib");
  if (cache !== "cache" && cache !== "indexeddb" && cache !== "opfs")
    throw new TypeError(`cache is "cache", "indexeddb" or "opfs", not ${String(cache)}`);
  if (contextTokens !== undefined && !(Number.isInteger(contextTokens) && contextTokens >= 256))
    throw new RangeError(`contextTokens is an integer of 256 or more, got ${contextTokens}`);
  return {
    model,
    cache,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(peerUrl !== undefined && { peerUrl: absolute(peerUrl) }),
    ...(modelUrl !== undefined &&
      modelLib !== undefined && {
        custom: {
          model: absolute(modelUrl),
          model_lib: absolute(modelLib),
          ...(needs?.memoryMB !== undefined && { vram_required_MB: needs.memoryMB }),
          ...(needs?.bufferBytes !== undefined && { buffer_size_required_bytes: needs.bufferBytes }),
          ...(needs?.features && { required_features: [...needs.features] }),
          ...(integrity && {
            integrity: {
              ...(integrity.config !== undefined && { config: integrity.config }),
              ...(integrity.modelLib !== undefined && { model_lib: integrity.modelLib }),
              ...(integrity.tokenizer && { tokenizer: { ...integrity.tokenizer } }),
            },
          }),
        },
      }),
  };
}

function positive(name: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`${name} is more than 0, got ${value}`);
}

/** Relative to the page: a worker would resolve it against its own script. */
function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
