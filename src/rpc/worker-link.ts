/** A worker and the watch on it: a call to a worker that dies, or never starts, must not stay pending for ever. */

import { MemoryError } from "../errors.js";
import { cancellable } from "./cancel.js";
import { connect, type Remote } from "./endpoint.js";
import { watchLifeLock } from "./life-lock.js";

export class WorkerLink<Api> {
  readonly #remote: Remote<Api>;
  readonly #ended = new AbortController();
  readonly #gone: Promise<never>;

  /** @param label names the worker in errors */
  constructor(
    readonly worker: Worker,
    readonly label: string,
  ) {
    this.#remote = connect<Api>(worker).remote;
    this.#gone = new Promise<never>((_, reject) => {
      this.#ended.signal.addEventListener("abort", () => reject(this.#ended.signal.reason), { once: true });
    });
    // A link that ends between calls has nobody to tell.
    this.#gone.catch(() => undefined);
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(`the ${label} worker failed: ${event.message || "its script was not found, or is blocked"}`);
    });
    worker.addEventListener("messageerror", () => this.#end(`the ${label} worker sent what cannot be read`));
  }

  /** Why the link ended, or undefined while it works. */
  get failure(): unknown {
    return this.#ended.signal.aborted ? this.#ended.signal.reason : undefined;
  }

  /** Runs a call; rejects with the signal's reason, with "worker-failed" when the worker dies, with "closed" on close.
   * @param invoke gets the remote and, where there is a signal, the cancel port to transfer */
  call<T>(invoke: (remote: Remote<Api>, cancel: MessagePort | undefined) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.race([cancellable(signal, (cancel) => invoke(this.#remote, cancel)), this.#gone]);
  }

  /** Learns of the worker's death by the lock that it holds; call once the worker is known to hold it. */
  watchLifeLock(name: string): void {
    watchLifeLock(name, this.#ended.signal, () => this.#end(`the ${this.label} worker died`));
  }

  /** Ends the worker; calls in flight reject with "closed". */
  close(): void {
    if (this.failure === undefined) this.#ended.abort(new MemoryError("closed", `the ${this.label} worker was closed`));
    this.worker.terminate();
  }

  #end(message: string): void {
    if (this.failure !== undefined) return;
    this.#ended.abort(new MemoryError("worker-failed", `${message}; the next call starts a new one`));
    this.worker.terminate();
  }
}
