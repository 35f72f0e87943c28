/** The SlmEngine port over a MessagePort: whoever plays the roles imports no engine. */

import { MemoryError } from "../errors.js";
import type {
  CallOptions,
  CompleteOptions,
  Completion,
  ContinuationScore,
  EngineCapabilities,
  EngineMessage,
  SlmEngine,
} from "../ports.js";
import { cancellable, untilAborted, withCancelPort } from "./cancel.js";
import { connect, type Endpoint, expose, finalizer, transfer } from "./endpoint.js";
import { holdLifeLock, newLifeLockName, watchLifeLock } from "./life-lock.js";
import { receivePieces, sendPieces } from "./pieces.js";

interface EngineDescription {
  readonly id: string;
  readonly capabilities: EngineCapabilities;
  /** Held until this thread dies or stops serving; absent where there are no locks. */
  readonly lifeLock?: string;
}

/** What an engine answers across a port. */
export interface EngineMethods {
  /** @param pieces receives the answer's pieces */
  complete(
    messages: readonly EngineMessage[],
    options: CompleteOptions,
    pieces?: MessagePort,
    cancel?: MessagePort,
  ): Promise<Completion>;
  score(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    cancel?: MessagePort,
  ): Promise<readonly ContinuationScore[]>;
}

interface EngineApi extends EngineMethods {
  describe(): Promise<EngineDescription>;
}

/** @param current the engine that answers, at each call
 * @param gone ends the calls of a caller who is gone: nobody waits for their answers, and others wait behind them */
export function engineMethods(current: () => SlmEngine, gone?: AbortSignal): EngineMethods {
  const until = (signal: AbortSignal | undefined): CallOptions => {
    const both = [signal, gone].filter((one) => one !== undefined);
    return both.length > 0 ? { signal: AbortSignal.any(both) } : {};
  };
  return {
    complete: (messages, options, pieces, cancel) =>
      withCancelPort(cancel, (signal) =>
        sendPieces(pieces, (onToken) =>
          current().complete(messages, { ...options, ...until(signal), ...(onToken && { onToken }) }),
        ),
      ),
    score: (prompt, continuations, cancel) =>
      withCancelPort(cancel, async (signal) => {
        const engine = current();
        if (!engine.score) throw new MemoryError("unsupported", `the engine ${engine.id} gives no probabilities`);
        return engine.score(prompt, continuations, until(signal));
      }),
  };
}

/** Serves an engine on a port or worker; closing it stays with whoever opened it.
 * @returns stops serving and closes the port; on a port this also happens when the other side closes
 * its engine or dies */
export function serveEngine(engine: SlmEngine, endpoint?: Endpoint): () => void {
  const life = holdLifeLock(newLifeLockName());
  /** Ends the calls of a caller who is gone: nobody waits for their answers, and others wait behind them. */
  const gone = new AbortController();
  const stop = () => {
    life.release();
    gone.abort(new MemoryError("closed", `the engine ${engine.id} is not served here any longer`));
    if (endpoint instanceof MessagePort) endpoint.close();
  };
  // Where the platform tells of it (Chromium 122): the thread on the other side died.
  if (endpoint instanceof MessagePort) endpoint.addEventListener("close", stop, { once: true });
  const api: EngineApi & { readonly [finalizer]: () => void } = {
    async describe() {
      const { id, capabilities } = engine;
      return { id, capabilities, ...((await life.isHeld) && { lifeLock: life.name }) };
    },
    ...engineMethods(() => engine, gone.signal),
    [finalizer]: stop,
  };
  expose(api, endpoint);
  return stop;
}

/** An engine whose work is done behind `endpoint`. When the thread behind it dies, calls reject with "worker-failed".
 * @param options.release runs after the last call, when the engine is closed, or could not be reached
 * @param options.onLost told once, of a death
 * @throws the signal's reason */
export async function remoteEngine(
  endpoint: Endpoint,
  options: CallOptions & { readonly release?: () => void | Promise<void>; readonly onLost?: (error: MemoryError) => void } = {},
): Promise<SlmEngine> {
  const connection = connect<EngineApi>(endpoint);
  const { remote } = connection;
  const end = async () => {
    connection.release();
    await options.release?.();
  };
  const { id, capabilities, lifeLock } = await untilAborted(remote.describe(), options.signal).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const ended = new AbortController();
  if (lifeLock !== undefined)
    watchLifeLock(lifeLock, ended.signal, () => {
      const error = new MemoryError("worker-failed", `the thread of the engine ${id} died`);
      ended.abort(error);
      options.onLost?.(error);
    });
  const until = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
  let closing: Promise<void> | undefined;
  return {
    id,
    capabilities,
    complete(messages, { signal: given, onToken, ...asked } = {}) {
      const signal = until(given);
      return receivePieces(onToken, signal, (pieces) =>
        cancellable(signal, (cancel) =>
          remote.complete(messages, asked, pieces && transfer(pieces, [pieces]), cancel && transfer(cancel, [cancel])),
        ),
      );
    },
    ...(capabilities.scores && {
      score: (prompt: readonly EngineMessage[], continuations: readonly string[], { signal }: CallOptions = {}) =>
        cancellable(until(signal), (cancel) => remote.score(prompt, continuations, cancel && transfer(cancel, [cancel]))),
    }),
    close() {
      if (!ended.signal.aborted) ended.abort(new MemoryError("closed", `the engine ${id} is closed`));
      closing ??= end();
      return closing;
    },
  };
}
