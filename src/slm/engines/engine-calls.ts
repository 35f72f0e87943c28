/** Calls of an engine: checked at the door, one after another, each with a time limit. */

import { MemoryError } from "../../errors.js";
import type { CompleteOptions, EngineMessage } from "../../ports.js";
import { untilAborted } from "../../rpc/cancel.js";

/** How long a call may take unless an app says otherwise, in milliseconds: some hundred tokens of a model of a billion parameters
 * on a slow CPU. */
const TIMEOUT_MS = 120_000;
/** How long closing waits for a call that does not listen, in milliseconds. */
const CLOSING_MS = 5_000;

export interface EngineCallsOptions {
  /** The engine's, for errors. */
  readonly id: string;
  /** Milliseconds that one call may take, without its wait for those before it; 120,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Whether a call that was given up on must have ended before the next may begin: the model has one state, and it is here. */
  readonly exclusive: boolean;
}

/** @throws RangeError */
export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw new RangeError(`timeoutMs is more than 0, got ${timeoutMs}`);
}

export class EngineCalls {
  readonly #id: string;
  readonly #timeoutMs: number;
  readonly #exclusive: boolean;
  readonly #ended = new AbortController();
  /** When all calls before have been answered, or given up on. */
  #answered: Promise<unknown> = Promise.resolve();
  /** When what they began is over. */
  #idle: Promise<unknown> = Promise.resolve();

  constructor({ id, timeoutMs = TIMEOUT_MS, exclusive }: EngineCallsOptions) {
    this.#id = id;
    this.#timeoutMs = timeoutMs;
    this.#exclusive = exclusive;
  }

  /** @throws what the task throws; MemoryError "timeout" | "closed"; the signal's reason, at once */
  async run<T>(signal: AbortSignal | undefined, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const until = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
    until.throwIfAborted();
    const turn = this.#answered.then(() => this.#limited(until, task));
    this.#answered = turn.catch(() => undefined);
    return untilAborted(turn, until);
  }

  /** Ends what runs and what waits; resolves when nothing runs any more, or will not end. */
  async close(): Promise<void> {
    if (!this.#ended.signal.aborted) this.#ended.abort(new MemoryError("closed", `the engine ${this.#id} is closed`));
    await this.#answered;
    const { promise, clear } = timer(Math.min(CLOSING_MS, this.#timeoutMs));
    await Promise.race([this.#idle, promise]);
    clear();
  }

  async #limited<T>(outer: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    outer.throwIfAborted();
    const limit = new AbortController();
    const until = AbortSignal.any([outer, limit.signal]);
    const timeout = setTimeout(() => {
      limit.abort(new MemoryError("timeout", `the engine ${this.#id} did not answer within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
    const work = this.#idle.then(() => {
      until.throwIfAborted();
      return task(until);
    });
    if (this.#exclusive) this.#idle = work.catch(() => undefined);
    try {
      return await untilAborted(work, until);
    } finally {
      clearTimeout(timeout);
    }
  }
}

function timer(ms: number): { readonly promise: Promise<void>; readonly clear: () => void } {
  let clear = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, ms);
    clear = () => clearTimeout(timeout);
  });
  return { promise, clear };
}

/** @throws TypeError | RangeError */
export function checkPrompt(messages: readonly EngineMessage[], { maxTokens, temperature }: CompleteOptions = {}): void {
  if (messages.length === 0) throw new TypeError("a prompt has one message or more");
  if (maxTokens !== undefined && !(maxTokens >= 1)) throw new RangeError(`maxTokens is 1 or more, got ${maxTokens}`);
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw new RangeError(`temperature is from 0 to 2, got ${temperature}`);
}

/** Halves of surrogate pairs replaced, as every encoding of text into bytes needs it. */
export function wellFormed(messages: readonly EngineMessage[]): EngineMessage[] {
  return messages.map(({ role, content }) => ({ role, content: content.replace(/\p{Surrogate}/gu, "\uFFFD") }));
}
