/** The errors of a write whose expectations do not hold; checked inside its transaction, the same in every backend. */
import { MemoryError } from "../errors.js";
import type { EntryId, TurnId } from "../types.js";

/** @param found revision in the store, 0 where the entry is not there
 * @throws MemoryError "conflict" */
export function expectRevision(entryId: EntryId, expected: number, found: number): void {
  if (expected === found) return;
  const state = found === 0 ? "is not there" : `is at revision ${found}`;
  throw new MemoryError(
    "conflict",
    `the entry ${entryId} was expected ${expected === 0 ? "not to exist" : `at revision ${expected}`} but ${state}; read it again and decide anew`,
  );
}

/** @throws MemoryError "conflict" */
export function expectStore(expected: number, found: number): void {
  if (expected !== found)
    throw new MemoryError(
      "conflict",
      `the store was expected at revision ${expected} but is at ${found}, perhaps through another tab; catch up and decide anew`,
    );
}

/** @throws MemoryError "conflict" */
export function expectNewTurn(turnId: TurnId, stored: boolean): void {
  if (stored)
    throw new MemoryError(
      "conflict",
      `the turn ${turnId} is stored already, perhaps by another tab; read it instead of writing it again`,
    );
}

/** @throws MemoryError "conflict" */
export function expectTurn(turnId: TurnId, stored: boolean): void {
  if (!stored)
    throw new MemoryError(
      "conflict",
      `the turn ${turnId} was forgotten meanwhile, perhaps by another tab; decide anew without it`,
    );
}

/** @throws MemoryError "not-found" */
export function expectEntryOfVectors(entryId: EntryId, stored: boolean): void {
  if (!stored)
    throw new MemoryError(
      "not-found",
      `vectors were given for the entry ${entryId}, which is neither stored nor put by this write`,
    );
}
