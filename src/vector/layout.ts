/** Where each region of an index lies in its memory, and how regions move when it grows. */

/** The header's place; kernel.as reads its fields there. */
const HEADER = 64;
const FIRST_REGION = 256;
const ALIGNMENT = 64;

/** Regions in the order in which they lie, and in which the header names them. */
const REGIONS = {
  query: { per: "vector", bytes: 4, keep: false },
  queryCodes: { per: "vector", bytes: 2, keep: false },
  /** First row and number of rows, u32 each. */
  ranges: { per: "slot", bytes: 8, keep: true },
  mask: { per: "slot", bytes: 1, keep: false },
  whole: { per: "slot", bytes: 4, keep: false },
  best: { per: "slot", bytes: 4, keep: false },
  /** Upper bound f32, slot u32. */
  bounds: { per: "slot", bytes: 8, keep: false },
  /** Score f64, slot u32, four bytes unused. */
  hits: { per: "slot", bytes: 16, keep: false },
  steps: { per: "row", bytes: 4, keep: true },
  errors: { per: "row", bytes: 4, keep: true },
  norms: { per: "row", bytes: 4, keep: true },
  dots: { per: "row", bytes: 4, keep: false },
  lows: { per: "row", bytes: 4, keep: false },
  codes: { per: "component", bytes: 1, keep: true },
  rows: { per: "component", bytes: 4, keep: true },
} as const;

export type Region = keyof typeof REGIONS;
const NAMES = Object.keys(REGIONS) as Region[];

/** Regions that only the kernel needs. */
const KERNEL_ONLY: ReadonlySet<Region> = new Set([
  "queryCodes",
  "bounds",
  "hits",
  "steps",
  "errors",
  "norms",
  "dots",
  "lows",
  "codes",
]);

/** A memory that only grows: a kernel's, or a plain buffer. */
export interface GrowingMemory {
  /** Detached and replaced by `grow`. */
  readonly buffer: ArrayBuffer;
  /** Makes it at least this large, contents kept. @throws RangeError where there is no room */
  grow(sizeBytes: number): void;
}

export interface Capacity {
  readonly slots: number;
  readonly rows: number;
}

/** Addresses of all regions for one capacity. */
export class Layout {
  readonly sizeBytes: number;
  readonly #addresses = new Map<Region, number>();
  readonly #lengths = new Map<Region, number>();

  /** @param stride components of a row, padded to a multiple of 32
   * @param withKernel whether the regions that only the kernel needs have room */
  constructor(
    readonly stride: number,
    readonly capacity: Capacity,
    withKernel: boolean,
  ) {
    const counts = { vector: stride, slot: capacity.slots, row: capacity.rows, component: capacity.rows * stride };
    let at = FIRST_REGION;
    for (const name of NAMES) {
      const { per, bytes } = REGIONS[name];
      const length = withKernel || !KERNEL_ONLY.has(name) ? Math.ceil((counts[per] * bytes) / ALIGNMENT) * ALIGNMENT : 0;
      this.#addresses.set(name, at);
      this.#lengths.set(name, length);
      at += length;
    }
    this.sizeBytes = at;
  }

  /** In bytes from the start of the memory, a multiple of 64. */
  address(region: Region): number {
    return this.#addresses.get(region) ?? 0;
  }

  /** Moves what is kept out of an older layout of the same memory with less or equal capacity. Every region moves up
   * or stays, so the last goes first. */
  adopt(buffer: ArrayBuffer, older: Layout): void {
    const bytes = new Uint8Array(buffer);
    for (const name of [...NAMES].reverse()) {
      if (!REGIONS[name].keep) continue;
      const from = older.address(name);
      const to = this.address(name);
      const length = older.#length(name);
      bytes.copyWithin(to, from, from + length);
      if (name === "ranges") bytes.fill(0, to + length, to + this.#length(name));
    }
  }

  /** Tells the kernel where things are. */
  writeHeader(buffer: ArrayBuffer, slotEnd: number, rowEnd: number): void {
    const fields = [this.stride, slotEnd, rowEnd, ...NAMES.map((name) => this.address(name))];
    new Uint32Array(buffer, HEADER, fields.length).set(fields);
  }

  #length(region: Region): number {
    return this.#lengths.get(region) ?? 0;
  }
}
