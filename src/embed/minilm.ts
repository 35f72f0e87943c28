/** `keepsake/minilm`: all-MiniLM-L6-v2, the papers' embedder, in a worker of its own. */

import { spawnMiniLmWorker } from "../../workers/spawn-minilm.js";
import { MemoryError } from "../errors.js";
import type { CallOptions, ConnectableEmbedder, EmbedderProvider, LoadOptions } from "../ports.js";
import { untilAborted } from "../rpc/cancel.js";
import { transfer } from "../rpc/endpoint.js";
import { WorkerLink } from "../rpc/worker-link.js";
import { MINILM_DIMENSION, MINILM_REVISION, minilmId } from "./minilm-model.js";
import type { MiniLmApi, MiniLmSettings } from "./minilm-server.js";

export interface MiniLmOptions {
  /** "wasm" (default) runs everywhere; "webgpu" needs an adapter. */
  readonly device?: "wasm" | "webgpu";
  /** URL of a folder of yours that holds `Xenova/all-MiniLM-L6-v2/` (config.json, tokenizer.json, tokenizer_config.json,
   * onnx/model_quantized.onnx); the hub is not asked then. Default: the Hugging Face hub. */
  readonly modelBase?: string | URL;
  /** Never ask the hub: without `modelBase`, only what the browser has cached is used. Default: false. */
  readonly localOnly?: boolean;
  /** Commit on the hub, or your own name for the weights under `modelBase`; another revision is another embedder. */
  readonly revision?: string;
  /** Where you host ONNX Runtime: its `dist` folder, or the two files. Default: the copy that the bundler emitted. */
  readonly wasmPaths?: string | URL | { readonly mjs: string | URL; readonly wasm: string | URL };
  /** URL of `@huggingface/transformers` as an ES module, for pages without a bundler: import maps do not reach workers. */
  readonly peerUrl?: string | URL;
  /** Makes the worker, where the app hosts `minilm.worker.js` elsewhere. */
  readonly createWorker?: () => Worker;
}

/** Names the embedder for `openMemory({ embedder })`; nothing is loaded before `open`. The first `open` fetches 23 MB
 * of weights, which the browser keeps.
 *
 * `open` rejects with MemoryError "peer-missing" without `@huggingface/transformers`, "asset-unavailable" when the
 * weights cannot be had, "worker-failed", or the signal's reason. */
export function minilm(options: MiniLmOptions = {}): EmbedderProvider {
  const settings = settle(options);
  return { open: (load) => RemoteMiniLm.open(settings, options.createWorker ?? spawnMiniLmWorker, load) };
}

class RemoteMiniLm implements ConnectableEmbedder {
  readonly id: string;
  readonly dimension = MINILM_DIMENSION;
  readonly #settings: MiniLmSettings;
  readonly #spawn: () => Worker;
  #link: Promise<WorkerLink<MiniLmApi>> | undefined;
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;

  private constructor(settings: MiniLmSettings, spawn: () => Worker) {
    this.id = minilmId(settings.revision);
    this.#settings = settings;
    this.#spawn = spawn;
  }

  static async open(settings: MiniLmSettings, spawn: () => Worker, load: LoadOptions = {}): Promise<RemoteMiniLm> {
    load.signal?.throwIfAborted();
    const embedder = new RemoteMiniLm(settings, spawn);
    embedder.#link = embedder.#start(load);
    await embedder.#link;
    return embedder;
  }

  async embed(texts: readonly string[], { signal }: CallOptions = {}): Promise<Float32Array> {
    const link = await this.#linked(signal);
    return link.call((remote, cancel) => remote.embed(texts, cancel && transfer(cancel, [cancel])), signal);
  }

  async connect(): Promise<MessagePort> {
    const link = await this.#linked();
    const { port1, port2 } = new MessageChannel();
    await link.call((remote) => remote.connect(transfer(port1, [port1])));
    return port2;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort(new MemoryError("closed", `the embedder ${this.id} is closed`));
    const link = await this.#link?.catch(() => undefined);
    link?.close();
  }

  async #start({ signal, onProgress }: LoadOptions): Promise<WorkerLink<MiniLmApi>> {
    const until = this.#until(signal);
    const link = await WorkerLink.start<MiniLmApi>(this.#spawn, "MiniLM", until);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => onProgress?.(data);
    try {
      await link.call(
        (remote, cancel) => remote.open(this.#settings, transfer(port2, [port2]), cancel && transfer(cancel, [cancel])),
        until,
      );
      return link;
    } catch (error) {
      // An abort in mid-download ends the worker, and the download with it.
      link.close();
      throw error;
    } finally {
      port1.close();
    }
  }

  /** The living link; after a death the first call starts a new worker, and calls beside it wait for the same one. */
  async #linked(signal?: AbortSignal): Promise<WorkerLink<MiniLmApi>> {
    const until = this.#until(signal);
    until.throwIfAborted();
    const current = this.#link;
    const link = await untilAborted(current?.catch(() => undefined) ?? Promise.resolve(undefined), until);
    if (link && link.failure === undefined) return link;
    // The start is not this caller's alone, so only `close` ends it.
    if (this.#link === current) this.#link = this.#start({});
    return untilAborted(this.#link as Promise<WorkerLink<MiniLmApi>>, until);
  }

  /** Until the caller gives up or the embedder is closed. */
  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
  }
}

function settle({
  device = "wasm",
  modelBase,
  localOnly = false,
  revision = MINILM_REVISION,
  wasmPaths,
  peerUrl,
}: MiniLmOptions): MiniLmSettings {
  if (device !== "wasm" && device !== "webgpu") throw new TypeError(`device is "wasm" or "webgpu", not ${String(device)}`);
  return {
    device,
    localOnly,
    revision,
    ...(modelBase !== undefined && { modelBase: folderUrl(modelBase) }),
    ...(wasmPaths !== undefined && {
      wasmPaths:
        typeof wasmPaths === "object" && "mjs" in wasmPaths
          ? { mjs: absolute(wasmPaths.mjs), wasm: absolute(wasmPaths.wasm) }
          : folderUrl(wasmPaths),
    }),
    ...(peerUrl !== undefined && { peerUrl: absolute(peerUrl) }),
  };
}

/** Relative to the page: a worker would resolve it against its own script. */
function absolute(url: string | URL): string {
  return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}

function folderUrl(url: string | URL): string {
  const href = absolute(url);
  return href.endsWith("/") ? href : `${href}/`;
}
