/** Tokens that recalled memories cost as their sources were said. */

import { defaultTokenizer } from "../src/text/tokens.js";
import type { Entry } from "../src/types.js";

/** By entry. */
export function entriesTokens(entries: readonly Pick<Entry, "sources">[]): number[] {
  return entries.map(({ sources }) => sources.reduce((sum, { quote }) => sum + defaultTokenizer.count(quote), 0));
}
