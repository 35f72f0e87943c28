/** What a store refuses at its door, before anything is read or written; the same for every backend. */
import { MemoryError } from "../errors.js";
import type { EntryVectors, StoreCaps, StoreWrite, VectorSpace } from "../ports.js";
import type { Entry, EntryKind, Turn } from "../types.js";
import { checkGraph } from "./graph-rows.js";

/** Records of one page where a caller names no limit. */
const DEFAULT_LIMIT = 256;

/** @throws TypeError unless both are strings with at least one character */
export function checkNames(name: string, userId?: string): void {
  checkId(name, "the name of a database");
  if (userId !== undefined) checkId(userId, "a userId");
}

/** @returns the limit, or the default
 * @throws RangeError unless it is an integer of 1 or more */
export function checkLimit(limit: number = DEFAULT_LIMIT): number {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`limit must be an integer of 1 or more, got ${limit}`);
  return limit;
}

/** @throws RangeError unless the caps are integers of 1 or more */
export function checkCaps({ journalRecords }: StoreCaps): void {
  if (!Number.isInteger(journalRecords) || journalRecords < 1)
    throw new RangeError(`journalRecords must be an integer of 1 or more, got ${journalRecords}`);
}

/** Everything about a write that can be told without the data.
 * @throws TypeError | RangeError for values of a wrong kind, and for a row that is put and removed, or put twice
 * @throws MemoryError "dimension-mismatch" | "invalid-vector" */
export function checkWrite(batch: StoreWrite): void {
  for (const turn of batch.turns ?? []) checkTurn(turn);
  const put = new Set<string>();
  for (const entry of batch.entries ?? []) {
    checkEntry(entry);
    if (put.has(entry.id)) throw new TypeError(`the entry ${entry.id} is put twice in one write`);
    put.add(entry.id);
  }
  for (const id of batch.removeEntries ?? []) {
    checkId(id, "an entry id");
    if (put.has(id)) throw new TypeError(`the entry ${id} is both put and removed in one write`);
  }
  const removed = new Set<string>(batch.removeTurns ?? []);
  for (const id of removed) checkId(id, "a turn id");
  for (const turn of batch.turns ?? []) {
    if (removed.has(turn.id)) throw new TypeError(`the turn ${turn.id} is both put and removed in one write`);
  }
  if (batch.vectors) checkVectors(batch.vectors.space, batch.vectors.of);
  for (const space of batch.dropSpaces ?? []) checkSpace(space);
  for (const { entryId, usage } of batch.usage ?? []) {
    checkId(entryId, "an entry id");
    checkNumbers(`the usage of ${entryId}`, { accessCount: usage.accessCount, lastAccessedAt: usage.lastAccessedAt });
  }
  for (const { entryId, revision } of batch.expect ?? []) {
    checkId(entryId, "an entry id");
    if (!Number.isInteger(revision) || revision < 0) throw new RangeError(`the expected revision of ${entryId} is ${revision}`);
  }
  const { expectStore } = batch;
  if (expectStore !== undefined && (!Number.isInteger(expectStore) || expectStore < 0))
    throw new RangeError(`the expected revision of the store is ${expectStore}`);
  if (batch.graph) checkGraph(batch.graph);
  for (const [key, value] of Object.entries(batch.meta ?? {})) checkCloneable(key, value);
}

/** @throws TypeError without an id; RangeError for a dimension that is no integer of 1 or more */
export function checkSpace(space: VectorSpace): void {
  checkId(space.id, "the id of a vector space");
  if (!Number.isInteger(space.dimension) || space.dimension < 1) {
    throw new RangeError(`the dimension of a vector space must be an integer of 1 or more, got ${space.dimension}`);
  }
}

function checkVectors(space: VectorSpace, of: readonly EntryVectors[]): void {
  checkSpace(space);
  const seen = new Set<string>();
  for (const { entryId, rows } of of) {
    checkId(entryId, "an entry id");
    if (seen.has(entryId)) throw new TypeError(`the entry ${entryId} gets vectors twice in one write`);
    seen.add(entryId);
    if (!(rows instanceof Float32Array)) throw new TypeError(`the vectors of ${entryId} are not a Float32Array`);
    if (rows.length === 0) throw new MemoryError("invalid-vector", `the entry ${entryId} comes with a vector of no length`);
    if (rows.length % space.dimension !== 0) {
      throw new MemoryError(
        "dimension-mismatch",
        `the space ${space.id} holds ${space.dimension}-d vectors, but ${entryId} comes with ${rows.length} numbers, no multiple`,
      );
    }
    for (let index = 0; index < rows.length; index++) {
      if (Number.isFinite(rows[index])) continue;
      const row = Math.floor(index / space.dimension);
      throw new MemoryError(
        "invalid-vector",
        `row ${row} of the vectors of ${entryId} holds ${rows[index]} at ${index % space.dimension}`,
      );
    }
  }
}

function checkTurn(turn: Omit<Turn, "sequence">): void {
  checkId(turn.id, "a turn id");
  checkId(turn.conversationId, `the conversation of the turn ${turn.id}`);
  checkId(turn.sessionId, `the session of the turn ${turn.id}`);
  if (typeof turn.text !== "string") throw new TypeError(`the text of the turn ${turn.id} is not a string`);
  checkNumbers(`the turn ${turn.id}`, { at: turn.at, recordedAt: turn.recordedAt });
}

export const KINDS: ReadonlySet<string> = new Set<EntryKind>(["preference", "event", "decision", "fact", "plan", "state"]);

function checkEntry(entry: Omit<Entry, "revision">): void {
  checkId(entry.id, "an entry id");
  if (typeof entry.text !== "string" || typeof entry.indexText !== "string")
    throw new TypeError(`a text of the entry ${entry.id} is not a string`);
  checkId(entry.conversationId, `the conversation of the entry ${entry.id}`);
  checkId(entry.sessionId, `the session of the entry ${entry.id}`);
  checkId(entry.subject, `the subject of the entry ${entry.id}`);
  if (!KINDS.has(entry.kind)) throw new TypeError(`the kind of the entry ${entry.id} is ${String(entry.kind)}`);
  for (const field of ["tags", "identifiers", "sources"] as const)
    if (!Array.isArray(entry[field])) throw new TypeError(`${field} of the entry ${entry.id} is not an array`);
  const { id, saidAt, createdAt, validFrom, salience, evidence, validTo, consolidatedAt, consolidatedByEngineAt, eventTime } =
    entry;
  checkNumbers(`the entry ${id}`, {
    saidAt,
    createdAt,
    validFrom,
    salience,
    evidence,
    validTo,
    consolidatedAt,
    consolidatedByEngineAt,
  });
  checkNumbers(`the event of ${id}`, { from: eventTime?.from, to: eventTime?.to });
}

function checkNumbers(of: string, numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [field, value] of Object.entries(numbers)) {
    if (value !== undefined && !Number.isFinite(value))
      throw new RangeError(`${field} of ${of} is ${value}, not a finite number`);
  }
}

function checkId(id: string, what: string): void {
  if (typeof id !== "string" || id === "") throw new TypeError(`${what} must be a string with at least one character`);
}

function checkCloneable(key: string, value: unknown): void {
  try {
    structuredClone(value);
  } catch (cause) {
    throw new TypeError(`the meta value "${key}" cannot be stored: it is not structured-clone safe`, { cause });
  }
}
