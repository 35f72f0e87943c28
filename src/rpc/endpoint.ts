/** comlink with our way of sending errors; the only module that imports comlink. */

import {
  expose as comlinkExpose,
  type Endpoint,
  finalizer,
  type Remote,
  releaseProxy,
  transfer,
  transferHandlers,
  wrap,
} from "comlink";
import { fromWire, toWire, type WireError } from "./wire-error.js";

export { type Endpoint, finalizer, type Remote, transfer };

const standard = transferHandlers.get("throw");

/** comlink's own handler keeps an error's name, message and stack; ours keeps code and cause too. The stack stays
 * where it is: it shows paths of the worker's machine, and the page's own stack shows the call. */
function installErrorHandler(): void {
  if (!standard || transferHandlers.get("throw") !== standard) return;
  transferHandlers.set("throw", {
    canHandle: standard.canHandle,
    serialize: (thrown: unknown) => [toWire((thrown as { value: unknown }).value), []],
    deserialize: (wire: unknown): never => {
      throw fromWire(wire as WireError);
    },
  });
}

/** Serves the methods of `api` on an endpoint. */
export function expose(api: object, endpoint?: Endpoint): void {
  installErrorHandler();
  comlinkExpose(api, endpoint);
}

/** A remote whose methods return promises. */
export function connect<Api>(endpoint: Endpoint): { readonly remote: Remote<Api>; release(): void } {
  installErrorHandler();
  const remote = wrap<Api>(endpoint);
  return { remote, release: () => (remote as unknown as Record<typeof releaseProxy, () => void>)[releaseProxy]() };
}
