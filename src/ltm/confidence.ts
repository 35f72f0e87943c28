/** How sure the graph is of something: raised by support, fading without it, gone below the floor (LightMem, consolidation). */

import type { StoredNode } from "../ports.js";

/** What one entry gives; two make .44, five .76. */
export const SUPPORT_WEIGHT = 0.25;
/** What one contradiction leaves. */
const CONTRADICTED = 0.6;
/** What a batch without support leaves: a single mention lasts 46 batches, some 550 turns; five of them last four times as long. */
const DECAY = 0.98;
/** Below it a node or an edge goes. */
const FLOOR = 0.1;
/** What is left of the confidence of another device's graph. */
export const IMPORTED = 0.5;
/** Steps back and forth leave a little. */
const ROUNDING = 1e-9;

/** c ← 1 − (1 − c)(1 − s), once for each weight */
export function supported(confidence: number, weights: readonly number[]): number {
  return 1 - weights.reduce((doubt, weight) => doubt * (1 - weight), 1 - confidence);
}

export function contradicted(confidence: number): number {
  return confidence * CONTRADICTED;
}

/** Confidence as it is now.
 * @param idle batches since something supported it, 0 or more */
export function faded(confidence: number, idle: number): number {
  return confidence * DECAY ** Math.max(0, idle);
}

export function isBelowFloor(confidence: number): boolean {
  return confidence < FLOOR;
}

/** Whether general knowledge is only a candidate: as sure as a single memory makes it. A second one lifts it above that however long the
 * first has faded, since what has faded to nothing is gone; and what contradictions have brought back to it is in doubt again.
 * A candidate is kept, and neither shown nor walked, exported or sent. What came from another device was lifted there.
 * @param confidence as it is stored, before it fades */
export function isCandidate({ scope, confidence, isImported }: Pick<StoredNode, "scope" | "confidence" | "isImported">): boolean {
  return scope === "general" && !isImported && confidence <= SUPPORT_WEIGHT + ROUNDING;
}
