/** The context window: units go in as they come, and what should be before the model comes out, inside a token budget. */

import type { Tokenizer } from "../ports.js";
import { defaultTokenizer } from "../text/tokens.js";
import { identifiersOf, type UnitIdentifiers } from "./agent-features.js";
import { type Candidate, type Choice, choose } from "./choose.js";
import { type Bundle, bundlesOf, type Held, identifiersOfAll } from "./held.js";
import { chooseLines, IdentifierUses, ledgerText } from "./ledger.js";
import type { Profile } from "./model.js";
import { levelled, RoleLevel } from "./role-level.js";
import { calibrate, RunningCalibration, StreamScorer } from "./scorer.js";
import { shippedModel } from "./shipped.js";
import { spokenIdentifiers } from "./spoken-identifiers.js";
import { actionOf, textOf, type Unit } from "./unit.js";
import {
  type ContextWindowOptions,
  type Kept,
  type LeftOut,
  share,
  type UnitExplanation,
  type WindowSelection,
  wholeNumber,
} from "./window-options.js";

const LEDGER_SHARES: Readonly<Record<Profile, number>> = { agent: 0.8, assistant: 0.1, people: 0 };

/** What an eviction leaves: why each unit at hand stays, and the identifiers that have to be spilled. */
interface Outcome {
  readonly kinds: (Kept["why"] | undefined)[];
  readonly spilled: Set<string>;
}

/** Identifiers of evicted turns that may pile up before all but the ledger's are let go. */
const MAX_SPILLED = 400;

const NONE: ReadonlySet<string> = new Set();

/** Keeps the working context of one conversation or run. Not shared between histories: scores rest on what came before. */
export class ContextWindow<U extends Unit = Unit> {
  readonly profile: Profile;
  private readonly budget: number;
  private readonly recent: number;
  private readonly inside: boolean;
  private readonly streaming: boolean;
  private readonly recentShare: number;
  private readonly ledgerShare: number;
  private readonly ledgerCost: number;
  private readonly tokenizer: Tokenizer;
  private readonly scorer: StreamScorer;
  private held: Held<U>[] = [];
  private heldTokens = 0;
  private readonly ids = new Set<string>();
  private readonly evicted: LeftOut[] = [];
  /** Identifiers of evicted units, in streaming mode what the ledger kept of them. */
  private spilled = new Set<string>();
  private readonly uses = new IdentifierUses();
  private readonly calibration = new RunningCalibration();
  private readonly level = new RoleLevel();
  private pushed = 0;

  /** @throws RangeError for a budget, window or share that cannot be meant */
  constructor(options: ContextWindowOptions) {
    this.profile = options.profile ?? options.model?.profile ?? "assistant";
    const model = options.model ?? shippedModel(this.profile);
    if (model.profile !== this.profile)
      throw new RangeError(`the model scores ${model.profile}, the window is of ${this.profile}`);
    this.budget = wholeNumber("budgetTokens", options.budgetTokens);
    this.recent = wholeNumber("recent", options.recent ?? 5);
    this.inside = options.recentInside ?? false;
    this.streaming = options.mode === "streaming";
    this.recentShare = share("recentShare", options.recentShare ?? 0);
    this.ledgerShare = share("ledgerShare", options.ledgerShare ?? LEDGER_SHARES[this.profile]);
    this.ledgerCost = wholeNumber("ledgerCost", options.ledgerCost ?? 0);
    this.tokenizer = options.tokenizer ?? defaultTokenizer;
    this.scorer = new StreamScorer(model, options.local);
  }

  /** Units at hand: all, or in streaming mode those not evicted. */
  get size(): number {
    return this.held.length;
  }

  /** Takes the next unit. O(its text), and in streaming mode O(units at hand).
   * @returns its score, from the units before it alone
   * @throws RangeError for an id that was pushed before, or a joined unit in streaming mode */
  push(unit: U): number {
    if (this.ids.has(unit.id)) throw new RangeError(`a unit with the id "${unit.id}" is in the window already`);
    if (unit.isJoined && this.streaming) throw new RangeError("units are joined where nothing is evicted for good");
    this.ids.add(unit.id);
    const wantsIdentifiers = this.ledgerShare > 0 || this.profile === "agent";
    const found = wantsIdentifiers ? this.identifiersIn(unit) : undefined;
    const score = this.scorer.push(unit, found);
    const identifiers = found
      ? [...new Map([...found.inAction, ...found.inObservation].map((one) => [one.value, one])).values()]
      : [];
    if (found) {
      const source = unit.calls?.[0]?.name ?? unit.speaker ?? unit.role;
      const fromUser = unit.role === "user" || !unit.calls?.length;
      this.uses.record(unit.id, source, identifiers, new Set(found.inAction.map(({ value }) => value)), fromUser);
    }
    const tokens = Math.max(
      1,
      unit.tokens ?? this.tokenizer.count(unit.results || unit.calls || unit.caption ? textOf(unit) : actionOf(unit)),
    );
    const isReply = this.profile === "assistant" && unit.role !== "user";
    this.level.add(!isReply, score);
    const density = this.calibration.next(isReply ? score + this.level.shift : score) / tokens;
    this.held.push({
      unit,
      at: this.pushed++,
      tokens,
      score,
      density,
      identifiers,
      pinned: unit.pinned ?? unit.role === "system",
    });
    this.heldTokens += tokens;
    if (this.streaming) this.evict();
    return score;
  }

  /** In dialogue people write codes as no tool would; an agent's shapes are those that its weights were learned with. */
  private identifiersIn(unit: U): UnitIdentifiers {
    const found = identifiersOf(unit);
    return this.profile === "agent" ? found : { ...found, inAction: spokenIdentifiers(actionOf(unit)) };
  }

  /** What to put before the model now.
   * @param budgetTokens another budget for this once; in streaming mode a larger one brings nothing back
   * @param pinned ids of units that are kept this once, whatever they cost */
  select(budgetTokens: number = this.budget, pinned: ReadonlySet<string> = NONE): WindowSelection<U> {
    const budget = wholeNumber("budgetTokens", budgetTokens);
    const decision = this.decide(budget, pinned);
    const { choice } = decision;
    const probabilities = calibrate(decision.scores);
    const kept: Kept<U>[] = [];
    const leftOut = [...this.evicted];
    this.held.forEach((held, i) => {
      const why = decision.kinds[i];
      if (why) kept.push({ unit: held.unit, tokens: held.tokens, probability: probabilities[i] as number, why });
      else leftOut.push({ id: held.unit.id, tokens: held.tokens, reason: held.tokens > budget ? "too-large" : "budget" });
    });
    const tokens = kept.reduce((sum, one) => sum + one.tokens, choice.ledgerTokens);
    return {
      kept,
      ledger: choice.lines,
      ledgerText: ledgerText(choice.lines),
      tokens,
      besideTokens: decision.beside,
      leftOut,
      overBudgetTokens: Math.max(0, tokens - decision.beside - budget),
      value: choice.value,
      bound: choice.bound,
    };
  }

  /** Which features spoke for a unit, on arrival. Scores the history again up to it, so it is for looking, not for loops.
   * @param history the units pushed so far, in order
   * @throws RangeError when no unit there has the id */
  static explain(
    id: string,
    history: readonly Unit[],
    options: Omit<ContextWindowOptions, "budgetTokens"> = {},
  ): UnitExplanation {
    const scorer = new StreamScorer(options.model ?? shippedModel(options.profile ?? "assistant"), options.local);
    for (const unit of history) {
      const score = scorer.push(unit);
      if (unit.id === id) return { id, score, terms: scorer.explain() };
    }
    throw new RangeError(`no unit has the id "${id}"`);
  }

  /** Which units stay whatever the others are worth, what they take of the budget, and what stands beside it. */
  private settle(budget: number, pinned = NONE): { kinds: (Kept["why"] | undefined)[]; taken: number; beside: number } {
    const kinds: (Kept["why"] | undefined)[] = new Array(this.held.length).fill(undefined);
    const bundles = bundlesOf(this.held);
    const keep = (bundle: Bundle, why: Kept["why"]): void => void kinds.fill(why, bundle.from, bundle.to);
    let taken = 0;
    for (const bundle of bundles) {
      const isPinned = ({ pinned: always, unit }: Held<U>): boolean => always || pinned.has(unit.id);
      if (!this.held.slice(bundle.from, bundle.to).some(isPinned)) continue;
      keep(bundle, "pinned");
      taken += bundle.tokens;
    }
    let beside = 0;
    let recent = 0;
    const first = this.pushed - this.recent;
    const share = this.inside ? budget * this.recentShare : 0;
    for (const bundle of bundles.reverse()) {
      if (kinds[bundle.from]) continue;
      if (bundle.last < first && recent + bundle.tokens > share) break;
      if (!this.inside) beside += bundle.tokens;
      else if (bundle.tokens > budget) continue;
      else if (taken + bundle.tokens > budget) break;
      else taken += bundle.tokens;
      recent += bundle.tokens;
      keep(bundle, "recent");
    }
    return { kinds, taken, beside };
  }

  /** For each unit at hand why it stays, if it does. */
  private decide(
    budget: number,
    pinned = NONE,
  ): { kinds: (Kept["why"] | undefined)[]; choice: Choice; scores: number[]; beside: number } {
    const { kinds, taken, beside } = this.settle(budget, pinned);
    const revised = this.streaming ? undefined : this.scorer.revise();
    const raw = this.held.map(({ at, score }) => revised?.[at] ?? score);
    const scores = this.profile === "assistant" ? levelled(raw, (i) => this.held[i]?.unit.role === "user") : raw;
    const open: Bundle[] = [];
    const present = new Set<string>();
    const spilled = new Set(this.spilled);
    for (const bundle of bundlesOf(this.held)) {
      const kind = kinds[bundle.from];
      if (kind === undefined && bundle.tokens <= budget) open.push(bundle);
      else for (const { value } of identifiersOfAll(this.held, bundle)) (kind === undefined ? spilled : present).add(value);
    }
    const candidates = open.map(
      (bundle): Candidate => ({
        tokens: bundle.tokens,
        score: Math.max(...scores.slice(bundle.from, bundle.to)),
        identifiers: identifiersOfAll(this.held, bundle),
      }),
    );
    const choice = choose(candidates, {
      budget: Math.max(0, budget - taken),
      byCoverage: this.profile === "agent",
      ledgerBudget: budget * this.ledgerShare,
      ledgerCost: this.ledgerCost,
      present,
      spilled,
      uses: this.uses,
      count: (text) => this.tokenizer.count(text),
    });
    open.forEach(({ from, to }, k) => {
      if (choice.taken[k] === 1) kinds.fill("chosen", from, to);
    });
    return { kinds, choice, scores, beside };
  }

  /** Streaming: lets go of what would not be chosen now, for good. */
  private evict(): void {
    // Nothing to do while everything fits, which is most of the time in a wide window.
    if (this.spilled.size === 0 && this.heldTokens <= this.budget) return;
    const { kinds, spilled } = this.profile === "agent" ? this.decideForGood() : this.dropLightest();
    this.held = this.held.filter((held, i) => {
      // A recent unit that does not fit now may fit when others have gone.
      if (kinds[i] !== undefined || held.at >= this.pushed - this.recent) return true;
      this.evicted.push({ id: held.unit.id, tokens: held.tokens, reason: held.tokens > this.budget ? "too-large" : "budget" });
      this.heldTokens -= held.tokens;
      return false;
    });
    this.spilled = spilled;
  }

  private decideForGood(): Outcome {
    const { kinds, choice } = this.decide(this.budget);
    return { kinds, spilled: new Set(choice.lines.map(({ value }) => value)) };
  }

  /** Dialogue: the least probable a token goes first, until the rest fits beside the ledger. O(units at hand). */
  private dropLightest(): Outcome {
    const { kinds, taken } = this.settle(this.budget);
    const older = this.held.map((_, i) => i).filter((i) => kinds[i] === undefined);
    let tokens = older.reduce((sum, i) => sum + (this.held[i] as Held<U>).tokens, 0);
    const share = this.ledgerShare > 0 && (this.spilled.size > 0 || tokens + taken > this.budget) ? this.ledgerShare : 0;
    const room = Math.max(0, this.budget - taken - this.budget * share);
    const spilled = new Set(this.spilled);
    for (const i of older) kinds[i] = "chosen";
    if (tokens > room) older.sort((a, b) => (this.held[a] as Held<U>).density - (this.held[b] as Held<U>).density);
    for (const i of older) {
      if (tokens <= room) break;
      const held = this.held[i] as Held<U>;
      tokens -= held.tokens;
      kinds[i] = undefined;
      for (const { value } of held.identifiers) spilled.add(value);
    }
    if (spilled.size <= MAX_SPILLED) return { kinds, spilled };
    const { lines } = chooseLines(
      spilled,
      this.budget * this.ledgerShare,
      this.uses,
      (text) => this.tokenizer.count(text),
      this.ledgerCost,
    );
    return { kinds, spilled: new Set(lines.map(({ value }) => value)) };
  }
}

/** Opens a context window: `push` units as they come, `select` what to send. */
export function createContextWindow<U extends Unit = Unit>(options: ContextWindowOptions): ContextWindow<U> {
  return new ContextWindow<U>(options);
}
