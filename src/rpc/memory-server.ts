/** Serves a memory from inside its worker. */

import type { MemoryBackend, MemoryEvent } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions } from "../ports.js";
import { withCancelPort } from "./cancel.js";
import { remoteEmbedder } from "./embedder.js";
import { type Endpoint, expose } from "./endpoint.js";
import { holdLifeLock } from "./life-lock.js";
import { EMBEDDER_PART, FORWARDED, type MemoryApi, type OpenBackend } from "./memory-api.js";

export function serveMemory(openBackend: OpenBackend, endpoint?: Endpoint): void {
  let backend: MemoryBackend | undefined;
  let emit: (event: MemoryEvent) => void = () => undefined;
  // The page hears of the loss and brings a new port.
  const embedderOf = (port: MessagePort) =>
    remoteEmbedder(port, {
      release: () => port.close(),
      onLost: ({ message }) => emit({ type: "degraded", detail: { part: EMBEDDER_PART, reason: message } }),
    });
  const opened = (): MemoryBackend => {
    if (!backend) throw new MemoryError("closed", "the memory is not open");
    return backend;
  };
  const api: MemoryApi = {
    open: (options, lifeLock, events, embedder, cancel) =>
      withCancelPort(cancel, async (signal) => {
        await holdLifeLock(lifeLock);
        emit = (event) => events.postMessage(event);
        backend = await openBackend(options, {
          emit: (event) => emit(event),
          ...(embedder && { embedder: await embedderOf(embedder) }),
          ...(signal && { signal }),
        });
      }),
    invoke: (method, args, cancel) =>
      withCancelPort(cancel, async (signal) => {
        if (!FORWARDED.includes(method)) throw new TypeError(`a memory has no method ${String(method)}`);
        const run = opened()[method] as (...all: readonly unknown[]) => Promise<unknown>;
        return run.call(opened(), ...args, { signal } satisfies CallOptions);
      }),
    attachEmbedder: (port, cancel) =>
      withCancelPort(cancel, async (signal) => opened().attachEmbedder(await embedderOf(port), { signal })),
    async close() {
      await backend?.close();
      backend = undefined;
    },
  };
  expose(api, endpoint);
}
