/** A port onto what serves itself or is served from this thread, for the worker that calls it. */

import { untilAborted } from "./cancel.js";

export interface ServedPort {
  /** To be transferred. */
  readonly port: MessagePort;
  /** Ends what serves it; call it once the worker has no use for the port, or never got it. */
  stop(): void;
}

/** @param serve serves it on a port of this thread and returns what ends that
 * @throws what `connect` rejects with; the signal's reason */
export async function openServedPort<T extends { connect?(): Promise<MessagePort> }>(
  served: T,
  serve: (served: T, port: MessagePort) => () => void,
  signal: AbortSignal,
): Promise<ServedPort> {
  if (!served.connect) {
    const { port1, port2 } = new MessageChannel();
    return { port: port2, stop: serve(served, port1) };
  }
  const connecting = served.connect();
  try {
    const port = await untilAborted(connecting, signal);
    // Nothing is left to close once it is transferred; whoever serves it sees the other side close.
    return { port, stop: () => port.close() };
  } catch (error) {
    // A port that comes too late has no taker.
    void connecting.then(
      (port) => port.close(),
      () => undefined,
    );
    throw error;
  }
}
