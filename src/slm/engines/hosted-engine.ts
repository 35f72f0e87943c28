/** An engine in a worker of its own, seen from the page: a worker that dies or does not answer is ended, another one is started, and
 * the call is sent once more. */

import { isMemoryError, MemoryError } from "../../errors.js";
import type {
  CallOptions,
  CompleteOptions,
  Completion,
  ContinuationScore,
  EngineCapabilities,
  EngineMessage,
  LoadOptions,
  SlmEngine,
} from "../../ports.js";
import { untilAborted } from "../../rpc/cancel.js";
import { transfer } from "../../rpc/endpoint.js";
import { receivePieces } from "../../rpc/pieces.js";
import { WorkerLink } from "../../rpc/worker-link.js";
import type { EngineHostApi } from "./engine-host.js";

export interface HostedEngineOptions {
  /** Names the worker in errors. */
  readonly label: string;
  /** Plain data for the worker. */
  readonly settings: object;
  readonly spawn: () => Worker;
  /** Milliseconds that one call may take before its worker counts as stuck. */
  readonly callLimitMs: number;
  /** Milliseconds without progress that a load may take. */
  readonly loadLimitMs: number;
}

/** Sends one call; what comes back settles when the worker is done with it, also after an abort. */
type Send<T> = (link: WorkerLink<EngineHostApi>, until: AbortSignal) => Promise<T>;

export class HostedEngine implements SlmEngine {
  readonly id: string;
  readonly capabilities: EngineCapabilities;
  readonly score?: NonNullable<SlmEngine["score"]>;
  readonly #options: HostedEngineOptions;
  #link: Promise<WorkerLink<EngineHostApi>>;
  readonly #ended = new AbortController();
  /** When the worker is done with all calls so far. */
  #done: Promise<void> = Promise.resolve();

  private constructor(
    options: HostedEngineOptions,
    link: WorkerLink<EngineHostApi>,
    { id, capabilities }: { readonly id: string; readonly capabilities: EngineCapabilities },
  ) {
    this.#options = options;
    this.#link = Promise.resolve(link);
    this.id = id;
    this.capabilities = capabilities;
    if (capabilities.scores) this.score = (prompt, continuations, call) => this.#score(prompt, continuations, call);
  }

  /** @throws MemoryError, see `SlmProvider.open`; the signal's reason, and a download under way ends with its worker */
  static async open(options: HostedEngineOptions, load: LoadOptions = {}): Promise<HostedEngine> {
    const { link, described } = await start(options, load);
    return new HostedEngine(options, link, described);
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    const { onToken, signal, ...data } = options;
    let told = 0;
    return this.#call(signal, (link, until) => {
      // A second try tells the answer anew; what was told of the first is not told twice.
      let seen = 0;
      const tell = (piece: string): void => {
        if (++seen <= told) return;
        told = seen;
        onToken?.(piece);
      };
      return receivePieces(onToken && tell, until, (pieces) =>
        link.call(
          (remote, cancel) =>
            remote.complete(messages, data, pieces && transfer(pieces, [pieces]), cancel && transfer(cancel, [cancel])),
          until,
          "by-answer",
        ),
      );
    });
  }

  async #score(
    prompt: readonly EngineMessage[],
    continuations: readonly string[],
    { signal }: CallOptions = {},
  ): Promise<readonly ContinuationScore[]> {
    return this.#call(signal, (link, until) =>
      link.call(
        (remote, cancel) => remote.score(prompt, continuations, cancel && transfer(cancel, [cancel])),
        until,
        "by-answer",
      ),
    );
  }

  async close(): Promise<void> {
    this.#ended.abort(new MemoryError("closed", `the model ${this.id} is closed`));
    const link = await this.#link.catch(() => undefined);
    link?.close();
  }

  async #call<T>(signal: AbortSignal | undefined, send: Send<T>): Promise<T> {
    const caller = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
    try {
      return await this.#try(caller, send);
    } catch (error) {
      const isLost = isMemoryError(error, "worker-failed") || isMemoryError(error, "timeout");
      if (caller.aborted || !isLost) throw error;
      return this.#try(caller, send);
    }
  }

  /** Sends a call when the worker is done with those before it, so that its limit is its own. */
  async #try<T>(caller: AbortSignal, send: Send<T>): Promise<T> {
    const before = this.#done;
    const sending = untilAborted(before, caller).then(async () => this.#send(await this.#linked(caller), caller, send));
    this.#done = before
      .then(() => sending)
      .then(
        ({ over }) => over,
        () => undefined,
      );
    return (await sending).answer;
  }

  /** A caller who gives up is told at once; the worker is watched until it has listened. */
  #send<T>(
    link: WorkerLink<EngineHostApi>,
    caller: AbortSignal,
    send: Send<T>,
  ): { readonly answer: Promise<T>; readonly over: Promise<void> } {
    const { callLimitMs, label } = this.#options;
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort(new MemoryError("timeout", `the ${label} model did not answer within ${callLimitMs / 1_000} s`));
      link.close();
    }, callLimitMs);
    const until = AbortSignal.any([caller, limit.signal]);
    const said = send(link, until);
    const over = said.then(
      () => clearTimeout(timer),
      (error: unknown) => {
        clearTimeout(timer);
        // What the model's own runtime cannot come back from ends its worker too.
        if (isMemoryError(error, "worker-failed")) link.close();
      },
    );
    return { answer: untilAborted(said, until), over };
  }

  /** The living link; after a death the first call starts a new worker, and calls beside it wait for the same one. */
  async #linked(caller: AbortSignal): Promise<WorkerLink<EngineHostApi>> {
    caller.throwIfAborted();
    const current = this.#link;
    const link = await untilAborted(
      current.catch(() => undefined),
      caller,
    );
    if (link && link.failure === undefined) return link;
    // The start is not this caller's alone, so only `close` ends it.
    if (this.#link === current)
      this.#link = start(this.#options, { signal: this.#ended.signal }).then(({ link: started }) => started);
    return untilAborted(this.#link, caller);
  }
}

async function start(options: HostedEngineOptions, { signal, onProgress }: LoadOptions) {
  const { label, settings, spawn, loadLimitMs } = options;
  signal?.throwIfAborted();
  const stuck = new AbortController();
  const until = signal ? AbortSignal.any([signal, stuck.signal]) : stuck.signal;
  const link = await WorkerLink.start<EngineHostApi>(spawn, label, until);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    const why = `loading the ${label} model has made no progress for ${loadLimitMs / 1_000} s: check that its files can be fetched`;
    timer = setTimeout(() => stuck.abort(new MemoryError("timeout", why)), loadLimitMs);
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    watch();
    onProgress?.(data);
  };
  watch();
  try {
    const described = await link.call(
      (remote, cancel) => remote.open(settings, transfer(port2, [port2]), cancel && transfer(cancel, [cancel])),
      until,
    );
    return { link, described };
  } catch (error) {
    // An abort in mid-download ends the worker, and the download with it; what came whole is in the browser's cache.
    link.close();
    throw error;
  } finally {
    clearTimeout(timer);
    port1.close();
  }
}

/** Asks a worker that is made for this one question.
 * @throws MemoryError; the signal's reason */
export async function askHost<T>(
  spawn: () => Worker,
  label: string,
  name: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const link = await WorkerLink.start<EngineHostApi>(spawn, label, signal);
  try {
    return (await link.call((remote) => remote.question(name, input), signal)) as T;
  } finally {
    link.close();
  }
}
