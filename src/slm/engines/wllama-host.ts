/** Loads GGUF models into wllama, inside its worker, and looks after those that are kept on this device. */

import { isMemoryError, MemoryError } from "../../errors.js";
import { untilAborted } from "../../rpc/cancel.js";
import type { EngineHost } from "./engine-host.js";
import { type KeptModel, ModelFiles } from "./model-files.js";
import { WllamaEngine } from "./wllama-engine.js";
import { smallerInWords } from "./wllama-fit.js";
import type { Wllama, WllamaPeer } from "./wllama-peer.js";

/** What the page settles before the worker starts; all URLs are absolute. */
export interface WllamaSettings {
  readonly modelUrl: string;
  readonly wasmUrl: string;
  readonly sha256?: string;
  readonly contextTokens: number;
  /** 0: as many as are good for this machine. */
  readonly threads: number;
  readonly device: "wasm" | "webgpu";
  readonly peerUrl?: string;
}

/** Tokens that are computed between two looks at a signal; 512 make a caller who gave up wait 18 s. */
const BATCH = 32;
const MOST_THREADS = 4;
/** Share of the machine's memory that weights may take, as far as the browser tells it (8 GB at most). */
const MEMORY_SHARE = 0.5;
/** Layers, more than any model has: all on the graphics device. */
const ALL = 9_999;

type ImportPeer = (url: string | undefined) => Promise<WllamaPeer>;

export function wllamaHost(importPeer: ImportPeer): EngineHost<WllamaSettings> {
  return {
    async open(settings, { signal, onProgress }) {
      const { modelUrl, sha256, device } = settings;
      const peer = await importPeer(settings.peerUrl).catch((cause: unknown) => {
        throw new MemoryError(
          "peer-missing",
          `wllama() needs the package @wllama/wllama, which could not be imported (${said(cause)}): install it, or pass peerUrl on a page without a bundler`,
          { cause },
        );
      });
      if (device === "webgpu") await checkGraphics();
      const model = nameOf(modelUrl);
      const wasm = await fetchWasm(settings.wasmUrl, signal);
      const files = await ModelFiles.open();
      let toldBytes = 0;
      const admit = (sizeBytes: number) => {
        toldBytes = sizeBytes;
        checkMemory(model, sizeBytes);
      };
      const weights = await files
        .fetch(modelUrl, {
          begins: "GGUF",
          sha256,
          signal,
          admit,
          onProgress: ({ done, total }) => onProgress?.({ task: `download ${model}`, done, total }),
        })
        .catch((error: unknown) => {
          throw isMemoryError(error, "quota-exceeded") ? withSmaller(error, toldBytes) : error;
        });
      onProgress?.({ task: `load ${model}`, done: 0, total: weights.size });
      const quiet = { debug: silent, log: silent, warn: silent, error: silent };
      const runtime = new peer.Wllama({ default: wasm.url }, { suppressNativeLog: true, logger: quiet });
      try {
        await untilAborted(load(runtime, weights, settings), signal);
      } catch (error) {
        await runtime.exit();
        signal?.throwIfAborted();
        // It is fetched anew next time, unless it is known to be what it should be.
        if (sha256 === undefined) await files.remove(modelUrl);
        throw new MemoryError(
          "asset-unavailable",
          `${model} could not be loaded (${said(error)}): it is damaged, too large for this machine, or of a kind that this llama.cpp does not know`,
          { cause: error },
        );
      } finally {
        wasm.release();
      }
      onProgress?.({ task: `load ${model}`, done: weights.size, total: weights.size });
      const engine = new WllamaEngine({
        runtime,
        model,
        contextTokens: runtime.getLoadedContextInfo().n_ctx,
        device: device === "webgpu" ? "webgpu" : `wasm (${runtime.getNumThreads()} threads)`,
      });
      await engine.measure(signal);
      return engine;
    },
    questions: {
      kept: async (): Promise<readonly KeptModel[]> => (await ModelFiles.open()).list(),
      remove: async (url: string): Promise<void> => (await ModelFiles.open()).remove(url),
    },
  };
}

async function load(runtime: Wllama, weights: File, { contextTokens, threads, device }: WllamaSettings): Promise<void> {
  await runtime.loadModel([weights], {
    n_ctx: contextTokens,
    n_batch: BATCH,
    n_ubatch: BATCH,
    n_threads: threads > 0 ? threads : Math.min(MOST_THREADS, Math.max(1, Math.floor(navigator.hardwareConcurrency / 2))),
    n_gpu_layers: device === "webgpu" ? ALL : 0,
    n_parallel: 1,
  });
  // A damaged file loads without an error.
  const { success } = runtime.getLoadedContextInfo() as { readonly success?: boolean };
  if (success === false) throw new Error("llama.cpp refused it");
}

/** A wrong address would leave the runtime waiting for ever, so the script is fetched here. */
async function fetchWasm(
  wasmUrl: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly url: string; readonly release: () => void }> {
  const unavailable = (why: string, cause?: unknown) =>
    new MemoryError("asset-unavailable", `${wasmUrl} is not wllama.wasm (${why}): serve the one of the installed package`, {
      cause,
    });
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(wasmUrl, { ...(signal && { signal }) });
    if (!response.ok) throw unavailable(`status ${response.status}`);
    bytes = await response.arrayBuffer();
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof MemoryError ? error : unavailable(said(error), error);
  }
  // "\0asm"
  if (new DataView(bytes).byteLength < 8 || new DataView(bytes).getUint32(0) !== 0x0061736d) throw unavailable("it is no WASM");
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/wasm" }));
  return { url, release: () => URL.revokeObjectURL(url) };
}

/** Without half precision it would run on the CPU, and say nothing. @throws MemoryError "unsupported" */
async function checkGraphics(): Promise<void> {
  const { gpu } = navigator as unknown as {
    readonly gpu?: { requestAdapter(): Promise<{ readonly features: ReadonlySet<string> } | null> };
  };
  const adapter = await gpu?.requestAdapter();
  if (!adapter) throw new MemoryError("unsupported", 'WebGPU finds no graphics adapter here: use device "wasm"');
  if (!adapter.features.has("shader-f16"))
    throw new MemoryError("unsupported", 'this graphics device has no half precision (shader-f16): use device "wasm"');
}

/** @throws MemoryError "unsupported" */
function checkMemory(model: string, sizeBytes: number): void {
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const mostBytes = (deviceMemory ?? Number.POSITIVE_INFINITY) * 2 ** 30 * MEMORY_SHARE;
  if (sizeBytes <= mostBytes) return;
  throw new MemoryError(
    "unsupported",
    `${model} has ${Math.round(sizeBytes / 1e6)} MB, too much for a machine of ${deviceMemory} GB: choose a smaller model, or one of fewer bits${smallerInWords(sizeBytes, mostBytes)}`,
  );
}

/** A refusal for want of room, with a model for which there is enough. */
function withSmaller({ code, message, details, cause }: MemoryError, sizeBytes: number): MemoryError {
  const { usageBytes = 0, quotaBytes = 0 } = details ?? {};
  const words = smallerInWords(sizeBytes, quotaBytes - usageBytes);
  const full = words === "" ? message : `${message}: choose a smaller model${words}`;
  return new MemoryError(code, full, { ...(details && { details }), ...(cause !== undefined && { cause }) });
}

const nameOf = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? url).replace(/\.gguf$/i, "");
const said = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));
const silent = (): void => undefined;
