/** Says to other handles in which space this one searches, and removes the vectors of spaces in which none does. */

import type { Clock, Store, VectorSpace } from "../ports.js";
import { withoutIntroduction } from "./embedder-identity.js";
import type { HandleLocks } from "./handle-locks.js";

/** How long vectors of another embedder than this handle was opened with stay although all entries have moved: an app that opens with
 * the package's own embedder and attaches a model a moment later would embed everything anew each time. Also how often this
 * handle looks whether another still searches them. */
const KEPT_MS = 60_000;

export interface SpaceClaimsParts {
  readonly store: Store;
  readonly locks: HandleLocks;
  readonly stopwatch: Clock;
  /** Removes a space in one transaction. */
  readonly drop: (space: VectorSpace, meta: Readonly<Record<string, undefined>>) => Promise<void>;
}

export class SpaceClaims {
  readonly #parts: SpaceClaimsParts;
  readonly #openedAt: number;
  readonly #replaced = new Set<string>();
  #own: { readonly key: string; readonly release: () => Promise<void> } | undefined;

  constructor(parts: SpaceClaimsParts) {
    this.#parts = parts;
    this.#openedAt = parts.stopwatch.now();
  }

  /** @returns whether it is another space than before */
  use(space: VectorSpace): boolean {
    const key = keyOf(space);
    const before = this.#own;
    if (before?.key === key) return false;
    this.#own = { key, release: this.#parts.locks.share(lockOf(key)) };
    void before?.release();
    return true;
  }

  /** An embedder was attached in the place of this space's: it need not be kept for a moment. */
  replace(space: VectorSpace): void {
    this.#replaced.add(keyOf(space));
  }

  /** Removes every other space that may go.
   * @returns milliseconds after which to look again; undefined when none is left */
  async tidy(): Promise<number | undefined> {
    const { store, locks, stopwatch, drop } = this.#parts;
    const others = (await store.vectorSpaces()).filter((space) => keyOf(space) !== this.#own?.key);
    const keptMs = KEPT_MS - (stopwatch.now() - this.#openedAt);
    let kept = 0;
    for (const { id, dimension } of others) {
      const space = { id, dimension };
      const isDue = keptMs <= 0 || this.#replaced.has(keyOf(space));
      const isGone = isDue && (await locks.ifFree(lockOf(keyOf(space)), () => drop(space, withoutIntroduction([space]))));
      if (!isGone) kept++;
    }
    if (kept === 0) return undefined;
    return keptMs > 0 ? keptMs : KEPT_MS;
  }

  async close(): Promise<void> {
    await this.#own?.release();
  }
}

/** Tells spaces apart. */
export function keyOf({ id, dimension }: VectorSpace): string {
  return `${dimension}:${id}`;
}

function lockOf(key: string): string {
  return `space:${key}`;
}
