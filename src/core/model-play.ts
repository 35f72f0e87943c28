/** A model beside a memory, and the roles that it plays: those that its exam or the app gave it. */

import type { BackendOptions, MemoryEvent } from "../backend.js";
import { EXAM_VERSION, type Examined, examine } from "../exams/exam.js";
import { orAborted } from "../or-aborted.js";
import type { Clock, Controller, Selector, SlmEngine, Store, VectorIndex, WordVectors } from "../ports.js";
import { LiteController } from "../retrieve/controller.js";
import { LikelihoodController } from "../retrieve/likelihood-controller.js";
import type { LiteSelector } from "../retrieve/selector.js";
import { SlmController } from "../retrieve/slm-controller.js";
import { GeneratingSelector, LikelihoodSelector } from "../retrieve/slm-selector.js";
import { StructuredAsker } from "../slm/structured/ask.js";
import type { Entry, GivenRoles, MemoryStats, RoleGiving, RoleState, RoleVerdict, RoleVerdicts, SlmRole } from "../types.js";
import { GeneratingWriter, RankingWriter } from "../write/slm-writer.js";
import { EngineLine } from "./engine-line.js";
import type { Follower } from "./follower.js";
import type { IndexKeeper } from "./index-keeper.js";
import type { Cast } from "./model-desk.js";
import { Rewording, type WriterOver } from "./rewording.js";
import { RoleWatch } from "./role-watch.js";
import { keyOf } from "./space-claims.js";

export interface ModelPlayParts {
  readonly options: BackendOptions;
  readonly store: Store;
  readonly keeper: IndexKeeper;
  readonly follower: Follower;
  readonly wordVectors: WordVectors;
  readonly createVectorIndex: (dimension: number) => VectorIndex;
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  readonly emit: (event: MemoryEvent) => void;
  readonly tell: (part: string, error: unknown) => void;
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
}

interface ExamRow {
  readonly version: number;
  readonly verdicts: RoleVerdicts;
}

const ROLES: readonly SlmRole[] = ["controller", "selector", "writer"];
/** The exam goes on when nobody has recalled or recorded for so long, in milliseconds. */
const IDLE_MS = 300;
/** Until the exam is held again after one in which the engine failed, in milliseconds. */
const AGAIN_MS = 600_000;
/** Weight of a likelihood that no exam has weighed. */
const UNSURE_WEIGHT = 0.2;

const examining: RoleVerdict = { form: "lite", reason: "the exam is not over yet", trials: [] };

export class ModelPlay {
  readonly #engine: SlmEngine;
  readonly #parts: ModelPlayParts;
  readonly #ended = new AbortController();
  readonly #line: EngineLine;
  readonly #asker: StructuredAsker;
  readonly #backAsker: StructuredAsker;
  readonly #watches: Readonly<Record<SlmRole, RoleWatch>>;
  #assigned: Promise<void>;
  /** Space of the embedder that it was examined beside; undefined where the app has given the roles. */
  #examinedIn: string | undefined;
  #verdicts: RoleVerdicts | undefined;
  #rewording: Rewording | undefined;
  #usedAt = Number.NEGATIVE_INFINITY;

  constructor(engine: SlmEngine, giving: RoleGiving, parts: ModelPlayParts) {
    this.#engine = engine;
    this.#parts = parts;
    this.#line = new EngineLine(engine, parts);
    this.#asker = new StructuredAsker(this.#line.front);
    this.#backAsker = new StructuredAsker(this.#line.back);
    const watch = () => new RoleWatch(parts.stopwatch);
    this.#watches = { controller: watch(), selector: watch(), writer: watch() };
    this.#assigned = this.#assigning(giving);
  }

  async #assigning(giving: RoleGiving): Promise<void> {
    try {
      await this.#assign(giving);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      this.#take(everywhere(`the exam could not be held: ${error instanceof Error ? error.message : String(error)}`));
      this.#parts.tell("model exam", error);
    }
  }

  /** The model's roles for one recall.
   * @param budgetMs time that it has */
  cast(budgetMs: number, lite: LiteSelector): Cast {
    this.#usedAt = this.#parts.stopwatch.now();
    this.#followEmbedder();
    const { controller, selector } = this.#verdicts ?? {};
    const resting: { role: "controller" | "selector"; reason: string }[] = [];
    const isPlayed = (role: "controller" | "selector", verdict: RoleVerdict | undefined): boolean => {
      if (!verdict || verdict.form === "lite") return false;
      const reason = this.#watches[role].resting(budgetMs);
      if (reason !== undefined) resting.push({ role, reason });
      return reason === undefined;
    };
    return {
      ...(isPlayed("controller", controller) && { controller: this.#controller(budgetMs, controller as RoleVerdict) }),
      ...(isPlayed("selector", selector) && { selector: this.#selector(budgetMs, selector as RoleVerdict, lite) }),
      resting,
    };
  }

  /** Beside another embedder the verdicts are others: lite plays until they are known. */
  #followEmbedder(): void {
    if (!this.#verdicts || this.#examinedIn === undefined || this.#examinedIn === this.#space) return;
    this.#verdicts = undefined;
    this.#rewording = undefined;
    this.#assigned = this.#assigned.then(() => this.#assigning("exam"));
  }

  recorded(stored: readonly Entry[]): void {
    this.#usedAt = this.#parts.stopwatch.now();
    if (this.#watches.writer.resting() === undefined) this.#rewording?.add(stored);
  }

  get state(): Pick<MemoryStats, "model" | "roles"> {
    const { id, capabilities } = this.#engine;
    const { calls, promptTokens, completionTokens, ms } = this.#line.usage;
    const [front, back] = [this.#asker.counts, this.#backAsker.counts];
    const structured = Object.fromEntries(
      Object.entries(front).map(([name, count]) => [name, count + back[name as keyof typeof back]]),
    ) as unknown as typeof front;
    const speed = ms > 0 ? { completion: (1_000 * completionTokens) / ms } : capabilities.tokensPerSecond;
    return {
      model: {
        id,
        state: this.#verdicts ? "ready" : "examining",
        device: capabilities.device,
        contextTokens: capabilities.contextTokens,
        ...(speed && { tokensPerSecond: speed }),
        calls,
        promptTokens,
        completionTokens,
        structured,
        ...(this.#rewording?.counts ?? { reworded: 0, ungrounded: 0 }),
      },
      roles: { controller: this.#stateOf("controller"), selector: this.#stateOf("selector"), writer: this.#stateOf("writer") },
    };
  }

  /** Nothing runs when it resolves; the engine stays with whoever opened it. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#assigned;
    await this.#rewording?.idle();
  }

  #stateOf(role: SlmRole): RoleState {
    const watch = this.#watches[role];
    const resting = watch.resting();
    return { ...(this.#verdicts?.[role] ?? examining), ...watch.counts, ...(resting !== undefined && { resting }) };
  }

  async #assign(giving: RoleGiving): Promise<void> {
    if (typeof giving === "object") return this.#take(given(giving, this.#engine));
    const { signal } = this.#ended;
    let isKnown = giving === "exam";
    for (;;) {
      // What a model adds depends on what finds its candidates.
      const space = this.#space;
      this.#examinedIn = space;
      const key = `exam:${this.#engine.id}:${space}`;
      const known = isKnown ? await this.#parts.store.meta<ExamRow>(key) : undefined;
      if (known?.version === EXAM_VERSION) return this.#take(known.verdicts);
      const { verdicts, outage } = await this.#examine();
      signal.throwIfAborted();
      this.#take(outage === undefined ? verdicts : afterOutage(verdicts, outage));
      if (outage === undefined) return this.#keep(key, verdicts);
      await orAborted(new Promise((resolve) => later(resolve, AGAIN_MS)), signal);
      isKnown = true;
    }
  }

  /** So that the exam is held once; where it cannot be stored, the next opening holds it again. */
  async #keep(key: string, verdicts: RoleVerdicts): Promise<void> {
    const { signal } = this.#ended;
    const { follower, store, inQueue, tell } = this.#parts;
    const row: ExamRow = { version: EXAM_VERSION, verdicts };
    try {
      await inQueue(async () => {
        signal.throwIfAborted();
        await follower.committed(await store.write({ meta: { [key]: row }, durable: false }), new Map(), []);
      });
    } catch (error) {
      if (!signal.aborted) tell("model exam", error);
    }
  }

  get #space(): string {
    return keyOf(this.#parts.keeper.embedder.space);
  }

  #examine(): Promise<Examined> {
    const { keeper, wordVectors, createVectorIndex, stopwatch, emit } = this.#parts;
    return examine({
      engine: this.#line.back,
      embedder: keeper.embedder.embedder,
      wordVectors,
      createVectorIndex,
      stopwatch,
      signal: this.#ended.signal,
      idle: () => this.#idle(),
      onProgress: (done, total) => emit({ type: "progress", detail: { task: "exam", done, total } }),
    });
  }

  async #idle(): Promise<void> {
    for (;;) {
      const leftMs = this.#usedAt + IDLE_MS - this.#parts.stopwatch.now();
      if (!(leftMs > 0) || this.#ended.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
  }

  #take(verdicts: RoleVerdicts): void {
    this.#verdicts = verdicts;
    const { form } = verdicts.writer;
    if (form === "lite" || this.#ended.signal.aborted) return;
    const over: WriterOver =
      form === "rank"
        ? (lite) => new RankingWriter(this.#line.back, lite)
        : (lite) => new GeneratingWriter(this.#backAsker, lite);
    const watch = this.#watches.writer;
    this.#rewording = new Rewording(
      {
        ...this.#parts,
        timeZone: this.#parts.options.timeZone,
        // Lite's words stay; whether the model is to be asked again is for the watch to say.
        onFailure: () => undefined,
      },
      (lite) => {
        const writer = over(lite);
        return { write: (input, options = {}) => watch.run(0, options, () => writer.write(input, options)) };
      },
      this.#ended.signal,
    );
  }

  #controller(budgetMs: number, { form }: RoleVerdict): Controller {
    const lite = new LiteController();
    const controller: Controller =
      form === "likelihood" ? new LikelihoodController(this.#line.front, lite) : new SlmController(this.#asker, lite);
    const watch = this.#watches.controller;
    return { form, plan: (input, options = {}) => watch.run(budgetMs, options, () => controller.plan(input, options)) };
  }

  #selector(budgetMs: number, { form, weight = UNSURE_WEIGHT }: RoleVerdict, lite: LiteSelector): Selector {
    const selector =
      form === "likelihood" ? new LikelihoodSelector(this.#line.front, lite, weight) : new GeneratingSelector(this.#asker);
    const watch = this.#watches.selector;
    return { form, select: (input, options = {}) => watch.run(budgetMs, options, () => selector.select(input, options)) };
  }
}

/** The roles that it has not earned say why it may yet. */
function afterOutage(verdicts: RoleVerdicts, outage: string): RoleVerdicts {
  const told = ([role, verdict]: [string, RoleVerdict]) => {
    const reason = `the engine failed during the exam, which is held again later: ${outage}`;
    return [role, verdict.form === "lite" ? { ...verdict, reason } : verdict];
  };
  return Object.fromEntries(Object.entries(verdicts).map(told)) as unknown as RoleVerdicts;
}

function later(act: (value?: unknown) => void, ms: number): void {
  // In Node a timer keeps the process alive.
  (setTimeout(act, ms) as { unref?: () => void }).unref?.();
}

function everywhere(reason: string): RoleVerdicts {
  const verdict: RoleVerdict = { form: "lite", reason, trials: [] };
  return { controller: verdict, selector: verdict, writer: verdict };
}

/** What the app says, as far as the engine can. */
function given(roles: GivenRoles, engine: SlmEngine): RoleVerdicts {
  const verdictOf = (role: SlmRole): RoleVerdict => {
    const form = roles[role];
    if (!form) return { form: "lite", reason: "the app leaves it to lite", trials: [] };
    if ((form === "likelihood" || form === "rank") && !engine.score)
      return { form: "lite", reason: "the engine gives no probabilities of given words", trials: [] };
    return { form, reason: "given by the app, without an exam", trials: [] };
  };
  return Object.fromEntries(ROLES.map((role) => [role, verdictOf(role)])) as unknown as RoleVerdicts;
}
