/** The peer's module factory, which it ships without types; hnsw-library.ts says what we rely on. */
declare module "hnswlib-wasm/lib/hnswlib.mjs" {
  const factory: unknown;
  export default factory;
}
