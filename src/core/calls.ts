/** The calls in flight, which the end of their memory ends too. */

/** A listener on one long-lived signal for every call would pile up, and Node warns of the eleventh; a composite signal
 * for every call would leave Node 20 a trace of each. So each call has a controller of its own, for as long as it runs. */
export class Calls {
  readonly #inFlight = new Set<AbortController>();
  readonly #ended: AbortSignal;

  /** @param ended aborts all calls, with its reason */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener(
      "abort",
      () => {
        for (const call of this.#inFlight) call.abort(ended.reason);
      },
      { once: true },
    );
  }

  /** Runs a call with a signal that follows the caller's and the end; rejects, without running it, when either has come. */
  async run<T>(caller: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#ended.throwIfAborted();
    caller?.throwIfAborted();
    const controller = new AbortController();
    this.#inFlight.add(controller);
    try {
      return await call(caller ? AbortSignal.any([caller, controller.signal]) : controller.signal);
    } finally {
      this.#inFlight.delete(controller);
    }
  }
}
