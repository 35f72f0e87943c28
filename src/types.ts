/** The plain data that crosses the public surface: structured-clone safe, no methods. */

export type * from "./types/backup.js";
export type * from "./types/context.js";
export type * from "./types/entries.js";
export type * from "./types/ids.js";
export type * from "./types/imports.js";
export type * from "./types/knowledge.js";
export type * from "./types/memory.js";
export type * from "./types/recall.js";
export type * from "./types/roles.js";
export type * from "./types/turns.js";
