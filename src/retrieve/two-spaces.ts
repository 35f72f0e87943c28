/** Searches two vector spaces as if they were one, while the entries of a memory move from one embedder to another.
 *
 * One space leads: its cosines count as they are. An entry that only the other space holds gets its cosine there, carried to the
 * leader's scale by what both say of the same entries to the same question: a·x + b with the means and deviations over the entries
 * that have both. So an old and a new model, whose cosines differ in height and spread, rank together. With fewer than
 * {@link MIN_SHARED} such entries a cosine is taken as it is. A query is the two embeddings end to end. */

import type { CallOptions, Embedder, Mask, VectorHit, VectorIndex, VectorReader, VectorScores } from "../ports.js";
import { platformWait, type Wait, within } from "./deadline.js";
import { topSlots } from "./ranking.js";

/** Entries in both spaces below which their means and deviations tell little. */
const MIN_SHARED = 20;
/** Milliseconds that the other space's embedder may be later than the leader's: a model that embeds in bulk is slow to answer, and
 * what it would find is little. */
const LATENESS_MS = 30;
/** Hits asked of an index that cannot score all entries. */
const HITS_WITHOUT_SCORES = 200;

/** Both embeddings of each text, the leader's first. Where one fails, its half is zero; it fails only when both do. */
export class PairedEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #lead: Embedder;
  readonly #other: Embedder;
  readonly #wait: Wait;

  constructor(lead: Embedder, other: Embedder, wait: Wait = platformWait) {
    this.id = `${lead.id} + ${other.id}`;
    this.dimension = lead.dimension + other.dimension;
    this.#lead = lead;
    this.#other = other;
    this.#wait = wait;
  }

  async embed(texts: readonly string[], { signal }: CallOptions = {}): Promise<Float32Array> {
    const late = new AbortController();
    const stop = () => late.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const beside = settled(this.#other.embed(texts, { signal: late.signal }));
      const led = await settled(this.#lead.embed(texts, { signal }));
      signal?.throwIfAborted();
      if ("error" in led) {
        const other = await beside;
        if ("error" in other) throw led.error;
        return this.#joined(texts.length, undefined, other.value);
      }
      const other = await within(LATENESS_MS, () => beside, signal, this.#wait);
      return this.#joined(texts.length, led.value, other.kept && "value" in other.value ? other.value.value : undefined);
    } finally {
      signal?.removeEventListener("abort", stop);
      late.abort();
    }
  }

  async close(): Promise<void> {
    // Closing the two stays with whoever opened them.
  }

  #joined(count: number, lead: Float32Array | undefined, other: Float32Array | undefined): Float32Array {
    const rows = new Float32Array(count * this.dimension);
    for (let row = 0; row < count; row++) {
      const at = row * this.dimension;
      if (lead) rows.set(part(lead, row, this.#lead.dimension), at);
      if (other) rows.set(part(other, row, this.#other.dimension), at + this.#lead.dimension);
    }
    return rows;
  }
}

/** Both indexes, read only: what they hold is changed in each. */
export class PairedIndex implements VectorReader {
  readonly dimension: number;
  readonly #lead: VectorIndex;
  readonly #other: VectorIndex;

  constructor(lead: VectorIndex, other: VectorIndex) {
    this.dimension = lead.dimension + other.dimension;
    this.#lead = lead;
    this.#other = other;
  }

  get kind(): VectorIndex["kind"] {
    return this.#lead.kind;
  }

  get size(): number {
    return this.#lead.size + this.#other.size;
  }

  search(query: Float32Array, k: number, mask?: Mask): VectorHit[] {
    const { best } = this.scoreAll(query, mask);
    return topSlots(best, k, mask ?? new Uint8Array(best.length).fill(1)).map((slot) => ({ slot, score: best[slot] as number }));
  }

  scoreAll(query: Float32Array, mask?: Mask): VectorScores {
    const lead = scoresOf(this.#lead, query.subarray(0, this.#lead.dimension), mask);
    const other = scoresOf(this.#other, query.subarray(this.#lead.dimension), mask);
    if (!lead) return other ?? { whole: new Float32Array(0), best: new Float32Array(0) };
    if (!other) return lead;
    return { whole: completed(lead.whole, other.whole), best: completed(lead.best, other.best) };
  }

  /** Rows of a slot, as long as a query; only the leader's are compared with each other. */
  rowsOf(slot: number): Float32Array | undefined {
    const rows = this.#lead.rowsOf?.(slot);
    if (!rows) return undefined;
    const { dimension } = this.#lead;
    const count = rows.length / dimension;
    const wide = new Float32Array(count * this.dimension);
    for (let row = 0; row < count; row++) wide.set(part(rows, row, dimension), row * this.dimension);
    return wide;
  }
}

/** The leader's scores, and where it has none the other's on its scale. */
function completed(lead: Float32Array, other: Float32Array): Float32Array {
  const scores = new Float32Array(Math.max(lead.length, other.length)).fill(Number.NEGATIVE_INFINITY);
  scores.set(lead);
  const shared = sharedMoments(lead, other);
  const slope = shared.count >= MIN_SHARED && shared.otherDeviation > 0 ? shared.leadDeviation / shared.otherDeviation : 1;
  const offset = shared.count >= MIN_SHARED ? shared.leadMean - slope * shared.otherMean : 0;
  for (let slot = 0; slot < other.length; slot++) {
    const score = other[slot] as number;
    if (Number.isFinite(score) && !Number.isFinite(scores[slot]))
      scores[slot] = Math.max(-1, Math.min(1, slope * score + offset));
  }
  return scores;
}

function sharedMoments(lead: Float32Array, other: Float32Array) {
  let [count, leadSum, otherSum, leadSquares, otherSquares] = [0, 0, 0, 0, 0];
  for (let slot = 0; slot < Math.min(lead.length, other.length); slot++) {
    const [a, b] = [lead[slot] as number, other[slot] as number];
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    count++;
    leadSum += a;
    otherSum += b;
    leadSquares += a * a;
    otherSquares += b * b;
  }
  const [leadMean, otherMean] = [leadSum / count, otherSum / count];
  return {
    count,
    leadMean,
    otherMean,
    leadDeviation: Math.sqrt(Math.max(0, leadSquares / count - leadMean * leadMean)),
    otherDeviation: Math.sqrt(Math.max(0, otherSquares / count - otherMean * otherMean)),
  };
}

/** Undefined for a query of zeros, which says nothing of any entry. */
function scoresOf(index: VectorIndex, query: Float32Array, mask: Mask | undefined): VectorScores | undefined {
  if (query.every((value) => value === 0)) return undefined;
  if (index.scoreAll) return index.scoreAll(query, mask);
  const hits = index.search(query, HITS_WITHOUT_SCORES, mask);
  const length = hits.reduce((most, { slot }) => Math.max(most, slot + 1), 0);
  const scores = new Float32Array(length).fill(Number.NEGATIVE_INFINITY);
  for (const { slot, score } of hits) scores[slot] = score;
  return { whole: scores, best: scores };
}

function part(rows: Float32Array, row: number, dimension: number): Float32Array {
  return rows.subarray(row * dimension, (row + 1) * dimension);
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
