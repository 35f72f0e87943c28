/** all-MiniLM-L6-v2 in Node, in the calling thread; the same id and vectors as in the browser. */

import { MemoryError } from "../errors.js";
import type { EmbedderProvider, LoadOptions } from "../ports.js";
import {
  MINILM_REPOSITORY,
  MINILM_REVISION,
  MiniLmModel,
  type MiniLmSource,
  messageOf,
  type TransformersPeer,
} from "./minilm-model.js";

export interface MiniLmNodeOptions {
  /** "cpu" (default); "cuda" where ONNX Runtime's GPU build is installed. */
  readonly device?: "cpu" | "cuda";
  /** Path of a folder that holds `Xenova/all-MiniLM-L6-v2/`; the hub is not asked then. Default: the Hugging Face hub. */
  readonly modelBase?: string;
  /** Never ask the hub: without `modelBase`, only what was fetched before is used. Default: false. */
  readonly localOnly?: boolean;
  /** Commit on the hub, or your own name for the weights under `modelBase`; another revision is another embedder. */
  readonly revision?: string;
  /** Path of the folder that keeps fetched files. Default: transformers.js's own. */
  readonly cacheFolder?: string;
}

/** Names the embedder for `openMemory({ embedder })`; nothing is loaded before `open`.
 *
 * `open` rejects with MemoryError "peer-missing" without `@huggingface/transformers`, "asset-unavailable" when the
 * weights cannot be had, or the signal's reason. */
export function minilmNode(options: MiniLmNodeOptions = {}): EmbedderProvider {
  const { device = "cpu", modelBase, localOnly = false, revision = MINILM_REVISION, cacheFolder } = options;
  const source: MiniLmSource = {
    path: modelBase === undefined ? MINILM_REPOSITORY : `${modelBase.replace(/[/\\]+$/, "")}/${MINILM_REPOSITORY}`,
    origin: modelBase ?? "the Hugging Face hub",
    revision,
    device,
    localOnly: localOnly || modelBase !== undefined,
    ...(cacheFolder !== undefined && { cacheFolder }),
  };
  return { open: (load) => inTurn(() => open(source, load)) };
}

async function open(source: MiniLmSource, load: LoadOptions = {}): Promise<MiniLmModel> {
  load.signal?.throwIfAborted();
  const peer = await importPeer();
  const { signal } = load;
  if (!signal) return MiniLmModel.load(peer, source, load);
  // The peer takes no signal; its fetch can be given one. It is shared with the app, so it is lent for the load only.
  const { fetch } = peer.env;
  peer.env.fetch = (input, init) => fetch(input, { ...init, signal });
  try {
    return await MiniLmModel.load(peer, source, load);
  } finally {
    peer.env.fetch = fetch;
  }
}

async function importPeer(): Promise<TransformersPeer> {
  try {
    return await import("@huggingface/transformers");
  } catch (error) {
    throw new MemoryError(
      "peer-missing",
      `minilmNode() needs the package @huggingface/transformers, which could not be imported (${messageOf(error)}): install it`,
      {
        cause: error,
      },
    );
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Loads one after the other, so that no two lend the peer's fetch at once. */
function inTurn<T>(load: () => Promise<T>): Promise<T> {
  const turn = last.then(load, load);
  last = turn.catch(() => undefined);
  return turn;
}
