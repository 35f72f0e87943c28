/** Cancelling across threads: Chromium cannot clone an AbortSignal, so an abort is a message on a port of its own. */

import { ABORTED, fromWire, toWire, type WireError } from "./wire-error.js";

/** What an aborted caller gets.
 * - "at-once": the signal's reason, without waiting; for calls that change nothing.
 * - "by-answer": what the other side made of it, since it may have committed before the abort came. */
export type AbortForm = "at-once" | "by-answer";

/** Waits for `promise`, but not beyond the signal's abort.
 * @throws the signal's reason */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Runs a remote call that takes a cancel port; an abort tells the other side.
 * @param call gets the port to transfer, or `undefined` when there is nothing to cancel
 * @throws what the call rejects with; the caller's own `signal.reason` when it was aborted */
export async function cancellable<T>(
  signal: AbortSignal | undefined,
  call: (port: MessagePort | undefined) => Promise<T>,
  form: AbortForm = "at-once",
): Promise<T> {
  if (!signal) return call(undefined);
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  const onAbort = () => port1.postMessage(toWire(signal.reason));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer = call(port2);
    return await (form === "at-once" ? untilAborted(answer, signal) : answer);
  } catch (error) {
    throw error === ABORTED ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A queued abort message is still delivered: closing a port does not drop what was posted before.
    port1.close();
  }
}

/** The serving side of {@link cancellable}: runs `work` with a signal that follows the port.
 * @throws {@link ABORTED} when `work` gave up because of the abort, whose reason is the caller's */
export async function withCancelPort<T>(
  port: MessagePort | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!port) return work(undefined);
  const controller = new AbortController();
  const { signal } = controller;
  port.onmessage = ({ data }: MessageEvent<WireError>) => controller.abort(fromWire(data));
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted && error === signal.reason ? ABORTED : error;
  } finally {
    port.close();
  }
}
