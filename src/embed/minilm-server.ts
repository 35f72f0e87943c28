/** Serves all-MiniLM-L6-v2 from inside its worker. */

import { MemoryError } from "../errors.js";
import { withCancelPort } from "../rpc/cancel.js";
import { serveEmbedder } from "../rpc/embedder.js";
import { type Endpoint, expose, transfer } from "../rpc/endpoint.js";
import { holdLifeLock } from "../rpc/life-lock.js";
import type { WorkerApi } from "../rpc/worker-link.js";
import { MINILM_REPOSITORY, MINILM_REVISION, MiniLmModel, messageOf, type TransformersPeer } from "./minilm-model.js";

/** What the page settles before the worker starts; all URLs are absolute. */
export interface MiniLmSettings {
  readonly revision: string;
  readonly device: "wasm" | "webgpu";
  readonly localOnly: boolean;
  readonly modelBase?: string;
  readonly wasmPaths?: string | { readonly mjs: string; readonly wasm: string };
  readonly peerUrl?: string;
}

export interface MiniLmApi extends WorkerApi {
  /** @param progress receives what `LoadOptions.onProgress` is told */
  open(settings: MiniLmSettings, progress?: MessagePort, cancel?: MessagePort): Promise<{ id: string; dimension: number }>;
  embed(texts: readonly string[], cancel?: MessagePort): Promise<Float32Array>;
  /** Serves the embedder on this port too. */
  connect(port: MessagePort): void;
}

/** @param importPeer imports `@huggingface/transformers`, from its URL where one is given */
export function serveMiniLm(importPeer: (url: string | undefined) => Promise<TransformersPeer>, endpoint?: Endpoint): void {
  let model: MiniLmModel | undefined;
  const opened = (): MiniLmModel => {
    if (!model) throw new MemoryError("closed", "all-MiniLM-L6-v2 is not open");
    return model;
  };
  const api: MiniLmApi = {
    start: (lifeLock) => holdLifeLock(lifeLock).isHeld,
    open: (settings, progress, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const peer = await importPeer(settings.peerUrl).catch((error: unknown) => {
          throw new MemoryError(
            "peer-missing",
            `minilm() needs the package @huggingface/transformers, which could not be imported (${messageOf(error)}): install it, or pass peerUrl on a page without a bundler`,
            { cause: error },
          );
        });
        configure(peer, settings);
        const { revision, device, modelBase: origin = "the Hugging Face hub" } = settings;
        model = await MiniLmModel.load(
          peer,
          { path: MINILM_REPOSITORY, origin, revision, device, localOnly: false },
          { signal, ...(progress && { onProgress: (state) => progress.postMessage(state) }) },
        );
        return { id: model.id, dimension: model.dimension };
      }),
    embed: (texts, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const rows = await opened().embed(texts, { signal });
        return transfer(rows, [rows.buffer as ArrayBuffer]);
      }),
    connect: (port) => {
      serveEmbedder(opened(), port);
    },
  };
  expose(api, endpoint);
}

/** This worker is ours alone, so the peer's global settings are too. */
function configure({ env }: TransformersPeer, { modelBase, revision, localOnly, wasmPaths }: MiniLmSettings): void {
  if (modelBase !== undefined) {
    // As a remote host: the path for local models skips the tokenizer when it is an absolute URL.
    env.remoteHost = modelBase;
    env.remotePathTemplate = "{model}/";
    // These URLs do not name the revision; without a cache of its own, new weights would never replace the old.
    if (revision !== MINILM_REVISION) env.cacheKey = `${env.cacheKey}-${revision}`;
  } else if (localOnly) env.fetch = refuse;
  env.allowLocalModels = false;
  // The cache is asked by this path even so; by default ("/models/") it would find the files of another base.
  env.localModelPath = env.remoteHost;
  // It would run ONNX Runtime's script from a blob: URL, which a content security policy refuses.
  env.useWasmCache = false;
  const { wasm } = env.backends.onnx;
  // The peer points it at a CDN when it is imported; without it, ONNX Runtime takes the copy that the bundler emitted.
  if (wasm) Object.assign(wasm, { wasmPaths });
}

async function refuse(url: string | URL): Promise<never> {
  throw new Error(`${String(url)} is not in the browser's cache, and localOnly forbids to fetch it`);
}
