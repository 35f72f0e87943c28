/** The line before an engine: answers that somebody waits for go first, no call waits for ever, and what passes is counted. */

import { isMemoryError, MemoryError } from "../errors.js";
import { orAborted } from "../or-aborted.js";
import type { CallOptions, Clock, ContinuationScore, SlmEngine } from "../ports.js";

/** How long one call may take; a model of a billion parameters on a CPU writes 250 tokens in it. */
const LIMIT_MS = 60_000;

/** Why background work has to stop: it is done again when nobody waits. */
const GIVE_WAY = new MemoryError("timeout", "somebody waits for the model");

export interface EngineUsage {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Time of the calls whose tokens are known. */
  readonly ms: number;
}

export interface EngineLineOptions {
  /** Fine milliseconds. */
  readonly stopwatch: Clock;
  /** How long one call may take, in milliseconds; a minute by default. */
  readonly limitMs?: number;
}

export class EngineLine {
  /** For answers that somebody waits for. */
  readonly front: SlmEngine;
  /** For work in the background: it waits until nobody else does, and begins again after it had to give way. */
  readonly back: SlmEngine;
  readonly #engine: SlmEngine;
  readonly #stopwatch: Clock;
  readonly #limitMs: number;
  readonly #usage = { calls: 0, promptTokens: 0, completionTokens: 0, ms: 0 };
  #waiting = 0;
  #free: (() => void)[] = [];
  #background: AbortController | undefined;

  constructor(engine: SlmEngine, { stopwatch, limitMs = LIMIT_MS }: EngineLineOptions) {
    this.#engine = engine;
    this.#stopwatch = stopwatch;
    this.#limitMs = limitMs;
    this.front = this.#view((call, signal) => this.#first(call, signal));
    this.back = this.#view((call, signal) => this.#whenFree(call, signal));
  }

  get usage(): EngineUsage {
    return { ...this.#usage };
  }

  #view(queue: <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>): SlmEngine {
    const engine = this.#engine;
    return {
      id: engine.id,
      capabilities: engine.capabilities,
      complete: (messages, options = {}) =>
        queue(async (signal) => {
          const started = this.#stopwatch.now();
          const answer = await engine.complete(messages, { ...options, signal });
          this.#count(started, answer.promptTokens, answer.completionTokens);
          return answer;
        }, options.signal),
      ...(engine.score && {
        score: (prompt, continuations, options: CallOptions = {}) =>
          queue(async (signal): Promise<readonly ContinuationScore[]> => {
            const scores = (await engine.score?.(prompt, continuations, { signal })) ?? [];
            this.#usage.calls++;
            return scores;
          }, options.signal),
      }),
      close: async () => undefined,
    };
  }

  #count(started: number, promptTokens: number | undefined, completionTokens: number | undefined): void {
    this.#usage.calls++;
    if (completionTokens === undefined) return;
    this.#usage.promptTokens += promptTokens ?? 0;
    this.#usage.completionTokens += completionTokens;
    this.#usage.ms += this.#stopwatch.now() - started;
  }

  async #first<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    this.#waiting++;
    this.#background?.abort(GIVE_WAY);
    try {
      return await this.#limited(call, signal);
    } finally {
      if (--this.#waiting === 0) for (const go of this.#free.splice(0)) go();
    }
  }

  async #whenFree<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#waiting > 0) {
        const free = new Promise<void>((resolve) => this.#free.push(resolve));
        await (signal ? orAborted(free, signal) : free);
        continue;
      }
      const own = new AbortController();
      this.#background = own;
      try {
        return await this.#limited(call, signal ? AbortSignal.any([signal, own.signal]) : own.signal);
      } catch (error) {
        if (!own.signal.aborted || signal?.aborted) throw error;
      } finally {
        if (this.#background === own) this.#background = undefined;
      }
    }
  }

  /** An engine that neither answers nor listens to a signal is not waited for. */
  async #limited<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new MemoryError("timeout", `the engine ${this.#engine.id} did not answer within ${this.#limitMs} ms`)),
      this.#limitMs,
    );
    const until = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    try {
      until.throwIfAborted();
      return await orAborted(call(until), until);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether an engine was told to stop because its answer would come too late. */
export function isLate(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && isMemoryError(signal.reason, "timeout");
}
