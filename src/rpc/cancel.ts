/** Cancelling across threads: Chromium cannot clone an AbortSignal, so an abort is a message on a port of its own. */

import { fromWire, toWire, type WireError } from "./wire-error.js";

/** Runs a remote call that takes a cancel port; an abort rejects at once with `signal.reason` and tells the other side.
 * @param call gets the port to transfer, or `undefined` when there is nothing to cancel */
export async function cancellable<T>(
  signal: AbortSignal | undefined,
  call: (port: MessagePort | undefined) => Promise<T>,
): Promise<T> {
  if (!signal) return call(undefined);
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      port1.postMessage(toWire(signal.reason));
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([call(port2), aborted]);
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
    // A queued abort message is still delivered: closing a port does not drop what was posted before.
    port1.close();
  }
}

/** The serving side of {@link cancellable}: runs `work` with a signal that follows the port. */
export async function withCancelPort<T>(
  port: MessagePort | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!port) return work(undefined);
  const controller = new AbortController();
  port.onmessage = ({ data }: MessageEvent<WireError>) => controller.abort(fromWire(data));
  try {
    return await work(controller.signal);
  } finally {
    port.close();
  }
}
