/** The candidates of a benchmark's questions with their features, and which of them are evidence: what the selector is trained on. */

import type { Dataset, DatasetMemory, DatasetQuestion } from "../../eval/data/dataset.js";
import { joinTurns, prepareTurns, type TurnMemoryParts } from "../../eval/turn-memory.js";
import { gatherCandidates } from "../../src/retrieve/candidates.js";
import { scoreEntries } from "../../src/retrieve/coarse.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { embedQueries } from "../../src/retrieve/query-vectors.js";
import type { SelectorFeature } from "../../src/retrieve/selector-weights.js";

export const FEATURES: readonly SelectorFeature[] = [
  "score",
  "sentenceGap",
  "wholeGap",
  "isSubject",
  "isOther",
  "typeMatches",
  "typeMisses",
  "assistant",
  "firstPerson",
];

/** The fifty best candidates of one question, in coarse order. */
export interface Pool {
  readonly id: string;
  readonly category: string;
  /** Values by candidate, in the order of {@link FEATURES}. */
  readonly features: readonly (readonly number[])[];
  /** Places of the evidence among the candidates. */
  readonly found: readonly number[];
  /** Evidence turns there are, found or not. */
  readonly evidence: number;
}

/** What lite scores. */
const POOL_SIZE = 50;

/** @param limit questions at most */
export async function* collectPools(set: Dataset, parts: TurnMemoryParts, limit: number): AsyncGenerator<Pool> {
  let asked = 0;
  for await (const memory of set.memories()) {
    if (asked >= limit) return;
    const questions = memory.questions.filter(({ adversarial }) => !adversarial).slice(0, limit - asked);
    asked += questions.length;
    yield* poolsOf(memory, questions, parts);
  }
}

async function* poolsOf(
  memory: DatasetMemory,
  questions: readonly DatasetQuestion[],
  parts: TurnMemoryParts,
): AsyncGenerator<Pool> {
  const built = joinTurns(await prepareTurns(memory.turns, parts.embedder), parts);
  const controller = new LiteController();
  for (const { id, category, text, evidence, askedAt } of questions) {
    const plan = controller.planSync({ text, recent: [], speakers: built.table.speakers(), now: askedAt, timeZone: "UTC" });
    const vectors = await embedQueries(plan, parts.embedder, {});
    const query = { plan, mask: built.table.mask(), poolSize: POOL_SIZE, ...(vectors.own ? { vector: vectors.own } : {}) };
    const candidates = gatherCandidates(built, query, scoreEntries(built, query));
    const wanted = new Set(evidence);
    yield {
      id,
      category,
      features: candidates.map((candidate) => FEATURES.map((name) => candidate.features[name] ?? 0)),
      found: candidates.flatMap(({ entry }, place) => (wanted.has(entry.sources[0]?.turnId as string) ? [place] : [])),
      evidence: evidence.length,
    };
  }
  built.close();
}
