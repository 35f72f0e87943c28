/** Lines of a backup as rows, with the shape that they must have: a file comes from anywhere. */

import type { Entry, EntryKind } from "../types.js";
import type { BackupRow } from "./format.js";
import { fromJson } from "./values.js";

const KINDS: readonly EntryKind[] = ["preference", "event", "decision", "fact", "plan", "state"];

type Fields = Readonly<Record<string, unknown>>;

/** @returns the rows, or what is wrong with one of them. A row of an unknown kind is of a later version and left out. */
export function rowsOf(lines: readonly unknown[]): readonly BackupRow[] | string {
  const rows: BackupRow[] = [];
  for (const line of lines) {
    if (!isFields(line)) return "a row of it is no object";
    const wrong = wrongIn(line);
    if (wrong !== undefined) return wrong;
    if ("meta" in line) {
      try {
        rows.push({ meta: line.meta as string, value: fromJson(line.value) });
      } catch {
        return `the value of "${String(line.meta)}" cannot be read`;
      }
    } else if ("turn" in line || "entry" in line || "removed" in line || "memory" in line) rows.push(line as BackupRow);
  }
  return rows;
}

function wrongIn(line: Fields): string | undefined {
  if ("turn" in line) return isTurn(line.turn) ? undefined : "a turn of it is not of the shape that turns have";
  if ("entry" in line)
    return isEntry(line.entry) && (line.usage === undefined || isUsage(line.usage))
      ? undefined
      : "an entry of it is not of the shape that entries have";
  if ("meta" in line) return typeof line.meta === "string" && line.meta !== "" ? undefined : "a row of it has no key";
  if ("removed" in line) return isRemoved(line.removed) ? undefined : "a list of what was removed is none";
  return undefined;
}

function isTurn(value: unknown): boolean {
  return (
    isFields(value) &&
    ["id", "conversationId", "sessionId"].every((key) => isId(value[key])) &&
    ["user", "assistant", "system", "tool"].includes(value.role as string) &&
    typeof value.text === "string" &&
    ["at", "recordedAt", "sequence"].every((key) => Number.isFinite(value[key])) &&
    (value.name === undefined || typeof value.name === "string")
  );
}

export function isEntry(value: unknown): value is Entry {
  return (
    isFields(value) &&
    ["id", "conversationId", "sessionId", "subject"].every((key) => isId(value[key])) &&
    ["text", "indexText"].every((key) => typeof value[key] === "string") &&
    KINDS.includes(value.kind as EntryKind) &&
    ["saidAt", "createdAt", "validFrom", "salience", "evidence"].every((key) => Number.isFinite(value[key])) &&
    Number.isSafeInteger(value.revision) &&
    (value.revision as number) >= 1 &&
    isListOf(value.tags, isText) &&
    isListOf(value.identifiers, isText) &&
    isListOf(value.sources, isSource) &&
    (value.context === undefined || isFields(value.context))
  );
}

function isSource(value: unknown): boolean {
  return isFields(value) && isId(value.turnId) && typeof value.role === "string" && typeof value.quote === "string";
}

function isUsage(value: unknown): boolean {
  return isFields(value) && Number.isFinite(value.accessCount) && Number.isFinite(value.lastAccessedAt);
}

function isRemoved(value: unknown): boolean {
  return isFields(value) && isListOf(value.entries, isId) && isListOf(value.turns, isId);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
