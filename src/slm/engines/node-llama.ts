/** `keepsake/node-llama`: a GGUF model in Node through node-llama-cpp (llama.cpp), an optional peer. */

import type * as Llama from "node-llama-cpp";
import { MemoryError } from "../../errors.js";
import type { LoadOptions, SlmEngine, SlmProvider } from "../../ports.js";
import { checkTimeout } from "./engine-calls.js";
import { LlamaEngine } from "./llama-engine.js";
import type { LlamaPeer } from "./llama-prompt.js";

export interface NodeLlamaOptions {
  /** Path of the GGUF file. */
  readonly modelPath: string;
  /** Names the model in exams and statistics; the file's name by default. */
  readonly model?: string;
  /** Tokens of prompt and answer together, 256 or more, and no more than the model was trained for; 2,048 by default. */
  readonly contextTokens?: number;
  /** Whether a GPU may be used; false by default: what is decided here comes out the same on every machine. */
  readonly gpu?: boolean;
  /** Threads, 1 or more; one less than the machine has cores by default. Threads wait for each other at every step, so that one of
   * them without a core of its own slows all down (4 on 2 busy cores: 10 s a token instead of 20 ms). */
  readonly threads?: number;
  /** Milliseconds that one call may take; 120,000 by default. */
  readonly timeoutMs?: number;
}

/** Names the model for `openMemory({ slm })` in Node; nothing is loaded before `open`.
 *
 * `open` rejects with MemoryError "peer-missing" without `node-llama-cpp`, "asset-unavailable" when the file cannot be read as a
 * model, "unsupported" where llama.cpp does not run or the model does not fit into memory, or the signal's reason. */
export function nodeLlama(options: NodeLlamaOptions): SlmProvider {
  const { modelPath, contextTokens = 2_048, threads, timeoutMs } = options;
  if (typeof modelPath !== "string" || modelPath === "") throw new TypeError("modelPath is the path of a GGUF file");
  if (!(contextTokens >= 256)) throw new RangeError(`contextTokens is 256 or more, got ${contextTokens}`);
  if (threads !== undefined && !(threads >= 1)) throw new RangeError(`threads is 1 or more, got ${threads}`);
  checkTimeout(timeoutMs);
  return { open: (load) => open({ ...options, contextTokens }, load) };
}

async function open(
  options: NodeLlamaOptions & { readonly contextTokens: number },
  { signal, onProgress }: LoadOptions = {},
): Promise<SlmEngine> {
  signal?.throwIfAborted();
  const peer = await importPeer();
  const llama = await start(peer, options);
  try {
    signal?.throwIfAborted();
    const model = await llama.loadModel({
      modelPath: options.modelPath,
      ...(signal && { loadSignal: signal }),
      ...(onProgress && { onLoadProgress: (done) => onProgress({ task: "load model", done, total: 1 }) }),
    });
    const context = await model.createContext({
      contextSize: Math.min(options.contextTokens, model.trainContextSize),
      threads: options.threads ?? Math.max(1, llama.cpuMathCores - 1),
      ...(signal && { createSignal: signal }),
    });
    const id = `node-llama/${options.model ?? options.modelPath.replace(/^.*[\\/]|\.gguf$/g, "")}`;
    const engine = new LlamaEngine({ peer, llama, model, context, id, timeoutMs: options.timeoutMs });
    await engine.measure(signal ?? new AbortController().signal);
    return engine;
  } catch (cause) {
    await llama.dispose();
    signal?.throwIfAborted();
    const code = cause instanceof peer.InsufficientMemoryError ? "unsupported" : "asset-unavailable";
    throw new MemoryError(code, `the model ${options.modelPath} could not be loaded: ${messageOf(cause)}`, { cause });
  }
}

async function importPeer(): Promise<LlamaPeer> {
  try {
    return await import("node-llama-cpp");
  } catch (cause) {
    throw new MemoryError("peer-missing", "nodeLlama() needs the package node-llama-cpp: npm install node-llama-cpp", { cause });
  }
}

async function start(peer: LlamaPeer, { gpu = false, threads }: NodeLlamaOptions): Promise<Llama.Llama> {
  try {
    return await peer.getLlama({
      gpu: gpu ? "auto" : false,
      build: "never",
      skipDownload: true,
      logLevel: peer.LlamaLogLevel.error,
      ...(threads !== undefined && { maxThreads: threads }),
    });
  } catch (cause) {
    throw new MemoryError("unsupported", `llama.cpp does not run on this machine: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
