/** A port onto an embedder, for the worker that embeds through it: the embedder's own, or one that the page serves. */

import type { ConnectableEmbedder } from "../ports.js";
import { serveEmbedder } from "./embedder.js";
import { openServedPort, type ServedPort } from "./served-port.js";

/** @throws what the embedder's `connect` rejects with; the signal's reason */
export function openEmbedderPort(embedder: ConnectableEmbedder, signal: AbortSignal): Promise<ServedPort> {
  return openServedPort(embedder, serveEmbedder, signal);
}
