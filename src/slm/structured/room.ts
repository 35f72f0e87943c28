/** How long a prompt may be, so that an answer still fits into a model's context. */

import type { SlmEngine } from "../../ports.js";

/** Tokens of a small model's vocabulary for one that is estimated, and those of a chat template. */
const PER_ESTIMATED = 1.25;
const TEMPLATE = 32;

/** @param maxTokens of the answer
 * @returns estimated tokens that a prompt may have */
export function promptRoom({ capabilities }: Pick<SlmEngine, "capabilities">, maxTokens: number): number {
  return Math.max(0, Math.floor((capabilities.contextTokens - maxTokens - TEMPLATE) / PER_ESTIMATED));
}
