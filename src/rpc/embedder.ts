/** The Embedder port over a MessagePort: bulk embedding runs in a worker of its own and never stands before a query. */

import { MemoryError } from "../errors.js";
import type { Embedder } from "../ports.js";
import { cancellable, withCancelPort } from "./cancel.js";
import { connect, type Endpoint, expose, transfer } from "./endpoint.js";
import { holdLifeLock, watchLifeLock } from "./life-lock.js";

interface EmbedderApi {
  /** `lifeLock` is held until this thread dies. */
  describe(): Promise<{ readonly id: string; readonly dimension: number; readonly lifeLock: string }>;
  embed(texts: readonly string[], cancel?: MessagePort): Promise<Float32Array>;
}

/** Serves an embedder on a port or worker; closing it stays with whoever opened it. */
export function serveEmbedder(embedder: Embedder, endpoint?: Endpoint): void {
  const lifeLock = `keepsake:life:${Math.random().toString(36).slice(2)}${Date.now()}`;
  const held = holdLifeLock(lifeLock);
  const api: EmbedderApi = {
    describe: async () => {
      await held;
      return { id: embedder.id, dimension: embedder.dimension, lifeLock };
    },
    embed: (texts, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const rows = await embedder.embed(texts, { signal });
        return transfer(rows, [rows.buffer as ArrayBuffer]);
      }),
  };
  expose(api, endpoint);
}

/** An embedder whose work is done behind `endpoint`. When the thread behind it dies, calls reject with "worker-failed".
 * @param release runs after the last call, when the embedder is closed
 * @param onLost told once, of a death */
export async function remoteEmbedder(
  endpoint: Endpoint,
  { release, onLost }: { readonly release?: () => void | Promise<void>; readonly onLost?: (error: MemoryError) => void } = {},
): Promise<Embedder> {
  const connection = connect<EmbedderApi>(endpoint);
  const { id, dimension, lifeLock } = await connection.remote.describe();
  const ended = new AbortController();
  watchLifeLock(lifeLock, ended.signal, () => {
    const error = new MemoryError("worker-failed", `the worker of the embedder ${id} died`);
    ended.abort(error);
    onLost?.(error);
  });
  return {
    id,
    dimension,
    async embed(texts, options) {
      const signal = options?.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
      const rows = await cancellable(signal, (port) => connection.remote.embed(texts, port && transfer(port, [port])));
      return rows as Float32Array;
    },
    async close() {
      if (!ended.signal.aborted) ended.abort(new MemoryError("closed", `the embedder ${id} is closed`));
      connection.release();
      await release?.();
    },
  };
}
