/** Learns from the person's own conversations which turns are needed, and keeps what it learned with the person's rows. */

import { isMemoryError } from "../errors.js";
import type { LocalModel } from "../lre/scorer.js";
import type { Store, Trainer, TrainingLog } from "../ports.js";
import { answeredIn } from "../stm/answered.js";
import { type DialogueProfile, profileOf } from "../stm/profile.js";
import type { ConversationTurn } from "../stm/recent-turns.js";
import type { ConversationId, ForgetTarget, LearnedScorer, TurnId } from "../types.js";
import type { Follower } from "./follower.js";
import type { HandleLocks } from "./handle-locks.js";
import { removedSince } from "./removals.js";
import { decodeScorer, encodeScorer, NOTHING_LEARNED, PROFILES, SCORER_KEY, type ScorerRow } from "./scorer-row.js";
import { allLogs, lastLog } from "./training-logs.js";

/** Answered questions that make a step, and below which nothing that was learned is used: two or three say little. */
const STEP = 5;
/** A step begins when nothing was recorded for so long. */
const IDLE_MS = 1_000;
const MAX_TRIES = 5;
const LOCK = "learning";

export interface LearningParts {
  readonly store: Store;
  readonly follower: Follower;
  readonly locks: HandleLocks;
  /** In a worker of its own; in this thread without one, or where that fails. */
  readonly trainer?: Trainer;
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** Ends with the memory. */
  readonly ended: AbortSignal;
  readonly tell: (part: string, error: unknown) => void;
  /** Scores with what has been learned by now. */
  readonly rescore: (signal: AbortSignal) => Promise<void>;
}

export class Learning {
  readonly #parts: LearningParts;
  #row = NOTHING_LEARNED;
  /** Whether another handle may have written since the row was read. */
  #isStale = true;
  #takes = 0;
  #locals: ReadonlyMap<DialogueProfile, LocalModel> = new Map();
  readonly #fresh = new Map<ConversationId, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<unknown> = Promise.resolve();

  constructor(parts: LearningParts) {
    this.#parts = parts;
  }

  readonly local = (profile: DialogueProfile): LocalModel | undefined => this.#locals.get(profile);

  /** Another handle wrote: it may have learned, or have forgotten what was learned. */
  heard(): void {
    this.#isStale = true;
  }

  /** Reads what is learned by now, where it may have changed. @param options.isStale it has */
  async refresh({ isStale = this.#isStale } = {}): Promise<void> {
    if (!isStale) return;
    this.#isStale = false;
    await this.#take((await this.#parts.store.meta<ScorerRow>(SCORER_KEY)) ?? NOTHING_LEARNED);
    if (this.#row.isToRelearn) this.#schedule();
  }

  /** @param turns what was recorded, and the turn before it */
  recorded(id: ConversationId, turns: readonly ConversationTurn[]): void {
    const answered = answeredIn(turns).length;
    if (answered === 0) return;
    const fresh = (this.#fresh.get(id) ?? 0) + answered;
    this.#fresh.set(id, fresh);
    if (fresh >= STEP) this.#schedule();
  }

  /** What a forgetting must write beside it. All turns of a log are in what is learned of it, so that is dropped whole, with the
   * write that forgets, and learned anew from what is left. */
  async forgetting(target: ForgetTarget, _entryIds: readonly unknown[], turnIds: readonly TurnId[]) {
    const row = await this.#stored();
    const learned = PROFILES.filter((profile) => row.states[profile]).length;
    if (learned === 0 || (turnIds.length === 0 && !("everything" in target))) return { meta: {}, forgotten: 0 };
    const left: ScorerRow = { step: row.step + 1, states: {}, since: row.since };
    const isAll = "everything" in target;
    return { meta: { [SCORER_KEY]: isAll ? left : { ...left, isToRelearn: true } }, forgotten: learned };
  }

  async learned(): Promise<LearnedScorer> {
    await this.refresh();
    const { states } = this.#row;
    const assistant = states.assistant?.evidence ?? 0;
    const people = states.people?.evidence ?? 0;
    return { stats: { answered: assistant + people, assistant, people }, bytes: encodeScorer(states) };
  }

  /** Puts an export in the place of what was learned; without one nothing, and the questions so far do not come back.
   * @throws MemoryError "storage-corrupt" | "unsupported", and what was learned stays */
  async replace(bytes: Uint8Array | undefined): Promise<void> {
    const { Learner } = await import("../lre/learner.js");
    const learners = bytes ? decodeScorer(bytes).map((state) => ({ state, read: Learner.open(state) })) : [];
    const states = Object.fromEntries(learners.map(({ state, read }) => [read.profile, { state, evidence: read.evidence }]));
    if (!bytes) this.#fresh.clear();
    await this.#alone(async (level) => {
      const { step, since } = await this.#stored();
      const [last] = bytes ? [] : await this.#parts.store.listTurns({ limit: 1, reverse: true });
      await this.#write({ step: step + 1, states, since: last ? last.sequence + 1 : since }, level);
    });
  }

  /** Resolves when what runs has ended. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#working;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#working = this.#working.then(() => this.#step()).catch((error: unknown) => this.#failed(error));
    }, IDLE_MS);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #failed(error: unknown): void {
    if (!this.#parts.ended.aborted) this.#parts.tell("learning", error);
  }

  async #step(): Promise<void> {
    const { store, ended } = this.#parts;
    await this.#alone(async (level) => {
      const row = await this.#stored();
      const ids = [...this.#fresh.keys()];
      this.#fresh.clear();
      let { states } = row;
      const learn = async (log: TrainingLog | undefined) => {
        if (log) states = await this.#learn(states, log);
      };
      if (row.isToRelearn) for await (const log of allLogs(store, row.since, ended)) await learn(log);
      else for (const id of ids) await learn(await lastLog(store, id, row.since));
      if (states !== row.states || row.isToRelearn) await this.#write({ step: row.step + 1, states, since: row.since }, level);
    });
  }

  async #learn(states: ScorerRow["states"], log: TrainingLog): Promise<ScorerRow["states"]> {
    const { trainer, ended, tell } = this.#parts;
    const profile = profileOf(log.turns);
    const here = async () => (await import("../lre/learner-service.js")).learnFromLog(profile, states[profile]?.state, log);
    try {
      const learned = await (trainer ? trainer.learn(profile, states[profile]?.state, log, { signal: ended }) : here());
      return learned.evidence > 0 ? { ...states, [profile]: learned } : states;
    } catch (error) {
      if (!isMemoryError(error, "worker-failed")) throw error;
      tell("learning", error);
      const learned = await here();
      return learned.evidence > 0 ? { ...states, [profile]: learned } : states;
    }
  }

  /** One handle at a time learns. @param task is given the revision at which it began to read */
  async #alone(task: (level: number) => Promise<void>): Promise<void> {
    const { locks, store, ended } = this.#parts;
    await locks.hold(LOCK, async () => task(await store.revision()), ended);
  }

  /** Writes what was learned, unless something was forgotten since reading began: the learner may have seen it.
   * @param level the revision at which reading began */
  async #write(row: ScorerRow, level: number): Promise<void> {
    const { store, follower, inQueue } = this.#parts;
    const isWritten = await inQueue(async () => {
      for (let tries = 1; ; tries++) {
        const revision = await store.revision();
        const removed = await removedSince(store, level);
        if (!removed || removed.size > 0) return false;
        try {
          const commit = await store.write({ meta: { [SCORER_KEY]: row }, expectStore: revision });
          await follower.committed(commit, new Map(), []);
          return true;
        } catch (error) {
          if (!isMemoryError(error, "conflict") || tries === MAX_TRIES) throw error;
        }
      }
    });
    if (isWritten) await this.#take(row);
    else await this.refresh({ isStale: true });
  }

  async #stored(): Promise<ScorerRow> {
    return (await this.#parts.store.meta<ScorerRow>(SCORER_KEY)) ?? NOTHING_LEARNED;
  }

  /** The row and the models that it gives are changed together, so that who sees the one scores with the other. */
  async #take(row: ScorerRow): Promise<void> {
    if (row.step === this.#row.step) return;
    const take = ++this.#takes;
    const locals = await this.#localsOf(row);
    if (take !== this.#takes) return;
    this.#row = row;
    this.#locals = locals;
    const { rescore, ended } = this.#parts;
    rescore(ended).catch((error: unknown) => this.#failed(error));
  }

  async #localsOf(row: ScorerRow): Promise<ReadonlyMap<DialogueProfile, LocalModel>> {
    const locals = new Map<DialogueProfile, LocalModel>();
    for (const profile of PROFILES) {
      const learned = row.states[profile];
      if (!learned || learned.evidence < STEP) continue;
      try {
        const { Learner } = await import("../lre/learner.js");
        const local = new Learner(profile, {}, learned.state).local;
        if (local) locals.set(profile, levelless(local));
      } catch (error) {
        this.#parts.tell("learning", error);
      }
    }
    return locals;
  }
}

/** A role's mean label says how often the log needed it, and nothing of which of its turns; the window has its own level. */
function levelless({ model, evidence }: LocalModel): LocalModel {
  return { evidence, model: { ...model, parts: model.parts.map((part) => ({ ...part, bias: 0 })) } };
}
