/** Checks of what callers pass to a vector index, made before anything changes. */

import { MemoryError } from "../errors.js";

/** Slots beyond this are a mistake, not a large memory: the tables grow with the largest slot. */
const MAX_SLOT = 2 ** 24;
const MAX_DIMENSION = 16_384;
/** Beyond this, dot products could leave the range of 32-bit floats. */
const MAX_COMPONENT = 1e15;

/** @throws RangeError unless an integer of 1 to 16,384 */
export function checkDimension(dimension: number): void {
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) {
    throw new RangeError(`dimension is an integer of 1 to ${MAX_DIMENSION}, got ${dimension}`);
  }
}

/** @throws RangeError unless an integer of 0 to 2^24 */
export function checkSlot(slot: number): void {
  if (!Number.isInteger(slot) || slot < 0 || slot > MAX_SLOT)
    throw new RangeError(`a slot is an integer of 0 to ${MAX_SLOT}, got ${slot}`);
}

/** @throws RangeError unless an integer of 0 or more */
export function checkCount(k: number): void {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`k is an integer of 0 or more, got ${k}`);
}

/** @throws TypeError, MemoryError "dimension-mismatch" | "invalid-vector" */
export function checkRows(rows: Float32Array, dimension: number): void {
  if (!(rows instanceof Float32Array)) throw new TypeError("rows are one flat Float32Array");
  if (rows.length === 0) throw new MemoryError("invalid-vector", "an entry needs at least one vector, got none");
  if (rows.length % dimension !== 0) {
    throw new MemoryError("dimension-mismatch", `the index holds ${dimension}-d vectors, got ${rows.length} components`);
  }
  checkComponents(rows);
}

/** @throws TypeError, MemoryError "dimension-mismatch" | "invalid-vector" */
export function checkQuery(query: Float32Array, dimension: number): void {
  if (!(query instanceof Float32Array)) throw new TypeError("a query is a Float32Array");
  if (query.length !== dimension) {
    throw new MemoryError("dimension-mismatch", `the index holds ${dimension}-d vectors, got a query of ${query.length}`);
  }
  checkComponents(query);
}

function checkComponents(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // Written so that NaN fails it too.
    if (!(value <= MAX_COMPONENT && value >= -MAX_COMPONENT)) {
      throw new MemoryError(
        "invalid-vector",
        `component ${i} is ${value}; a vector's components are finite and below ${MAX_COMPONENT}`,
      );
    }
  }
}
