/** A port onto an embedder, for the worker that embeds through it: the embedder's own, or one that the page serves. */

import type { ConnectableEmbedder } from "../ports.js";
import { untilAborted } from "./cancel.js";
import { serveEmbedder } from "./embedder.js";

export interface EmbedderPort {
  /** To be transferred. */
  readonly port: MessagePort;
  /** Ends what serves it; call it once the worker has no use for the port, or never got it. */
  stop(): void;
}

/** @throws what the embedder's `connect` rejects with; the signal's reason */
export async function openEmbedderPort(embedder: ConnectableEmbedder, signal: AbortSignal): Promise<EmbedderPort> {
  if (!embedder.connect) {
    const { port1, port2 } = new MessageChannel();
    return { port: port2, stop: serveEmbedder(embedder, port1) };
  }
  const connecting = embedder.connect();
  try {
    const port = await untilAborted(connecting, signal);
    // Nothing is left to close once it is transferred; whoever serves it sees the other side close.
    return { port, stop: () => port.close() };
  } catch (error) {
    // A port that comes too late has no taker.
    void connecting.then(
      (port) => port.close(),
      () => undefined,
    );
    throw error;
  }
}
