/** The Embedder port over a MessagePort: bulk embedding runs in a worker of its own and never stands before a query. */

import { MemoryError } from "../errors.js";
import type { CallOptions, Embedder } from "../ports.js";
import { cancellable, untilAborted, withCancelPort } from "./cancel.js";
import { connect, type Endpoint, expose, finalizer, transfer } from "./endpoint.js";
import { holdLifeLock, newLifeLockName, watchLifeLock } from "./life-lock.js";

interface EmbedderApi {
  /** `lifeLock` is held until this thread dies or stops serving; absent where there are no locks. */
  describe(): Promise<{ readonly id: string; readonly dimension: number; readonly lifeLock?: string }>;
  embed(texts: readonly string[], cancel?: MessagePort): Promise<Float32Array>;
}

/** Serves an embedder on a port or worker; closing it stays with whoever opened it.
 * @returns stops serving and closes the port; on a port this also happens when the other side closes
 * its embedder or dies */
export function serveEmbedder(embedder: Embedder, endpoint?: Endpoint): () => void {
  const life = holdLifeLock(newLifeLockName());
  const stop = () => {
    life.release();
    if (endpoint instanceof MessagePort) endpoint.close();
  };
  // Where the platform tells of it (Chromium 122): the thread on the other side died.
  if (endpoint instanceof MessagePort) endpoint.addEventListener("close", stop, { once: true });
  const api: EmbedderApi & { readonly [finalizer]: () => void } = {
    async describe() {
      const { id, dimension } = embedder;
      return { id, dimension, ...((await life.isHeld) && { lifeLock: life.name }) };
    },
    embed: (texts, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const rows = await embedder.embed(texts, { signal });
        return transfer(rows, [rows.buffer as ArrayBuffer]);
      }),
    [finalizer]: stop,
  };
  expose(api, endpoint);
  return stop;
}

/** An embedder whose work is done behind `endpoint`. When the thread behind it dies, calls reject with "worker-failed".
 * @param options.release runs after the last call, when the embedder is closed, or could not be reached
 * @param options.onLost told once, of a death
 * @throws the signal's reason */
export async function remoteEmbedder(
  endpoint: Endpoint,
  options: CallOptions & { readonly release?: () => void | Promise<void>; readonly onLost?: (error: MemoryError) => void } = {},
): Promise<Embedder> {
  const connection = connect<EmbedderApi>(endpoint);
  const end = async () => {
    connection.release();
    await options.release?.();
  };
  const described = untilAborted(connection.remote.describe(), options.signal);
  const { id, dimension, lifeLock } = await described.catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const ended = new AbortController();
  if (lifeLock !== undefined)
    watchLifeLock(lifeLock, ended.signal, () => {
      const error = new MemoryError("worker-failed", `the worker of the embedder ${id} died`);
      ended.abort(error);
      options.onLost?.(error);
    });
  let closing: Promise<void> | undefined;
  return {
    id,
    dimension,
    async embed(texts, call) {
      const signal = call?.signal ? AbortSignal.any([call.signal, ended.signal]) : ended.signal;
      const rows = await cancellable(signal, (port) => connection.remote.embed(texts, port && transfer(port, [port])));
      return rows as Float32Array;
    },
    close() {
      if (!ended.signal.aborted) ended.abort(new MemoryError("closed", `the embedder ${id} is closed`));
      closing ??= end();
      return closing;
    },
  };
}
