/** Asks a model how probable it finds given texts, and takes its word only where it can be one. */

import { MemoryError } from "../../errors.js";
import type { CallOptions, ContinuationScore, EngineMessage, SlmEngine } from "../../ports.js";

/** @returns the natural logarithm of the probability of each continuation, a token; 0 or less, in order
 * @throws MemoryError "model-failed" for numbers that are none of that; what the engine throws */
export async function perToken(...asked: Parameters<typeof checked>): Promise<number[]> {
  return (await checked(...asked)).map(({ logProbability, tokens }) => logProbability / tokens);
}

/** As {@link perToken}, of each continuation as a whole. */
export async function logProbabilities(...asked: Parameters<typeof checked>): Promise<number[]> {
  return (await checked(...asked)).map(({ logProbability }) => logProbability);
}

async function checked(
  engine: SlmEngine,
  prompt: readonly EngineMessage[],
  continuations: readonly string[],
  options: CallOptions,
): Promise<ContinuationScore[]> {
  const scores = (await engine.score?.(prompt, continuations, options)) ?? [];
  return continuations.map((_, at) => {
    const { logProbability = Number.NaN, tokens = 0 } = scores[at] ?? {};
    if (logProbability <= 0 && Number.isFinite(logProbability) && tokens >= 1) return { logProbability, tokens };
    throw new MemoryError("model-failed", `${engine.id} gives a text of ${tokens} tokens the logarithm ${logProbability}`);
  });
}
