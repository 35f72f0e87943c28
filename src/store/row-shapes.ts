/** Whether what was stored under a key still has the shape of what is stored there; the same for every backend. */
import type { JournalRecord } from "../ports.js";
import type { Entry, Turn, Usage } from "../types.js";

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As far as reading needs it: what an older version wrote need not have every field. */
export function isEntry(value: unknown): value is Entry {
  return isRecord(value) && isText(value.id) && typeof value.revision === "number" && typeof value.text === "string";
}

export function isTurn(value: unknown): value is Turn {
  return isRecord(value) && isText(value.id) && typeof value.sequence === "number" && typeof value.text === "string";
}

export function isUsage(value: unknown): value is Usage {
  return isRecord(value) && isNumber(value.accessCount) && isNumber(value.lastAccessedAt);
}

export function isJournalRecord(value: unknown): value is JournalRecord {
  return isRecord(value) && isNumber(value.revision) && isNumber(value.at) && Array.isArray(value.operations);
}

/** At least one character. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
