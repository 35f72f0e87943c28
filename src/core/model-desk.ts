/** The place of a small model beside a memory: empty, or with one that may play roles. What a model needs is loaded with the first. */

import type { Controller, Selector, SlmEngine } from "../ports.js";
import type { LiteSelector } from "../retrieve/selector.js";
import type { MemoryStats, RecallTrace, RoleGiving, Written } from "../types.js";
import { lazily } from "./lazily.js";
import type { ModelPlay, ModelPlayParts } from "./model-play.js";

/** Who plays the roles of one recall beside lite. */
export interface Cast {
  readonly controller?: Controller;
  readonly selector?: Selector;
  /** Roles that the model has and does not play now, and why. */
  readonly resting?: RecallTrace["fallbacks"];
}

const LITE = { form: "lite", reason: "no model is attached", trials: [], answered: 0, late: 0, failed: 0 } as const;
const NOBODY: Cast = {};

export class ModelDesk {
  readonly #parts: ModelPlayParts;
  readonly #load = lazily(() => import("./model-play.js"));
  #play: ModelPlay | undefined;
  /** Attachings and detachings, one after another. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(parts: ModelPlayParts) {
    this.#parts = parts;
  }

  /** Takes a model in the place of the one there is; lite plays all roles until its exam is over, and without a model.
   * @throws MemoryError "asset-unavailable"; the signal's reason */
  attach(engine: SlmEngine | undefined, giving: RoleGiving, signal?: AbortSignal): Promise<void> {
    const changed = this.#changing.then(async () => {
      const { ModelPlay } = engine ? await this.#load() : { ModelPlay: undefined };
      signal?.throwIfAborted();
      const before = this.#play;
      this.#play = engine && ModelPlay && new ModelPlay(engine, giving, this.#parts);
      await before?.end();
    });
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /** @param budgetMs time that a recall has */
  cast(budgetMs: number, lite: LiteSelector): Cast {
    return this.#play?.cast(budgetMs, lite) ?? NOBODY;
  }

  /** What was stored may be shown in the model's words later. */
  recorded({ stored }: Written): void {
    this.#play?.recorded(stored);
  }

  get state(): Pick<MemoryStats, "model" | "roles"> {
    return this.#play?.state ?? { roles: { controller: LITE, selector: LITE, writer: LITE } };
  }

  /** After the memory has ended; nothing runs when it resolves. */
  async close(): Promise<void> {
    await this.attach(undefined, "exam");
  }
}
