/** What the parts of Keepsake expect of each other; every adapter of a port passes that port's contract suite. */

export type * from "./ports/embedding.js";
export type * from "./ports/engine.js";
export type * from "./ports/graph.js";
export type * from "./ports/indexes.js";
export type * from "./ports/platform.js";
export type * from "./ports/roles.js";
export type * from "./ports/store.js";
export type * from "./ports/training.js";
