/** Tells by what an embedder makes of a few texts whether its vectors may be compared with those that are stored under its id.
 *
 * An id is what an author wrote: a model can change under it and keep its dimension. So the vectors of some probes are kept beside
 * the first vectors of a space, and an embedder that makes others of them gets a space of its own: `id`, then `id#2`, … */

import type { Embedder, Store, VectorSpace } from "../ports.js";

const PROBES = [
  "The cat sat on the mat.",
  "What did my sister say about 4 July 2021?",
  "我五月开始吃素了。",
  "refund policy: order A-7731",
];
/** Cosine of a probe's vectors from which they are of one model: another device and rounding change them by less, another training
 * by more. */
const MIN_COSINE = 0.98;

export interface EmbedderIdentity {
  readonly space: VectorSpace;
  /** Meta rows to be written with the first vectors of the space; absent once they are stored. */
  readonly introduction?: Readonly<Record<string, unknown>>;
}

/** @throws what the embedder and the store throw */
export async function identify(embedder: Embedder, store: Store, signal?: AbortSignal): Promise<EmbedderIdentity> {
  const { id, dimension } = embedder;
  const probes = await embedder.embed(PROBES, { signal });
  signal?.throwIfAborted();
  for (let version = 1; ; version++) {
    const space = { id: version === 1 ? id : `${id}#${version}`, dimension };
    const known = await store.meta(introductionKey(space));
    if (!isProbes(known, dimension)) return { space, introduction: { [introductionKey(space)]: probes } };
    if (isAlike(known, probes, dimension)) return { space };
  }
}

/** The meta rows that go with a space. */
export function withoutIntroduction(spaces: readonly VectorSpace[]): Readonly<Record<string, undefined>> {
  return Object.fromEntries(spaces.map((space) => [introductionKey(space), undefined]));
}

function introductionKey({ id, dimension }: VectorSpace): string {
  return `embedder:${dimension}:${id}`;
}

function isProbes(value: unknown, dimension: number): value is Float32Array {
  return value instanceof Float32Array && value.length === PROBES.length * dimension;
}

function isAlike(a: Float32Array, b: Float32Array, dimension: number): boolean {
  for (let at = 0; at < a.length; at += dimension) {
    let [dot, squaresA, squaresB] = [0, 0, 0];
    for (let d = at; d < at + dimension; d++) {
      dot += (a[d] as number) * (b[d] as number);
      squaresA += (a[d] as number) ** 2;
      squaresB += (b[d] as number) ** 2;
    }
    // A text may have no vector, but then it has none in either.
    if (squaresA === 0 && squaresB === 0) continue;
    if (dot < MIN_COSINE * Math.sqrt(squaresA * squaresB)) return false;
  }
  return true;
}
