/** One recall from question to block: plan, embed, search, select, pack, inside a deadline. Works over indexes alone, without a store. */

import type { CallOptions, Candidate, Clock, Controller, Embedder, RecentTurn, Selected, Selector, Tokenizer } from "../ports.js";
import { defaultTokenizer } from "../text/tokens.js";
import type { Entry, EntryId, Plan, PlannedQuery, Recall, RecallItem, RecallTrace, Timestamp } from "../types.js";
import { gatherCandidates } from "./candidates.js";
import { type CoarseWeights, type Indexes, scoreEntries } from "./coarse.js";
import type { LiteController } from "./controller.js";
import { platformWait, type Wait, within } from "./deadline.js";
import { admits, type SlotFilter } from "./entry-table.js";
import { type ExtraQuery, extraCandidates } from "./extra-candidates.js";
import { addLinked, LINKED_WEIGHT, type LinkedEntries } from "./linked.js";
import { mergePlans } from "./merged-plan.js";
import { putNewestFirst } from "./newest-first.js";
import { pack } from "./pack.js";
import { decidePlayedLast } from "./played-last.js";
import { embedQueries, isOwnForm, type QueryVectors, readable } from "./query-vectors.js";
import { type Choices, TraceBuilder, traceCandidates } from "./recall-trace.js";
import type { LiteSelector } from "./selector.js";
import { orderByValidity } from "./validity-order.js";

export interface RecallInput {
  readonly text: string;
  /** The last turns, oldest first, without the question. */
  readonly recent?: readonly RecentTurn[];
  readonly now: Timestamp;
  /** IANA name. */
  readonly timeZone: string;
}

export interface RecallParts extends Indexes {
  readonly embedder: Embedder;
  /** Measures the steps; milliseconds, fractions welcome. */
  readonly clock: Clock;
  readonly lite: { readonly controller: LiteController; readonly selector: LiteSelector };
  /** A model's roles; lite answers where they are late or fail. */
  readonly controller?: Controller;
  readonly selector?: Selector;
  /** Roles that a model has and does not play now, and why. */
  readonly resting?: RecallTrace["fallbacks"];
  /** Walks the graph from a query that a model routes there. */
  readonly link?: (text: string) => Promise<LinkedEntries | undefined>;
  readonly tokenizer?: Tokenizer;
  readonly wait?: Wait;
}

export interface RecallSettings extends CallOptions {
  /** Most memories, 1 or more. Default 20; 10 under plan "paper". */
  readonly k?: number;
  /** Tokens of the block. Default 700. */
  readonly contextTokens?: number;
  /** Milliseconds within which a model's answer counts; Infinity waits for it. Default 150. */
  readonly deadlineMs?: number;
  readonly filter?: SlotFilter;
  readonly plan?: "keepsake" | "paper";
  /** Candidates and their features in the trace. Default true. */
  readonly trace?: boolean;
  /** What the graph leads to from this question. */
  readonly linked?: LinkedEntries;
  /** For ablations. */
  readonly weights?: Partial<CoarseWeights>;
}

/** Candidates that lite scores: they cost nothing and hold more of the evidence. */
const POOL_SIZE = 50;
/** Candidates that a model sees, the paper's 2K. */
const MODEL_CANDIDATES = 20;
/** Shares of the deadline after which the controller's and the embedder's answers no longer count. */
const CONTROLLER_SHARE = 0.4;
const EMBEDDER_SHARE = 0.8;
/** Kept for packing, in milliseconds. */
const RESERVE_MS = 5;

/** @throws RangeError for k, contextTokens or deadlineMs out of range; the signal's reason when aborted */
export async function recall(input: RecallInput, parts: RecallParts, settings: RecallSettings = {}): Promise<Recall> {
  const { contextTokens = 700, deadlineMs = 150, plan: form = "keepsake", signal } = settings;
  const k = settings.k ?? (form === "paper" ? 10 : 20);
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k is an integer of 1 or more, got ${k}`);
  if (!(contextTokens >= 0)) throw new RangeError(`contextTokens is 0 or more, got ${contextTokens}`);
  if (!(deadlineMs >= 0)) throw new RangeError(`deadlineMs is 0 or more, got ${deadlineMs}`);
  signal?.throwIfAborted();
  const trace = new TraceBuilder(parts.clock);
  const wait = parts.wait ?? platformWait;
  for (const { role, reason } of parts.resting ?? []) trace.fellBack(role, reason);

  const planInput = {
    text: readable(input.text),
    recent: input.recent ?? [],
    speakers: parts.table.speakers(),
    now: input.now,
    timeZone: input.timeZone,
  };
  let plan = parts.lite.controller.planSync(planInput);
  const { controller } = parts;
  if (controller) {
    const timed = await within(deadlineMs * CONTROLLER_SHARE, (options) => controller.plan(planInput, options), signal, wait);
    if (timed.kept) {
      plan = mergePlans(plan, timed.value);
      trace.played("controller", controller.form);
    } else trace.fellBack("controller", timed.reason);
  }
  trace.step("plan");

  const [embedded, links] = await Promise.all([
    within(deadlineMs * EMBEDDER_SHARE - trace.elapsedMs, (options) => embedQueries(plan, parts.embedder, options), signal, wait),
    Promise.all(plan.queries.map((query) => (toGraph(query) ? parts.link?.(query.text) : undefined))),
  ]);
  const vectors: QueryVectors = embedded.kept ? embedded.value : { each: [] };
  if (!embedded.kept) trace.fellBack("embedder", embedded.reason);
  trace.step("embed");

  let candidates: readonly Candidate[] =
    form === "paper"
      ? (await import("./paper-search.js")).searchPaper(parts, plan, vectors, 2 * k, parts.table.mask(settings.filter))
      : search(parts, plan, vectors, links, settings);
  signal?.throwIfAborted();
  trace.step("search");

  const lite =
    form === "paper" ? undefined : decidePlayedLast(parts.lite.selector, { text: planInput.text, plan, candidates, k });
  let selected: readonly Selected[] =
    lite?.selected ?? candidates.slice(0, k).map((candidate, index) => ({ index, score: candidate.score }));
  let modelSaw: ReadonlySet<number> | undefined;
  const { selector } = parts;
  if (selector && candidates.length > 0) {
    // In lite's order: what it would choose must be among what the model may choose from.
    const order = (lite?.ranked.map(({ index }) => index) ?? [...candidates.keys()]).slice(0, MODEL_CANDIDATES);
    const shown = order.map((index) => candidates[index] as Candidate);
    const timed = await within(
      deadlineMs - trace.elapsedMs - RESERVE_MS,
      (options) => selector.select({ text: planInput.text, plan, candidates: shown, k }, options),
      signal,
      wait,
    );
    if (timed.kept) {
      selected = sound(timed.value, shown.length, k).map((one) => ({ ...one, index: order[one.index] as number }));
      modelSaw = new Set(order);
      trace.played("selector", selector.form);
    } else trace.fellBack("selector", timed.reason);
  }
  // What was forgotten while a model thought is not shown.
  const slotOf = ({ entry }: Candidate): number | undefined => parts.table.slotOf(entry.id);
  selected = selected.filter(({ index }) => slotOf(candidates[index] as Candidate) !== undefined);
  selected = putNewestFirst(plan, candidates, selected, parts.vector.dimension, (candidate) =>
    parts.vector.rowsOf?.(slotOf(candidate) as number),
  );
  const ordered = orderByValidity(
    { text: planInput.text, plan, now: input.now, k },
    candidates,
    selected,
    finder(parts, settings),
  );
  ({ candidates, selected } = ordered);
  trace.step("select");

  const entries = selected.map(({ index }) => (candidates[index] as Candidate).entry);
  const tokenizer = parts.tokenizer ?? defaultTokenizer;
  const packed = pack(entries, { contextTokens, tokenizer, timeZone: input.timeZone, now: input.now });
  const items = packed.packed.map(({ index, tokens }): RecallItem => {
    const { id: entryId, text, kind, subject, saidAt, eventTime, validTo, maybeUntil, sources } = entries[index] as Entry;
    const score = selected[index]?.score ?? 0;
    return {
      entryId,
      text,
      score,
      layer: "mtm",
      kind,
      subject,
      saidAt,
      sources,
      tokens,
      ...(eventTime ? { eventTime } : {}),
      ...(validTo !== undefined ? { validTo } : {}),
      ...(maybeUntil ? { maybeUntil } : {}),
    };
  });
  trace.step("pack");
  const choices: Choices = {
    selected,
    shown: packed.packed.map(({ index }) => selected[index]?.index ?? -1),
    ...(modelSaw !== undefined ? { modelSaw } : lite && { decisions: lite.decisions }),
  };
  return {
    text: packed.text,
    items,
    tokens: packed.tokens,
    trace: trace.build(plan, settings.trace === false ? [] : traceCandidates(candidates, choices, settings.linked)),
  };
}

/** Finds an entry that this recall may show. */
function finder({ table }: RecallParts, { filter }: RecallSettings): (id: EntryId) => Entry | undefined {
  return (id) => {
    const slot = table.slotOf(id);
    const entry = slot === undefined ? undefined : table.entry(slot);
    return entry && admits(filter ?? {}, entry) ? entry : undefined;
  };
}

/** What lite asks is walked from by its own words already. */
function toGraph({ purpose, route }: PlannedQuery): boolean {
  return purpose === "hypothetical" && route !== "mtm";
}

function search(
  parts: RecallParts,
  plan: Plan,
  vectors: QueryVectors,
  links: readonly (LinkedEntries | undefined)[],
  settings: RecallSettings,
): Candidate[] {
  const mask = parts.table.mask(settings.filter);
  const query = {
    plan,
    mask,
    poolSize: POOL_SIZE,
    ...(vectors.own ? { vector: vectors.own } : {}),
    ...(settings.weights ? { weights: settings.weights } : {}),
  };
  const others = plan.queries.flatMap((planned, index): ExtraQuery[] => {
    const [vector, linked] = [vectors.each[index], links[index]];
    return isOwnForm(planned) ? [] : [{ ...planned, ...(vector && { vector }), ...(linked && { linked }) }];
  });
  const { budget = MODEL_CANDIDATES / 2, kinds } = plan;
  // Kinds are the plan's own constraint, and bind what it adds alone.
  const planned = kinds && !settings.filter?.kinds ? parts.table.mask({ ...settings.filter, kinds }) : mask;
  const count = Math.min(2 * budget, MODEL_CANDIDATES);
  const extra = others.length > 0 ? extraCandidates(parts, others, count, planned) : [];
  const scores = scoreEntries(parts, query);
  if (settings.linked) addLinked(scores.total, parts.table, settings.linked, mask, LINKED_WEIGHT);
  return gatherCandidates(parts, query, scores, extra);
}

/** A model's choice without unknown numbers and repeats, never more than k. */
function sound(selected: readonly Selected[], shown: number, k: number): Selected[] {
  const seen = new Set<number>();
  return selected
    .filter(({ index }) => Number.isInteger(index) && index >= 0 && index < shown && !seen.has(index) && seen.add(index))
    .slice(0, k);
}
