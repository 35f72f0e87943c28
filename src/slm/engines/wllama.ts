/** `keepsake/wllama`: small models in WASM through `@wllama/wllama` (llama.cpp), an optional peer, for machines without WebGPU; in a
 * worker of their own. */

import { spawnWllamaWorker } from "../../../workers/spawn-wllama.js";
import type { CallOptions, SlmProvider } from "../../ports.js";
import { askHost, HostedEngine } from "./hosted-engine.js";
import type { KeptModel } from "./model-files.js";
import type { WllamaSettings } from "./wllama-host.js";

export type { KeptModel } from "./model-files.js";

export interface WllamaOptions {
  /** URL of one GGUF file with a chat template. Q8_0 runs fastest in WASM. */
  readonly modelUrl: string | URL;
  /** URL of `@wllama/wllama/esm/wasm/wllama.wasm` of the installed version (in Vite: imported with `?url`). */
  readonly wasmUrl: string | URL;
  /** SHA-256 of the file in hexadecimal digits, checked once after the download; unchecked by default. */
  readonly sha256?: string;
  /** Tokens of prompt and answer together, 256 or more; 2,048 by default. */
  readonly contextTokens?: number;
  /** Threads, 1 or more; half of the machine's, four at most, by default. On pages without COOP and COEP there is one. */
  readonly threads?: number;
  /** "wasm" (default), or "webgpu" where the graphics device has half precision. */
  readonly device?: "wasm" | "webgpu";
  /** Milliseconds that one answer may take until its worker is ended, another started and the call sent once more; 120,000 by default. */
  readonly callLimitMs?: number;
  /** Milliseconds without progress after which a load is given up; 120,000 by default. */
  readonly loadLimitMs?: number;
  /** URL of `@wllama/wllama` as an ES module, for pages without a bundler: import maps do not reach workers. */
  readonly peerUrl?: string | URL;
  /** Makes the worker, where the app hosts `wllama.worker.js` elsewhere. */
  readonly createWorker?: () => Worker;
}

/** Names a model for `openMemory({ slm })`; nothing is loaded before `open`. The first `open` downloads the file into the page's private
 * storage. An abort pauses that: what came is kept, and the next `open` goes on from there; so does one after a cut. Deleting it is
 * {@link removeWllamaModel}.
 *
 * `open` rejects with MemoryError "peer-missing", "asset-unavailable" (not to be had, damaged, another hash), "unsupported" (too large
 * for this machine), "quota-exceeded", "storage-unavailable", "timeout", "worker-failed", or the signal's reason. */
export function wllama(options: WllamaOptions): SlmProvider {
  const settings = settle(options);
  const { callLimitMs = 120_000, loadLimitMs = 120_000, createWorker = spawnWllamaWorker } = options;
  for (const [name, value] of Object.entries({ callLimitMs, loadLimitMs }))
    if (!(value > 0)) throw new RangeError(`${name} is more than 0, got ${value}`);
  return {
    open: (load) => HostedEngine.open({ label: "wllama", settings, spawn: createWorker, callLimitMs, loadLimitMs }, load),
  };
}

type StoreOptions = Pick<WllamaOptions, "createWorker"> & CallOptions;

/** The models that are kept on this device, whole or in part.
 * @throws MemoryError "storage-unavailable" | "worker-failed"; the signal's reason */
export function wllamaModels({ createWorker = spawnWllamaWorker, signal }: StoreOptions = {}): Promise<readonly KeptModel[]> {
  return askHost(createWorker, "wllama", "kept", undefined, signal);
}

/** Deletes what is kept of a model on this device.
 * @throws MemoryError "storage-unavailable" | "worker-failed"; the signal's reason */
export function removeWllamaModel(
  modelUrl: string | URL,
  { createWorker = spawnWllamaWorker, signal }: StoreOptions = {},
): Promise<void> {
  return askHost(createWorker, "wllama", "remove", absolute(modelUrl), signal);
}

function settle({
  modelUrl,
  wasmUrl,
  sha256,
  contextTokens = 2_048,
  threads = 0,
  device = "wasm",
  peerUrl,
}: WllamaOptions): WllamaSettings {
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) throw new TypeError("sha256 has 64 hexadecimal digits");
  if (!(Number.isInteger(contextTokens) && contextTokens >= 256))
    throw new RangeError(`contextTokens is an integer of 256 or more, got ${contextTokens}`);
  if (!(Number.isInteger(threads) && threads >= 0)) throw new RangeError(`threads is an integer of 1 or more, got ${threads}`);
  if (device !== "wasm" && device !== "webgpu") throw new TypeError(`device is "wasm" or "webgpu", not ${String(device)}`);
  return {
    modelUrl: absolute(modelUrl),
    wasmUrl: absolute(wasmUrl),
    contextTokens,
    threads,
    device,
    ...(sha256 !== undefined && { sha256 }),
    ...(peerUrl !== undefined && { peerUrl: absolute(peerUrl) }),
  };
}

/** Relative to the page: a worker would resolve it against its own script. */
function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}
