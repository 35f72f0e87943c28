/** Chooses between the exact scan and an HNSW graph: the scan up to a threshold and under selective masks. */

import type { Mask, VectorHit, VectorIndex, VectorScores } from "../ports.js";
import { byScore } from "./best.js";
import { FlatIndex } from "./flat.js";
import type { HnswIndex } from "./hnsw.js";
import type { HnswImporter } from "./hnsw-library.js";
import type { Kernel } from "./kernel.js";

export interface AutoIndexOptions {
  /** Components of a vector, 1 to 16,384. */
  readonly dimension: number;
  /** From `openKernel` or `loadKernel`; without one, plain JS scans. */
  readonly kernel?: Kernel | undefined;
  /** Vectors above which searches use HNSW, where its peer can be loaded. Default 15,000; Infinity: never. */
  readonly hnswThreshold?: number | undefined;
  readonly importPeer?: HnswImporter | undefined;
  /** Told once why HNSW does not serve although there are more vectors than the threshold. */
  readonly onDegraded?: ((reason: unknown) => void) | undefined;
  /** Runs a slice of graph building later. Default: `setTimeout` of 0. */
  readonly defer?: ((slice: () => void) => void) | undefined;
}

const HNSW_THRESHOLD = 15_000;
/** The graph is dropped only well below the threshold, so that a few removals do not throw away minutes of work. */
const DROP_SHARE = 0.8;
/** Rows added to the graph before other work gets its turn: about 10 ms at 384-d. */
const SLICE_ROWS = 8;
/** While more than this share of the rows waits for the graph, the scan alone is quicker. */
const PENDING_SHARE = 1 / 8;
/** A mask that allows less than this share of the entries is scanned: the graph would look at what it refuses. */
const SCANNED_SHARE = 1 / 2;

/** @throws RangeError for a dimension or threshold outside its range */
export function createAutoIndex(options: AutoIndexOptions): AutoIndex {
  return new AutoIndex(options);
}

/** All rows are in a flat index, which answers `scoreAll`, masked searches and every search up to the threshold. Above
 * it, from the first search on, a graph is built from them in slices, and answers searches once it has (nearly) all of them, unless a mask is selective; without
 * the peer, under a policy that refuses it, or when it fails, the scan goes on answering. */
export class AutoIndex implements VectorIndex {
  readonly dimension: number;
  readonly #flat: FlatIndex;
  readonly #options: AutoIndexOptions;
  readonly #threshold: number;
  readonly #defer: (slice: () => void) => void;
  #graph: HnswIndex | undefined;
  /** Slots whose rows the graph does not have yet, and how many rows that is. */
  readonly #pending = new Map<number, number>();
  #pendingRows = 0;
  #opening: Promise<void> | undefined;
  /** Raised when the graph is dropped, so that an opening or slice of before does nothing. */
  #generation = 0;
  #isSliceDue = false;
  #isRefused = false;
  /** Whether anybody asks what a graph could answer: who only calls `scoreAll` must not pay for building one. */
  #isSearched = false;
  #isClosed = false;
  #resting: (() => void)[] = [];

  constructor(options: AutoIndexOptions) {
    const { hnswThreshold = HNSW_THRESHOLD, defer = (slice) => void setTimeout(slice, 0) } = options;
    if (!(hnswThreshold >= 0)) throw new RangeError(`hnswThreshold is 0 or more, got ${hnswThreshold}`);
    this.#flat = new FlatIndex(options);
    this.#options = options;
    this.#threshold = hnswThreshold;
    this.#defer = defer;
    this.dimension = options.dimension;
  }

  /** What answers a search now, unless a selective mask makes it a scan. */
  get kind(): "flat-wasm" | "flat-js" | "hnsw" {
    return this.#readyGraph() ? "hnsw" : this.#flat.kind;
  }

  get size(): number {
    return this.#flat.size;
  }

  add(slot: number, rows: Float32Array): void {
    this.#flat.add(slot, rows);
    this.#leaveGraph(slot);
    this.#wait(slot, rows.length / this.dimension);
    this.#steer();
  }

  remove(slot: number): void {
    this.#flat.remove(slot);
    this.#leaveGraph(slot);
    this.#steer();
  }

  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    if (mask !== undefined && this.#isSelective(mask)) return this.#flat.search(query, k, mask);
    if (!this.#isSearched) {
      this.#isSearched = true;
      this.#steer();
    }
    const graph = this.#readyGraph();
    if (graph === undefined) return this.#flat.search(query, k, mask);
    let near: VectorHit[];
    try {
      near = graph.search(query, k, mask);
    } catch (error) {
      // What the caller did wrong fails in the scan as well; what the peer did wrong must not reach the caller.
      const exact = this.#flat.search(query, k, mask);
      this.#refuse(error);
      return exact;
    }
    if (this.#pending.size === 0) return near;
    const waiting = this.#flat.search(query, k, this.#pendingMask(mask));
    return [...near, ...waiting].sort(byScore).slice(0, k);
  }

  scoreAll(query: Float32Array, mask?: Mask): VectorScores {
    return this.#flat.scoreAll(query, mask);
  }

  rowsOf(slot: number): Float32Array | undefined {
    return this.#flat.rowsOf(slot);
  }

  /** Resolves when the graph holds every row that it is going to hold. */
  async settled(): Promise<void> {
    while (this.#opening !== undefined || this.#pending.size > 0) {
      await (this.#opening ?? new Promise<void>((resolve) => this.#resting.push(resolve)));
    }
  }

  clear(): void {
    this.#flat.clear();
    this.#drop();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#drop();
    this.#flat.close();
  }

  #readyGraph(): HnswIndex | undefined {
    return this.#graph !== undefined && this.#pendingRows <= this.#flat.size * PENDING_SHARE ? this.#graph : undefined;
  }

  /** Starts, feeds, renews or drops the graph, as the number of vectors asks for. */
  #steer(): void {
    const { size } = this.#flat;
    if (this.#graph !== undefined) {
      const isWorn = this.#graph.deleted > size / 2;
      if (size < this.#threshold * DROP_SHARE || isWorn) this.#drop();
      else return this.#schedule();
    }
    if (!this.#isSearched || size <= this.#threshold || this.#opening !== undefined || this.#isRefused || this.#isClosed) return;
    const generation = this.#generation;
    const { dimension, importPeer } = this.#options;
    // Most memories stay below the threshold and never load it.
    const opened = import("./hnsw.js").then(({ openHnswIndex }) => openHnswIndex({ dimension, importPeer }));
    this.#opening = opened.then(
      (graph) => {
        if (generation !== this.#generation) return graph.close();
        this.#opening = undefined;
        this.#graph = graph;
        for (const slot of this.#flat.usedSlots()) this.#wait(slot, (this.#flat.rowsOf(slot)?.length ?? 0) / dimension);
        this.#schedule();
      },
      (error: unknown) => {
        if (generation !== this.#generation) return;
        this.#opening = undefined;
        this.#refuse(error);
      },
    );
  }

  #wait(slot: number, rows: number): void {
    if (this.#graph === undefined) return;
    this.#pending.set(slot, rows);
    this.#pendingRows += rows;
  }

  #leaveGraph(slot: number): void {
    this.#pendingRows -= this.#pending.get(slot) ?? 0;
    this.#pending.delete(slot);
    try {
      this.#graph?.remove(slot);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #schedule(): void {
    if (this.#isSliceDue || this.#pending.size === 0) return this.#rest();
    this.#isSliceDue = true;
    const generation = this.#generation;
    this.#defer(() => {
      if (generation !== this.#generation) return;
      this.#isSliceDue = false;
      this.#feed();
      this.#schedule();
    });
  }

  #feed(): void {
    let left = SLICE_ROWS;
    try {
      for (const [slot, rows] of this.#pending) {
        if (left <= 0) return;
        left -= rows;
        this.#pending.delete(slot);
        this.#pendingRows -= rows;
        const held = this.#flat.rowsOf(slot);
        if (held !== undefined) this.#graph?.add(slot, held);
      }
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Gives HNSW up for the life of this index. A graph that failed is left to the garbage collector, library and all. */
  #refuse(error: unknown): void {
    this.#graph = undefined;
    this.#drop();
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#options.onDegraded?.(error);
  }

  #drop(): void {
    const graph = this.#graph;
    this.#generation++;
    this.#graph = undefined;
    this.#opening = undefined;
    this.#isSliceDue = false;
    this.#pending.clear();
    this.#pendingRows = 0;
    this.#rest();
    graph?.close();
  }

  #rest(): void {
    if (this.#pending.size > 0) return;
    const resting = this.#resting;
    this.#resting = [];
    for (const resolve of resting) resolve();
  }

  #isSelective(mask: Mask): boolean {
    let allowed = 0;
    for (const bit of mask) if (bit !== 0) allowed++;
    return allowed < this.#flat.slots * SCANNED_SHARE;
  }

  #pendingMask(mask: Mask | undefined): Mask {
    const waiting = new Uint8Array(1 + [...this.#pending.keys()].reduce((a, b) => Math.max(a, b), 0));
    for (const slot of this.#pending.keys()) waiting[slot] = mask === undefined ? 1 : (mask[slot] ?? 0);
    return waiting;
  }
}
