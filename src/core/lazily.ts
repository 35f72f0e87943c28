/** Parts that are loaded when they are first asked for. */

import { MemoryError } from "../errors.js";

/** Loads a part once, for all who ask. What failed is not kept: the next call tries again.
 * @param load imports the part's file
 * @returns rejects with MemoryError "asset-unavailable" where that cannot be had */
export function lazily<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => {
    part ??= load().catch((cause: unknown) => {
      part = undefined;
      throw new MemoryError(
        "asset-unavailable",
        "a part of Keepsake could not be loaded; serve every file of its package beside its worker, then call again or open the memory anew",
        { cause },
      );
    });
    return part;
  };
}
