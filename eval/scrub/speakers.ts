/** Names in LoCoMo, which no tagger of ours has seen: of those who speak, and of all that three conversations mention, read by hand. */

import { identitiesIn } from "../../src/ltm/scrub/identities.js";
import { KnownNames } from "../../src/ltm/scrub/known-names.js";
import type { NameTagger } from "../../src/ltm/scrub/name-tagger.js";
import { nicknamesOf } from "../../src/ltm/scrub/told-names.js";
import type { Dataset } from "../data/dataset.js";
import { GOLD_NAMES } from "../gold-names.js";

/** For each place of a name 1 where it is found, else 0. */
export interface FoundNames {
  /** Of the two who speak. */
  readonly speakers: readonly number[];
  /** The same, by a memory that knows who speaks. */
  readonly knownSpeakers: readonly number[];
  /** Of all persons and pets, nicknames too, in the conversations of `GOLD_NAMES`. */
  readonly gold: readonly number[];
  readonly knownGold: readonly number[];
}

export async function namesInDialogues(tagger: NameTagger, dataset: Dataset): Promise<FoundNames> {
  const found = { speakers: [] as number[], knownSpeakers: [] as number[], gold: [] as number[], knownGold: [] as number[] };
  const nobody = new KnownNames([]);
  for await (const { id, turns } of dataset.memories()) {
    const speakers = [...new Set(turns.flatMap(({ name }) => name ?? []))];
    const known = new KnownNames(speakers.map((name) => ({ name, nicknames: nicknamesOf(name) })));
    const gold = GOLD_NAMES[id] ?? [];
    for (const { text } of turns)
      for (const [names, row] of [
        [nobody, { speakers: found.speakers, gold: found.gold }],
        [known, { speakers: found.knownSpeakers, gold: found.knownGold }],
      ] as const) {
        const spans = identitiesIn(text, names, tagger);
        const isFound = (start: number, end: number): number =>
          spans.some((span) => span.start <= start && end <= span.end) ? 1 : 0;
        for (const [start, end] of placesOf(text, speakers)) row.speakers.push(isFound(start, end));
        for (const [start, end] of placesOf(text, gold)) row.gold.push(isFound(start, end));
      }
  }
  return found;
}

/** Where one of the names stands as a word of its own, written as a name: "jack" and "max" are words. */
function placesOf(text: string, names: readonly string[]): (readonly [start: number, end: number])[] {
  if (names.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}])(?:${names.join("|")})(?![\\p{L}])`, "gu");
  return [...text.matchAll(pattern)].map(({ 0: name, index }) => [index, index + name.length] as const);
}
