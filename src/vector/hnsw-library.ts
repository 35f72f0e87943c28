/** Loads the optional peer hnswlib-wasm and wraps what it throws.
 *
 * We start its Emscripten factory directly: the package's own `loadHnswlib` mounts an IDBFS file system, which hides
 * failures and is never atomic with our data, so graphs are rebuilt from the store instead. */

/// <reference path="./hnswlib-wasm.d.ts" />

import { isMemoryError, MemoryError } from "../errors.js";

/** One graph of the peer, as far as we use it. Distances are 1 - dot product. */
export interface HnswGraph {
  initIndex(maxElements: number, m: number, efConstruction: number, seed: number): void;
  resizeIndex(maxElements: number): void;
  /** @param label 0 to 2^32 - 1, never used before */
  addPoint(point: Float32Array, label: number, replaceDeleted: boolean): void;
  markDelete(label: number): void;
  searchKnn(
    query: Float32Array,
    k: number,
    filter: ((label: number) => boolean) | undefined,
  ): {
    readonly distances: readonly number[];
    readonly neighbors: readonly number[];
  };
  setEfSearch(ef: number): void;
  getMaxElements(): number;
  /** Elements in the graph, deleted ones included. */
  getCurrentCount(): number;
  /** Frees its memory; without it the graph stays for as long as the library. */
  delete(): void;
}

export interface HnswLibrary {
  newGraph(dimension: number): HnswGraph;
  /** Runs a call and makes whatever it throws a MemoryError: C++ exceptions are no `Error`s. */
  guard<T>(action: string, call: () => T): T;
}

/** Imports the peer's factory module; an app may bring its own, such as one from a URL. */
export type HnswImporter = () => Promise<unknown>;

interface PeerModule {
  readonly HierarchicalNSW: new (space: "ip", dimension: number, autoSaveFilename: string) => HnswGraph;
  readonly getExceptionMessage?: (exception: unknown) => readonly string[] | string;
}

type PeerFactory = (options: { readonly print: () => void; readonly printErr: () => void }) => Promise<PeerModule>;

// The literal import() stands inside a try: bundlers then treat the peer as optional.
const importPeer: HnswImporter = async () => {
  try {
    return await import("hnswlib-wasm/lib/hnswlib.mjs");
  } catch (cause) {
    throw missingPeer(cause);
  }
};

function missingPeer(cause: unknown): MemoryError {
  return new MemoryError("peer-missing", "the HNSW index needs an optional package: npm install hnswlib-wasm@0.8", { cause });
}

/** Makes a fresh instance of the peer with a memory of its own, so that closing its index frees all of it.
 * @throws MemoryError "peer-missing" when the package is not installed, "unsupported" where it cannot run: its bindings
 * need 'unsafe-eval' under a content security policy */
export async function loadHnswLibrary(importer: HnswImporter = importPeer): Promise<HnswLibrary> {
  const imported = await importer().catch((cause: unknown) => {
    throw isMemoryError(cause) ? cause : missingPeer(cause);
  });
  const factory = (imported as { default?: unknown }).default;
  if (typeof factory !== "function")
    throw new MemoryError("unsupported", "hnswlib-wasm has no module factory; version 0.8 is needed");
  let peer: PeerModule;
  try {
    peer = await startWithWindow(factory as PeerFactory);
  } catch (cause) {
    throw new MemoryError(
      "unsupported",
      "hnswlib-wasm cannot start here; under a content security policy it needs 'unsafe-eval'",
      { cause },
    );
  }
  return {
    newGraph: (dimension) => new peer.HierarchicalNSW("ip", dimension, ""),
    guard: (action, call) => guard(peer, action, call),
  };
}

/** The factory insists on a browser when it is called, and only then: Node gets a `window` for that moment. */
function startWithWindow(factory: PeerFactory): Promise<PeerModule> {
  const quiet = { print: () => undefined, printErr: () => undefined };
  const scope = globalThis as { window?: unknown; importScripts?: unknown };
  if ("window" in scope || typeof scope.importScripts === "function") return factory(quiet);
  scope.window = globalThis;
  try {
    return factory(quiet);
  } finally {
    delete scope.window;
  }
}

function guard<T>(peer: PeerModule, action: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    if (isMemoryError(cause)) throw cause;
    throw new MemoryError("unsupported", `hnswlib could not ${action}: ${describe(peer, cause)}`, { cause: toError(cause) });
  }
}

function describe(peer: PeerModule, thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    const message = peer.getExceptionMessage?.(thrown);
    return Array.isArray(message) ? message.join(": ") : String(message ?? thrown);
  } catch (unreadable) {
    return `an exception without a message (${String(unreadable)})`;
  }
}

/** A WebAssembly.Exception cannot be cloned to another thread. */
function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
