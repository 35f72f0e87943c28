/** Keepsake: memory for assistants that live in the browser. */

export type { AttachedConsolidation, ConsolidateOptions } from "./consolidation-run.js";
export { Conversation } from "./conversation.js";
export { isMemoryError, MemoryError, type MemoryErrorCode } from "./errors.js";
export { eraseUser, listUsers, openMemory, repair, salvage } from "./memory.js";
export { Memory } from "./memory-handle.js";
export { modelConsolidator } from "./model-consolidator.js";
export type { MemoryOptions } from "./options.js";
export type * from "./ports.js";
export type * from "./types.js";
