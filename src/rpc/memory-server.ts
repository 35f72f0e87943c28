/** Serves a memory from inside its worker. */

import type { MemoryBackend } from "../backend.js";
import { MemoryError } from "../errors.js";
import type { CallOptions } from "../ports.js";
import { withCancelPort } from "./cancel.js";
import { remoteEmbedder } from "./embedder.js";
import { type Endpoint, expose } from "./endpoint.js";
import { FORWARDED, type MemoryApi, type OpenBackend } from "./memory-api.js";
import { holdLifeLock } from "./worker-link.js";

export function serveMemory(openBackend: OpenBackend, endpoint?: Endpoint): void {
  let backend: MemoryBackend | undefined;
  const opened = (): MemoryBackend => {
    if (!backend) throw new MemoryError("closed", "the memory is not open");
    return backend;
  };
  const api: MemoryApi = {
    open: (options, lifeLock, events, embedder, cancel) =>
      withCancelPort(cancel, async (signal) => {
        await holdLifeLock(lifeLock);
        backend = await openBackend(options, {
          emit: (event) => events.postMessage(event),
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

async function embedderOf(port: MessagePort) {
  return remoteEmbedder(port, () => port.close());
}
