/** The protocol between the page and the memory worker. */

import type { BackendOptions, MemoryBackend, MemoryEvent } from "../backend.js";
import type { ExportOptions, ImportOptions, ImportReport, RoleGiving } from "../types.js";
import type { WireSource } from "./import-source.js";
import type { WorkerApi } from "./worker-link.js";

/** Methods that cross as they are; an embedder and a stream to import cross as ports. */
export type ForwardedMethod = Exclude<keyof MemoryBackend, "attachEmbedder" | "attachSlm" | "export" | "import" | "close">;

export const FORWARDED: readonly ForwardedMethod[] = [
  "recall",
  "record",
  "context",
  "listEntries",
  "getEntry",
  "updateEntry",
  "undoEntry",
  "previewForget",
  "forget",
  "history",
  "stats",
  "learned",
  "replaceLearned",
  "longTerm",
  "rebuild",
  "pauseEmbedding",
  "resumeEmbedding",
  "untilEmbedded",
];

/** Methods that change what is stored: an aborted caller waits for the worker's word on whether it was committed. */
export const WRITES: ReadonlySet<ForwardedMethod> = new Set([
  "record",
  "updateEntry",
  "undoEntry",
  "forget",
  "replaceLearned",
  "longTerm",
  "rebuild",
] as const);

/** The parts that a "degraded" event names when the embedder's or the model's worker is lost. */
export const EMBEDDER_PART = "embedder";
export const MODEL_PART = "model";

export interface MemoryApi extends WorkerApi {
  /** @param events receives every {@link MemoryEvent}
   * @param embedder serves the embedder where it is not the worker's own static one */
  open(options: BackendOptions, events: MessagePort, embedder?: MessagePort, cancel?: MessagePort): Promise<void>;
  invoke(method: ForwardedMethod, args: readonly unknown[], cancel?: MessagePort): Promise<unknown>;
  attachEmbedder(embedder: MessagePort, cancel?: MessagePort): Promise<void>;
  /** @param engine serves the model; absent where there is to be none */
  attachSlm(engine: MessagePort | undefined, giving: RoleGiving, cancel?: MessagePort): Promise<void>;
  /** @param chunks serves the bytes, as they are asked for on it; resolves when all have been given */
  export(options: Omit<ExportOptions, "signal" | "onProgress">, chunks: MessagePort, cancel?: MessagePort): Promise<void>;
  /** @param progress is posted every {@link ImportProgress} */
  import(
    source: WireSource,
    options: Omit<ImportOptions, "signal" | "onProgress">,
    progress: MessagePort,
    cancel?: MessagePort,
  ): Promise<ImportReport>;
  close(): Promise<void>;
}

/** Makes the memory inside the worker. */
export type OpenBackend = (
  options: BackendOptions,
  parts: {
    readonly embedder?: import("../ports.js").ConnectableEmbedder;
    readonly emit: (event: MemoryEvent) => void;
    readonly signal?: AbortSignal;
  },
) => Promise<MemoryBackend>;
