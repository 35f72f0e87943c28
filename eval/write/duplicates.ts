/** Entries that say what an earlier one says: by a rule of the evaluation's own, not the writer's. */

import type { Embedder } from "../../src/ports.js";
import type { Entry } from "../../src/types.js";

const MIN_COSINE = 0.95;
const DIGITS = /\p{N}+/gu;
const CAPITALISED = /(?<=\p{L}[\p{L},;]* )\p{Lu}\p{L}+/gu;
const DENIAL = /\b(?:not|no|never|without|nothing)\b|n['’]t\b/giu;

const key = (text: string, pattern: RegExp): string => [...new Set(text.match(pattern) ?? [])].sort().join(" ").toLowerCase();
/** What must be equal however alike two texts are. */
const facts = (text: string): string => [DIGITS, CAPITALISED, DENIAL].map((pattern) => key(text, pattern)).join("|");

/** @returns those of the entries that repeat an earlier one of the same subject which still holds */
export async function duplicatesAmong(entries: readonly Entry[], embedder: Embedder): Promise<Entry[]> {
  const live = entries.filter(({ validTo }) => validTo === undefined);
  const { dimension } = embedder;
  const rows = await embedder.embed(live.map(({ text }) => text));
  const keys = live.map(({ text }) => facts(text));
  return live.filter((entry, at) =>
    live.slice(0, at).some((other, before) => {
      if (other.subject !== entry.subject || keys[before] !== keys[at]) return false;
      let cosine = 0;
      for (let k = 0; k < dimension; k++)
        cosine += (rows[at * dimension + k] as number) * (rows[before * dimension + k] as number);
      return cosine >= MIN_COSINE;
    }),
  );
}
