/** URLs of the files that workers load; the text of each URL holds in the sources and in dist, so bundlers find them. */

/** The scan kernel.
 * @param assetBase where the app hosts the package's files itself, ending in "/" */
export const kernelUrl = (assetBase?: string | URL): URL =>
  assetBase === undefined ? new URL("./kernel.wasm?no-inline", import.meta.url) : new URL("kernel.wasm", assetBase);

/** The static embeddings.
 * @param assetBase as above */
export const embeddingsUrl = (assetBase?: string | URL): URL =>
  assetBase === undefined ? new URL("./embeddings.bin", import.meta.url) : new URL("embeddings.bin", assetBase);

/** The name tagger: loaded only where something is to be sent.
 * @param assetBase as above */
export const namesUrl = (assetBase?: string | URL): URL =>
  assetBase === undefined ? new URL("./names.bin", import.meta.url) : new URL("names.bin", assetBase);
