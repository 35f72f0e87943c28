/** A worker and the watch on it: a call to a worker that dies, or never starts, must not stay pending for ever. */

import { MemoryError } from "../errors.js";
import { type AbortForm, cancellable, untilAborted } from "./cancel.js";
import { connect, type Remote } from "./endpoint.js";
import { newLifeLockName, watchLifeLock } from "./life-lock.js";

/** What every worker of ours answers first, as soon as its script runs. */
export interface WorkerApi {
  /** @param lifeLock Web Lock that the worker holds until it dies
   * @returns whether it holds it */
  start(lifeLock: string): Promise<boolean>;
}

/** How long a worker may take until its script runs. */
const START_LIMIT_MS = 20_000;

export class WorkerLink<Api extends WorkerApi> {
  readonly #worker: Worker;
  readonly #label: string;
  readonly #remote: Remote<Api>;
  readonly #ended = new AbortController();
  /** Calls in flight. A promise for the end that each call raced with would keep every result for as long as the worker lives. */
  readonly #inFlight = new Set<(reason: unknown) => void>();

  private constructor(worker: Worker, label: string) {
    this.#worker = worker;
    this.#label = label;
    this.#remote = connect<Api>(worker).remote;
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(`the ${label} worker failed: ${event.message || "its script was not found, or is blocked"}`);
    });
    worker.addEventListener("messageerror", () => this.#fail(`the ${label} worker sent what cannot be read`));
  }

  /** Makes a worker and waits until its script runs.
   * @param label names the worker in errors
   * @throws MemoryError "worker-failed" when it cannot be made, or does not answer in 20 s; the signal's reason */
  static async start<Api extends WorkerApi>(spawn: () => Worker, label: string, signal?: AbortSignal): Promise<WorkerLink<Api>> {
    signal?.throwIfAborted();
    const link = new WorkerLink<Api>(made(spawn, label), label);
    const silence = `the ${label} worker did not answer within ${START_LIMIT_MS / 1_000} s: check that createWorker starts this package's own worker script, of the same version, and that the page's network and content security policy let it load`;
    const limit = setTimeout(() => link.#fail(silence), START_LIMIT_MS);
    try {
      const lifeLock = newLifeLockName();
      const started = link.call((remote) => (remote as unknown as Remote<WorkerApi>).start(lifeLock));
      if (await untilAborted(started, signal)) link.#watch(lifeLock);
      return link;
    } catch (error) {
      link.close();
      if (signal?.aborted || error instanceof MemoryError) throw error;
      throw new MemoryError(
        "worker-failed",
        `the ${label} worker answers, but not as this version of the package does: check which script createWorker starts`,
        { cause: error },
      );
    } finally {
      clearTimeout(limit);
    }
  }

  /** Why the link ended, or undefined while it works. */
  get failure(): unknown {
    return this.#ended.signal.aborted ? this.#ended.signal.reason : undefined;
  }

  /** Runs a call; rejects with the signal's reason, with "worker-failed" when the worker dies, with "closed" on close.
   * @param invoke gets the remote and, where there is a signal, the cancel port to transfer */
  call<T>(
    invoke: (remote: Remote<Api>, cancel: MessagePort | undefined) => Promise<T>,
    signal?: AbortSignal,
    form?: AbortForm,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.#inFlight.add(reject);
      cancellable(signal, (cancel) => invoke(this.#remote, cancel), form)
        .then(resolve, reject)
        .finally(() => this.#inFlight.delete(reject));
    });
  }

  /** Ends the worker; calls in flight reject with "closed". */
  close(): void {
    this.#end(new MemoryError("closed", `the ${this.#label} worker was closed`));
  }

  #watch(lifeLock: string): void {
    watchLifeLock(lifeLock, this.#ended.signal, () => this.#fail(`the ${this.#label} worker died`));
  }

  #fail(message: string): void {
    this.#end(new MemoryError("worker-failed", `${message}; the next call starts a new one`));
  }

  #end(reason: MemoryError): void {
    if (this.failure !== undefined) return;
    this.#ended.abort(reason);
    this.#worker.terminate();
    for (const reject of this.#inFlight) reject(reason);
    this.#inFlight.clear();
  }
}

function made(spawn: () => Worker, label: string): Worker {
  try {
    return spawn();
  } catch (cause) {
    throw new MemoryError(
      "worker-failed",
      `the ${label} worker could not be made: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
