/** The coarse search: every entry that the filter admits is scored on the user's own words, dense and lexical fused by score.
 *
 * S = .275·mm(whole cosine) + .275·mm(best sentence cosine) + .45·mm(BM25 + soft links) + .3·time + .2·subject − .08·[question]
 *     + .2·(best S of the session) + .1·length, after one round of feedback; mm scales the memory's lowest to 0 and highest to 1.
 * Measured on LoCoMo: .79 recall at 10 with the 64-d static embedder, where reciprocal rank over the same parts gives .64. */

import type { LexicalIndex, Mask, VectorReader, VectorScores } from "../ports.js";
import { ENGLISH_STOP_WORDS, VAGUE_WORDS } from "../text/stopwords.js";
import { analyseTerms, termsOf, wordsOf } from "../text/terms.js";
import type { Plan } from "../types.js";
import type { EntryTable } from "./entry-table.js";
import { feedbackTerms } from "./feedback.js";
import { asksForInstructions, isInstruction } from "./instructions.js";
import { addScaled, addWeighted, highest, topSlots } from "./ranking.js";
import type { SoftLinks } from "./soft-links.js";
import { timeScores } from "./time-score.js";

/** The indexes of one user's entries; slots are those of the table. */
export interface Indexes {
  readonly table: EntryTable;
  readonly lexical: LexicalIndex;
  readonly vector: VectorReader;
  /** Needs word vectors; left out where the embedder has none. */
  readonly softLinks?: SoftLinks;
}

/** Weights of S; where they come from is said above. */
export interface CoarseWeights {
  readonly whole: number;
  readonly sentence: number;
  readonly lexical: number;
  readonly softLinks: number;
  readonly time: number;
  readonly subject: number;
  readonly question: number;
  readonly session: number;
  readonly length: number;
  /** For a standing instruction when one is asked for; as much as a full match by words and a middling one by meaning. */
  readonly instruction: number;
  /** For the share of the question's words that an entry holds, whole from {@link LARGE} entries on: among thousands some always say one
   * of the words loudly, and what holds several of them tells more. Measured on 220 pooled questions at 9,600 turns: +.015 recall at 10
   * [.000, .033]; on the hundred of them that it was not chosen on −.005 [−.013, .000]. At 500 turns it costs .01, so it grows. */
  readonly growth: number;
  /** Entries that feedback reads, 0 for none. */
  readonly feedback: number;
}

/** Entries at which `growth` begins to count, and counts whole. */
const SMALL = 500;
const LARGE = 5_000;

/** 0 to 1: how far a memory has grown, by its logarithm. */
const grown = (size: number): number => Math.min(1, Math.max(0, Math.log(Math.max(1, size) / SMALL) / Math.log(LARGE / SMALL)));

export const COARSE_WEIGHTS: CoarseWeights = {
  whole: 0.275,
  sentence: 0.275,
  lexical: 0.45,
  softLinks: 1,
  time: 0.3,
  subject: 0.2,
  question: 0.08,
  session: 0.2,
  length: 0.1,
  instruction: 0.8,
  growth: 0.2,
  feedback: 3,
};

export interface CoarseQuery {
  readonly plan: Plan;
  /** Mean of the embeddings of own words and their first-person and resolved forms; absent when there is none. */
  readonly vector?: Float32Array;
  readonly mask: Mask;
  /** Candidates wanted. */
  readonly poolSize: number;
  readonly weights?: Partial<CoarseWeights>;
}

/** All that the search knows of the slots. */
export interface CoarseScores {
  /** S; -Infinity where the mask forbids. */
  readonly total: Float64Array;
  readonly lexical: Float32Array;
  readonly dense: VectorScores | undefined;
  readonly time: Float32Array | undefined;
  /** Share of the question's weight of words that an entry holds. */
  readonly coverage: Float32Array;
}

/** Hits asked of an index that cannot score all entries. */
const HITS_WITHOUT_SCORES = 200;
/** Weight of the terms that only a resolved query has. */
const RESOLVED_WEIGHT = 0.5;

/** Cosines and BM25 scores that differ by less are not stretched to the full range; in a memory of more than a few entries they always do. */
const MIN_COSINE_RANGE = 0.3;
const MIN_LEXICAL_RANGE = 2;

/** Terms of own words, weight 1, and those that resolving added, weight .5. */
function queryTerms(plan: Plan): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { text, purpose } of plan.queries) {
    if (purpose !== "own-words" && purpose !== "resolved") continue;
    const weight = purpose === "own-words" ? 1 : RESOLVED_WEIGHT;
    for (const term of termsOf(text)) if (!terms.has(term)) terms.set(term, weight);
  }
  return terms;
}

/** What of the question's weight of words an entry holds itself: Σ idf of shared terms / Σ idf, 0 to 1 over slots. */
function coverageOf(terms: ReadonlyMap<string, number>, lexical: LexicalIndex, slotLimit: number): Float32Array {
  const coverage = new Float32Array(slotLimit);
  let sum = 0;
  for (const term of terms.keys()) sum += lexical.idf(term);
  for (const term of terms.keys()) {
    const share = lexical.idf(term) / sum;
    for (const slot of lexical.postings(term)) coverage[slot] = (coverage[slot] as number) + share;
  }
  return coverage;
}

function linkWords(plan: Plan): string[] {
  const names = new Set(plan.people.flatMap((person) => wordsOf(person)));
  const own = plan.queries.find((query) => query.purpose === "own-words");
  return analyseTerms(own?.text ?? "").words.filter(
    (word) => !names.has(word) && !VAGUE_WORDS.has(word) && !ENGLISH_STOP_WORDS.has(word),
  );
}

/** Scores of all entries where the index can give them, else of its best hits; the others then count as the lowest. */
function denseScores(vector: VectorReader, query: Float32Array | undefined, mask: Mask): VectorScores | undefined {
  if (!query || vector.size === 0) return undefined;
  if (vector.scoreAll) return vector.scoreAll(query, mask);
  const scores = new Float32Array(mask.length).fill(Number.NEGATIVE_INFINITY);
  for (const { slot, score } of vector.search(query, HITS_WITHOUT_SCORES, mask)) scores[slot] = score;
  return { whole: scores, best: scores };
}

/** Scores every admitted entry. */
export function scoreEntries(indexes: Indexes, query: CoarseQuery): CoarseScores {
  const { table, lexical, vector, softLinks } = indexes;
  const { plan, mask } = query;
  const weights = { ...COARSE_WEIGHTS, ...query.weights };
  const terms = queryTerms(plan);
  const words = lexical.scoreAll(terms, mask);
  if (softLinks && weights.softLinks > 0) {
    addWeighted(words, softLinks.scores(linkWords(plan), table.slotLimit, table.size), weights.softLinks);
  }
  const dense = denseScores(vector, query.vector, mask);
  const time = timeScores(table, plan.windows, mask);

  // What does not change in the second round is added once.
  const fixed = new Float64Array(mask.length);
  if (dense) {
    addScaled(fixed, dense.whole, weights.whole, mask, MIN_COSINE_RANGE);
    addScaled(fixed, dense.best, weights.sentence, mask, MIN_COSINE_RANGE);
  }
  addRules(fixed, table, plan, time, mask, weights);
  const own = plan.queries.find((planned) => planned.purpose === "own-words")?.text ?? "";
  if (asksForInstructions(own)) {
    for (let slot = 0; slot < fixed.length; slot++) {
      const entry = mask[slot] === 1 ? table.entry(slot) : undefined;
      if (entry && isInstruction(entry)) fixed[slot] = (fixed[slot] as number) + weights.instruction;
    }
  }
  const coverage = coverageOf(terms, lexical, mask.length);
  const coverageWeight = weights.growth * grown(table.size);
  if (coverageWeight > 0) addWeighted(fixed, coverage, coverageWeight);
  let total = combine(table, fixed, words, mask, weights);
  // Without a word of the question in the memory, the best entries are a guess, and feedback would only make it louder.
  if (weights.feedback > 0 && weights.lexical > 0 && highest(words, mask) > 0) {
    const best = topSlots(total, weights.feedback, mask).map((slot) => table.entry(slot)?.indexText ?? "");
    // BM25 is a sum over terms, so the second round only adds.
    addWeighted(words, lexical.scoreAll(feedbackTerms(best, lexical), mask), 1);
    total = combine(table, fixed, words, mask, weights);
  }
  return { total, lexical: words, dense, time, coverage };
}

/** Time, subject and the penalty of questions. */
function addRules(
  into: Float64Array,
  table: EntryTable,
  plan: Plan,
  time: Float32Array | undefined,
  mask: Mask,
  weights: CoarseWeights,
): void {
  const subject = plan.subject === undefined ? -1 : table.nameNumber(plan.subject);
  const { speaker: speakers, subject: subjects, question: questions } = table;
  for (let slot = 0; slot < into.length; slot++) {
    if (mask[slot] !== 1) continue;
    let sum = into[slot] as number;
    if (time) sum += weights.time * (time[slot] as number);
    if (subject >= 0 && (speakers[slot] === subject || subjects[slot] === subject)) sum += weights.subject;
    if (questions[slot] === 1) sum -= weights.question;
    into[slot] = sum;
  }
}

function combine(table: EntryTable, fixed: Float64Array, words: Float32Array, mask: Mask, weights: CoarseWeights): Float64Array {
  const total = fixed.slice();
  addScaled(total, words, weights.lexical, mask, MIN_LEXICAL_RANGE);
  finish(total, table, bestOfSessions(total, table, mask), mask, weights);
  return total;
}

/** The best score of each session. */
function bestOfSessions(total: Float64Array, { session, sessionLimit }: EntryTable, mask: Mask): Float64Array {
  const best = new Float64Array(sessionLimit).fill(Number.NEGATIVE_INFINITY);
  for (let slot = 0; slot < total.length; slot++) {
    const number = session[slot] as number;
    if (mask[slot] === 1 && (total[slot] as number) > (best[number] as number)) best[number] = total[slot] as number;
  }
  return best;
}

/** Session and length, and -Infinity where the mask forbids. */
function finish(
  total: Float64Array,
  { session, lengthPrior }: EntryTable,
  best: Float64Array,
  mask: Mask,
  weights: CoarseWeights,
): void {
  const { session: sessionWeight, length: lengthWeight } = weights;
  for (let slot = 0; slot < total.length; slot++) {
    total[slot] =
      mask[slot] === 1
        ? (total[slot] as number) +
          sessionWeight * (best[session[slot] as number] as number) +
          lengthWeight * (lengthPrior[slot] as number)
        : Number.NEGATIVE_INFINITY;
  }
}
