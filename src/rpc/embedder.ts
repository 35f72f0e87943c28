/** The Embedder port over a MessagePort: bulk embedding runs in a worker of its own and never stands before a query. */

import { MemoryError } from "../errors.js";
import type { Embedder } from "../ports.js";
import { cancellable, withCancelPort } from "./cancel.js";
import { connect, type Endpoint, expose, transfer } from "./endpoint.js";

interface EmbedderApi {
  describe(): { readonly id: string; readonly dimension: number };
  embed(texts: readonly string[], cancel?: MessagePort): Promise<Float32Array>;
}

/** Serves an embedder on a port or worker; closing it stays with whoever opened it. */
export function serveEmbedder(embedder: Embedder, endpoint?: Endpoint): void {
  const api: EmbedderApi = {
    describe: () => ({ id: embedder.id, dimension: embedder.dimension }),
    embed: (texts, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const rows = await embedder.embed(texts, { signal });
        return transfer(rows, [rows.buffer as ArrayBuffer]);
      }),
  };
  expose(api, endpoint);
}

/** An embedder whose work is done behind `endpoint`.
 * @param release runs after the last call, when the embedder is closed */
export async function remoteEmbedder(endpoint: Endpoint, release?: () => void | Promise<void>): Promise<Embedder> {
  const connection = connect<EmbedderApi>(endpoint);
  const { id, dimension } = await connection.remote.describe();
  const closing = new AbortController();
  return {
    id,
    dimension,
    async embed(texts, options) {
      const signal = options?.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
      return cancellable(signal, (port) =>
        connection.remote.embed(texts, port && transfer(port, [port])),
      ) as Promise<Float32Array>;
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort(new MemoryError("closed", `the embedder ${id} is closed`));
      connection.release();
      await release?.();
    },
  };
}
