/** Whether an engine worked while its model was examined: a network that was gone says nothing of what the model can do. */

import { isMemoryError } from "../errors.js";
import type { SlmEngine } from "../ports.js";

export class EngineHealth {
  /** The same engine, watched. */
  readonly engine: SlmEngine;
  readonly #calls = { complete: { answered: 0, failed: 0 }, score: { answered: 0, failed: 0 } };
  #last = "";

  constructor(engine: SlmEngine) {
    const { score } = engine;
    this.engine = {
      ...engine,
      id: engine.id,
      get capabilities() {
        return engine.capabilities;
      },
      complete: (messages, options) => this.#watch("complete", options?.signal, () => engine.complete(messages, options)),
      ...(score && {
        score: (prompt, continuations, options) =>
          this.#watch("score", options?.signal, () => score.call(engine, prompt, continuations, options)),
      }),
      close: () => engine.close(),
    };
  }

  /** What it failed with last; undefined where it worked, or failed at one kind of call always and at the other never, as where it cannot
   * hold to a schema. */
  get outage(): string | undefined {
    const asked = Object.values(this.#calls).filter(({ answered, failed }) => answered + failed > 0);
    const isSteady = asked.every(({ answered, failed }) => failed === 0 || answered === 0);
    const works = asked.length === 0 || asked.some(({ failed }) => failed === 0);
    return isSteady && works ? undefined : this.#last;
  }

  async #watch<T>(kind: "complete" | "score", signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    const calls = this.#calls[kind];
    try {
      const value = await call();
      calls.answered++;
      return value;
    } catch (error) {
      if (signal?.aborted) throw error;
      // A prompt that does not fit is the model's own limit.
      if (isMemoryError(error, "too-large")) calls.answered++;
      else {
        calls.failed++;
        this.#last = error instanceof Error ? error.message : String(error);
      }
      throw error;
    }
  }
}
