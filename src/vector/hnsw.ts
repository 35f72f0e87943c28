/** Approximate nearest neighbours on an HNSW graph (hnswlib-wasm), for more vectors than a scan should read. */

import { MemoryError } from "../errors.js";
import type { Mask, VectorHit, VectorIndex } from "../ports.js";
import { byScore } from "./best.js";
import { checkCount, checkDimension, checkQuery, checkRows, checkSlot } from "./door.js";
import { type HnswGraph, type HnswImporter, type HnswLibrary, loadHnswLibrary } from "./hnsw-library.js";

export interface HnswOptions {
  /** Components of a vector, 1 to 16,384. */
  readonly dimension: number;
  /** Links per element. Default 16, as hnswlib has it. */
  readonly m?: number;
  /** Candidates looked at while an element is added. Default 200, as hnswlib has it. */
  readonly efConstruction?: number;
  /** Candidates looked at by a search, at least. Default 100: recall@20 against the scan stays above .95. */
  readonly efSearch?: number;
  /** Brings the peer's module (`hnswlib-wasm/lib/hnswlib.mjs`) where it cannot be imported by name. */
  readonly importPeer?: HnswImporter | undefined;
}

const FIRST_CAPACITY = 1024;
const GROWTH = 1.5;
const SEED = 100;
/** Adding over a deleted element costs ten times an addition (8.8 ms against .8 ms at 64-d), so deleted elements are
 * only reused when there are more of them than of live ones. */
const TOLERATED_DELETED = 1024;

/** Opens an empty HNSW index.
 * @throws MemoryError "peer-missing" | "unsupported", RangeError for a dimension outside its range */
export async function openHnswIndex(options: HnswOptions): Promise<HnswIndex> {
  checkDimension(options.dimension);
  return new HnswIndex(await loadHnswLibrary(options.importPeer), options);
}

/** Rows are elements of the graph; a hit is an entry with its best row. It has no `scoreAll`, and masks are applied to
 * what the graph returns (its own filter callback costs 45 times more than a filtered scan): use FlatIndex under
 * selective ones. A removed row no longer appears, but its memory is reused only later or freed by `clear`. */
export class HnswIndex implements VectorIndex {
  readonly kind = "hnsw";
  readonly dimension: number;
  readonly #library: HnswLibrary;
  readonly #options: Required<Pick<HnswOptions, "m" | "efConstruction" | "efSearch">>;
  #graph: HnswGraph | undefined;
  /** Labels count up and are never used twice. */
  #nextLabel = 0;
  readonly #slotOf = new Map<number, number>();
  readonly #labelsOf = new Map<number, readonly number[]>();
  #deleted = 0;

  constructor(library: HnswLibrary, options: HnswOptions) {
    const { dimension, m = 16, efConstruction = 200, efSearch = 100 } = options;
    this.#library = library;
    this.dimension = dimension;
    this.#options = { m, efConstruction, efSearch };
    this.#graph = this.#newGraph();
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** Slots that hold an entry. */
  get slots(): number {
    return this.#labelsOf.size;
  }

  /** Elements that were removed but still lie in the graph; many slow it down, a rebuild drops them. */
  get deleted(): number {
    return this.#deleted;
  }

  /** About 1 ms a row at 384-d.
   * @throws RangeError, TypeError, MemoryError "dimension-mismatch" | "invalid-vector" | "unsupported" | "closed";
   * the slot holds what it held then */
  add(slot: number, rows: Float32Array): void {
    const graph = this.#open();
    checkSlot(slot);
    checkRows(rows, this.dimension);
    const labels: number[] = [];
    try {
      for (let at = 0; at < rows.length; at += this.dimension)
        labels.push(this.#addRow(graph, rows.slice(at, at + this.dimension)));
    } catch (error) {
      this.#delete(graph, labels);
      throw error;
    }
    this.remove(slot);
    for (const label of labels) this.#slotOf.set(label, slot);
    this.#labelsOf.set(slot, labels);
  }

  remove(slot: number): void {
    const graph = this.#open();
    checkSlot(slot);
    const labels = this.#labelsOf.get(slot);
    if (labels === undefined) return;
    this.#labelsOf.delete(slot);
    for (const label of labels) this.#slotOf.delete(label);
    this.#delete(graph, labels);
  }

  /** Asks for more rows until `k` allowed entries are found or no rows are left: entries have several rows, and a mask
   * refuses some. */
  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    const graph = this.#open();
    checkCount(k);
    checkQuery(query, this.dimension);
    const allowed = mask === undefined ? this.slots : this.#allowedSlots(mask);
    const wanted = Math.min(k, allowed);
    if (wanted === 0) return [];
    const rowsPerAllowed = this.size / allowed;
    for (let rows = Math.ceil(wanted * rowsPerAllowed * 1.5); ; rows *= 2) {
      const asked = Math.min(rows, this.size);
      const hits = this.#nearest(graph, query, asked, mask);
      if (hits.length >= wanted || asked === this.size) return hits.slice(0, k);
    }
  }

  clear(): void {
    this.#free(this.#open());
    this.#graph = this.#newGraph();
  }

  close(): void {
    if (this.#graph === undefined) return;
    this.#free(this.#graph);
    this.#graph = undefined;
  }

  #open(): HnswGraph {
    if (this.#graph === undefined) throw new MemoryError("closed", "this vector index was closed");
    return this.#graph;
  }

  #newGraph(): HnswGraph {
    return this.#library.guard("make a graph", () => {
      const graph = this.#library.newGraph(this.dimension);
      graph.initIndex(FIRST_CAPACITY, this.#options.m, this.#options.efConstruction, SEED);
      return graph;
    });
  }

  #free(graph: HnswGraph): void {
    this.#slotOf.clear();
    this.#labelsOf.clear();
    this.#deleted = 0;
    this.#library.guard("free a graph", () => graph.delete());
  }

  #addRow(graph: HnswGraph, row: Float32Array): number {
    const label = this.#nextLabel++;
    const isReusing = this.#deleted > TOLERATED_DELETED && this.#deleted > this.size;
    this.#library.guard("add a vector", () => {
      // Reusing a deleted element of a graph that is exactly full throws, so one place always stays free.
      if (graph.getCurrentCount() + 2 > graph.getMaxElements()) graph.resizeIndex(Math.ceil(graph.getMaxElements() * GROWTH));
      graph.addPoint(row, label, isReusing);
    });
    if (isReusing) this.#deleted--;
    return label;
  }

  #delete(graph: HnswGraph, labels: readonly number[]): void {
    for (const label of labels) {
      this.#library.guard("delete a vector", () => graph.markDelete(label));
      this.#deleted++;
    }
  }

  #nearest(graph: HnswGraph, query: Float32Array, rows: number, mask: Mask | undefined): VectorHit[] {
    const { neighbors, distances } = this.#library.guard("search", () => {
      // Set before every search: a resized or new graph falls back to 10, and fewer than `rows` cannot return as many.
      graph.setEfSearch(Math.max(this.#options.efSearch, rows));
      return graph.searchKnn(query, rows, undefined);
    });
    const best = new Map<number, number>();
    neighbors.forEach((label, i) => {
      const slot = this.#slotOf.get(label);
      if (slot === undefined || (mask !== undefined && (mask[slot] ?? 0) === 0)) return;
      const score = 1 - (distances[i] as number);
      if (score > (best.get(slot) ?? -Infinity)) best.set(slot, score);
    });
    return Array.from(best, ([slot, score]) => ({ slot, score })).sort(byScore);
  }

  #allowedSlots(mask: Mask): number {
    let allowed = 0;
    for (const slot of this.#labelsOf.keys()) if ((mask[slot] ?? 0) !== 0) allowed++;
    return allowed;
  }
}
