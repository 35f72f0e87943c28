/** Serves a memory from inside its worker. */

import type { MemoryBackend, MemoryEvent } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions, Embedder, SlmEngine } from "../ports.js";
import { withCancelPort } from "./cancel.js";
import { remoteEmbedder } from "./embedder.js";
import { type Endpoint, expose } from "./endpoint.js";
import { serveChunks } from "./export-stream.js";
import { receiveSource, withProgress } from "./import-source.js";
import { holdLifeLock } from "./life-lock.js";
import { EMBEDDER_PART, FORWARDED, type MemoryApi, MODEL_PART, type OpenBackend } from "./memory-api.js";

export function serveMemory(openBackend: OpenBackend, endpoint?: Endpoint): void {
  let backend: MemoryBackend | undefined;
  let embedder: Embedder | undefined;
  let slm: SlmEngine | undefined;
  let emit: (event: MemoryEvent) => void = () => undefined;

  /** Gives the backend an embedder behind this port; the one before it, which was made here too, is closed when it has served. */
  const withEmbedder = async (
    port: MessagePort,
    signal: AbortSignal | undefined,
    take: (embedder: Embedder) => Promise<void>,
  ): Promise<void> => {
    const taken = await remoteEmbedder(port, {
      signal,
      release: () => port.close(),
      // The page hears of the loss and brings a new port.
      onLost: ({ message }) => emit({ type: "degraded", detail: { part: EMBEDDER_PART, reason: message } }),
    });
    try {
      await take(taken);
    } catch (error) {
      await taken.close();
      throw error;
    }
    const before = embedder;
    embedder = taken;
    if (before) void closeWhenReplaced(before);
  };
  /** Until all entries are in the new space the old embedder answers questions in its own. */
  const closeWhenReplaced = async (former: Embedder): Promise<void> => {
    await backend?.untilEmbedded().catch(() => undefined);
    await former.close();
  };
  const engineAt = async (port: MessagePort, signal: AbortSignal | undefined): Promise<SlmEngine> => {
    const { remoteEngine } = await import("./engine.js");
    return remoteEngine(port, {
      signal,
      release: () => port.close(),
      onLost: ({ message }) => emit({ type: "degraded", detail: { part: MODEL_PART, reason: message } }),
    });
  };
  const opened = (): MemoryBackend => {
    if (!backend) throw new MemoryError("closed", "the memory is not open");
    return backend;
  };

  const api: MemoryApi = {
    start: (lifeLock) => holdLifeLock(lifeLock).isHeld,
    open: (options, events, port, cancel) =>
      withCancelPort(cancel, async (signal) => {
        emit = (event) => events.postMessage(event);
        const open = async (taken?: Embedder) => {
          backend = await openBackend(options, {
            emit: (event) => emit(event),
            ...(taken && { embedder: taken }),
            ...(signal && { signal }),
          });
        };
        await (port ? withEmbedder(port, signal, open) : open());
      }),
    invoke: (method, args, cancel) =>
      withCancelPort(cancel, async (signal) => {
        if (!FORWARDED.includes(method)) throw new TypeError(`a memory has no method ${String(method)}`);
        const run = opened()[method] as (...all: readonly unknown[]) => Promise<unknown>;
        return run.call(opened(), ...args, { signal } satisfies CallOptions);
      }),
    attachEmbedder: (port, cancel) =>
      withCancelPort(cancel, (signal) => withEmbedder(port, signal, (taken) => opened().attachEmbedder(taken, { signal }))),
    attachSlm: (port, giving, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const taken = port && (await engineAt(port, signal));
        try {
          await opened().attachSlm(taken, giving, { signal });
        } catch (error) {
          await taken?.close();
          throw error;
        }
        const before = slm;
        slm = taken;
        await before?.close();
      }),
    export: (options, chunks, cancel) =>
      withCancelPort(cancel, (signal) =>
        serveChunks(chunks, (onProgress) => opened().export({ ...options, onProgress }, { signal })),
      ),
    import: (source, options, progress, cancel) =>
      withCancelPort(cancel, (signal) =>
        withProgress(progress, (onProgress) => opened().import(receiveSource(source), { ...options, onProgress }, { signal })),
      ),
    async close() {
      try {
        await backend?.close();
      } finally {
        backend = undefined;
        await Promise.all([embedder?.close(), slm?.close()]);
        embedder = undefined;
        slm = undefined;
      }
    },
  };
  expose(api, endpoint);
}
