/** An embedder as a memory holds it, and whether closing it is ours. */

import type { ConnectableEmbedder, EmbedderProvider } from "./ports.js";

export interface OpenedEmbedder {
  readonly embedder: ConnectableEmbedder;
  /** Opened by us, so closed by us. */
  readonly owned: boolean;
}

export async function openEmbedder(
  embedder: ConnectableEmbedder | EmbedderProvider | undefined,
  options: Parameters<EmbedderProvider["open"]>[0],
): Promise<OpenedEmbedder | undefined> {
  if (!embedder) return undefined;
  if ("embed" in embedder) return { embedder, owned: false };
  return { embedder: await embedder.open(options), owned: true };
}
