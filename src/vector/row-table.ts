/** Rows of slots in one growing memory: contiguous per slot, holes reused by compaction, freed rows wiped. */

import { MemoryError } from "../errors.js";
import { type Capacity, type GrowingMemory, Layout, type Region } from "./layout.js";

/** Rows are padded with zeros to a multiple of this, so that the kernel's loops have no tails. */
const ROW_MULTIPLE = 32;
const FIRST_CAPACITY: Capacity = { slots: 64, rows: 64 };
const GROWTH = 1.5;
/** Holes are closed when they are more than this many rows and than half of the live ones. */
const TOLERATED_HOLES = 256;
/** Memory is given back when less than this share of it is in use. */
const SHRINK_BELOW = 0.25;

export interface RowRange {
  readonly first: number;
  readonly count: number;
}

export class RowTable<M extends GrowingMemory> {
  readonly stride: number;
  #memory: M;
  #layout: Layout;
  #slotEnd = 0;
  #rowEnd = 0;
  #size = 0;
  #slots = 0;

  /** @param dimension components of a row
   * @param openMemory makes an empty memory; called again when the table shrinks
   * @param withKernel whether the kernel's own regions are laid out too */
  constructor(
    readonly dimension: number,
    readonly openMemory: () => M,
    readonly withKernel: boolean,
  ) {
    this.stride = Math.ceil(dimension / ROW_MULTIPLE) * ROW_MULTIPLE;
    this.#memory = openMemory();
    this.#layout = this.#lay(this.#memory, FIRST_CAPACITY);
  }

  get memory(): M {
    return this.#memory;
  }

  get layout(): Layout {
    return this.#layout;
  }

  /** Rows held. */
  get size(): number {
    return this.#size;
  }

  /** Slots that hold rows. */
  get slots(): number {
    return this.#slots;
  }

  /** The largest slot that has been used, plus 1. */
  get slotEnd(): number {
    return this.#slotEnd;
  }

  /** Rows at or beyond this were never written. */
  get rowEnd(): number {
    return this.#rowEnd;
  }

  range(slot: number): RowRange {
    if (slot >= this.#slotEnd) return { first: 0, count: 0 };
    const ranges = this.#ranges();
    return { first: ranges[2 * slot] ?? 0, count: ranges[2 * slot + 1] ?? 0 };
  }

  /** A dense copy of a slot's rows, or undefined for an empty slot. */
  rowsOf(slot: number): Float32Array | undefined {
    const { first, count } = this.range(slot);
    if (count === 0) return undefined;
    const rows = this.#rows();
    const dense = new Float32Array(count * this.dimension);
    for (let i = 0; i < count; i++) {
      const at = (first + i) * this.stride;
      dense.set(rows.subarray(at, at + this.dimension), i * this.dimension);
    }
    return dense;
  }

  /** Slots that hold rows, ascending. */
  *usedSlots(): IterableIterator<number> {
    for (let slot = 0; slot < this.#slotEnd; slot++) if (this.range(slot).count > 0) yield slot;
  }

  /** Puts rows into a slot in place of what it held.
   * @throws MemoryError "too-large" when the memory cannot grow; nothing has changed then */
  set(slot: number, rows: Float32Array): RowRange {
    const count = rows.length / this.dimension;
    const held = this.range(slot);
    let first = held.first;
    if (held.count !== count) {
      this.#makeRoom(slot + 1, count);
      this.free(slot);
      first = this.#rowEnd;
      this.#rowEnd += count;
      this.#size += count;
      this.#slots++;
      this.#slotEnd = Math.max(this.#slotEnd, slot + 1);
      this.#ranges().set([first, count], 2 * slot);
      this.writeHeader();
    }
    const target = this.#rows();
    for (let i = 0; i < count; i++) {
      const at = (first + i) * this.stride;
      target.set(rows.subarray(i * this.dimension, (i + 1) * this.dimension), at);
      target.fill(0, at + this.dimension, at + this.stride);
    }
    return { first, count };
  }

  /** Empties a slot and wipes its rows. @returns whether it held any */
  free(slot: number): boolean {
    const { first, count } = this.range(slot);
    if (count === 0) return false;
    this.#wipe(first, first + count);
    this.#ranges().fill(0, 2 * slot, 2 * slot + 2);
    this.#size -= count;
    this.#slots--;
    if (first + count === this.#rowEnd) this.#rowEnd = first;
    this.writeHeader();
    return true;
  }

  /** Closes holes and gives memory back where they have become too many. */
  tidy(): void {
    const holes = this.#rowEnd - this.#size;
    const isSparse = this.#layout.capacity.rows > 4 * TOLERATED_HOLES && this.#size < this.#layout.capacity.rows * SHRINK_BELOW;
    if (isSparse)
      this.#moveTo({ slots: this.#layout.capacity.slots, rows: Math.ceil(this.#size * GROWTH) + FIRST_CAPACITY.rows });
    else if (holes > TOLERATED_HOLES && holes > this.#size / 2) this.#compact();
  }

  /** Forgets everything and gives the memory back. */
  clear(): void {
    this.#slotEnd = this.#rowEnd = this.#size = this.#slots = 0;
    this.#memory = this.openMemory();
    this.#layout = this.#lay(this.#memory, FIRST_CAPACITY);
  }

  writeHeader(): void {
    this.#layout.writeHeader(this.#memory.buffer, this.#slotEnd, this.#rowEnd);
  }

  #ranges(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#layout.address("ranges"), 2 * this.#layout.capacity.slots);
  }

  #rows(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#layout.address("rows"), this.#layout.capacity.rows * this.stride);
  }

  #lay(memory: M, capacity: Capacity): Layout {
    const layout = new Layout(this.stride, capacity, this.withKernel);
    grow(memory, layout.sizeBytes);
    layout.writeHeader(memory.buffer, this.#slotEnd, this.#rowEnd);
    return layout;
  }

  #makeRoom(slots: number, rows: number): void {
    const { capacity } = this.#layout;
    if (slots <= capacity.slots && this.#rowEnd + rows <= capacity.rows) return;
    if (this.#rowEnd - this.#size > this.#size / 8) this.#compact();
    const wanted = {
      slots: slots <= capacity.slots ? capacity.slots : Math.ceil(slots * GROWTH),
      rows: this.#rowEnd + rows <= capacity.rows ? capacity.rows : Math.ceil((this.#rowEnd + rows) * GROWTH),
    };
    if (wanted.slots === capacity.slots && wanted.rows === capacity.rows) return;
    const layout = new Layout(this.stride, wanted, this.withKernel);
    grow(this.#memory, layout.sizeBytes);
    layout.adopt(this.#memory.buffer, this.#layout);
    this.#layout = layout;
    this.writeHeader();
  }

  /** Moves live rows down over the holes, in the order in which they lie. */
  #compact(): void {
    const ranges = this.#ranges();
    const inOrder = [...this.usedSlots()].sort((a, b) => (ranges[2 * a] ?? 0) - (ranges[2 * b] ?? 0));
    let end = 0;
    for (const slot of inOrder) {
      const { first, count } = this.range(slot);
      if (first !== end) this.#copyRows(this.#memory, this.#layout, first, count, this.#memory, this.#layout, end);
      ranges[2 * slot] = end;
      end += count;
    }
    this.#wipe(end, this.#rowEnd);
    this.#rowEnd = end;
    this.writeHeader();
  }

  /** Copies live rows into a new, smaller memory. */
  #moveTo(capacity: Capacity): void {
    const memory = this.openMemory();
    const layout = this.#lay(memory, capacity);
    const ranges = new Uint32Array(memory.buffer, layout.address("ranges"), 2 * capacity.slots);
    let end = 0;
    for (const slot of this.usedSlots()) {
      const { first, count } = this.range(slot);
      this.#copyRows(this.#memory, this.#layout, first, count, memory, layout, end);
      ranges.set([end, count], 2 * slot);
      end += count;
    }
    this.#memory = memory;
    this.#layout = layout;
    this.#rowEnd = end;
    this.writeHeader();
  }

  #copyRows(from: M, fromLayout: Layout, first: number, count: number, to: M, toLayout: Layout, target: number): void {
    for (const [region, bytes] of this.#rowRegions()) {
      const source = new Uint8Array(from.buffer, fromLayout.address(region) + first * bytes, count * bytes);
      new Uint8Array(to.buffer, toLayout.address(region) + target * bytes, count * bytes).set(source);
    }
  }

  #wipe(first: number, end: number): void {
    for (const [region, bytes] of this.#rowRegions()) {
      new Uint8Array(this.#memory.buffer, this.#layout.address(region) + first * bytes, (end - first) * bytes).fill(0);
    }
  }

  /** Regions that hold something of a row, and their bytes per row. */
  #rowRegions(): readonly (readonly [Region, number])[] {
    const own = [["rows", 4 * this.stride]] as const;
    return this.withKernel ? [...own, ["codes", this.stride], ["steps", 4], ["errors", 4], ["norms", 4]] : own;
  }
}

function grow(memory: GrowingMemory, sizeBytes: number): void {
  try {
    memory.grow(sizeBytes);
  } catch (cause) {
    throw new MemoryError(
      "too-large",
      `the index cannot grow to ${Math.ceil(sizeBytes / 2 ** 20)} MB; forget entries or lower the capacity`,
      { cause },
    );
  }
}
