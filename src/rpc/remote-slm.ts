/** The small model of a memory that lives in a worker: the port that the worker asks it through, which is made anew after a death on
 * either side. */

import type { MemoryEvent } from "../backend.js";
import type { CallOptions, ConnectableSlm } from "../ports.js";
import type { RoleGiving } from "../types.js";
import { transfer } from "./endpoint.js";
import type { MemoryApi } from "./memory-api.js";
import { plain } from "./plain.js";
import type { WorkerLink } from "./worker-link.js";

export interface RemoteSlmParts {
  readonly linked: (signal: AbortSignal | undefined) => Promise<WorkerLink<MemoryApi>>;
  readonly emit: (event: MemoryEvent) => void;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export class RemoteSlm {
  readonly #parts: RemoteSlmParts;
  #attached: { readonly engine: ConnectableSlm; readonly giving: RoleGiving } | undefined;
  #stopPort: () => void = () => undefined;

  constructor(parts: RemoteSlmParts) {
    this.#parts = parts;
  }

  async attach(engine: ConnectableSlm | undefined, giving: RoleGiving, { signal }: CallOptions = {}): Promise<void> {
    const { linked, ended } = this.#parts;
    const link = await linked(signal);
    const until = signal ? AbortSignal.any([signal, ended]) : ended;
    const served = engine && (await (await import("./engine-port.js")).openEnginePort(engine, until));
    try {
      await link.call(
        (remote, cancel) =>
          remote.attachSlm(served && transfer(served.port, [served.port]), plain(giving), cancel && transfer(cancel, [cancel])),
        signal,
        "by-answer",
      );
    } catch (error) {
      served?.stop();
      throw error;
    }
    this.#stopPort();
    this.#stopPort = served?.stop ?? (() => undefined);
    this.#attached = engine && { engine, giving };
  }

  /** Gives a new worker the model of the one before, or a living worker a new port; the memory answers by lite meanwhile. */
  async again(): Promise<void> {
    const { emit, ended } = this.#parts;
    const lost = this.#attached;
    if (!lost || ended.aborted) return;
    try {
      // An exam is not held anew for it.
      await this.attach(lost.engine, lost.giving === "exam-anew" ? "exam" : lost.giving);
    } catch (error) {
      const reason = `it could not be started again: ${error instanceof Error ? error.message : String(error)}`;
      // Of another name than a loss, which would ask for the next try.
      if (!ended.aborted) emit({ type: "degraded", detail: { part: "model worker", reason } });
    }
  }

  stop(): void {
    this.#stopPort();
  }
}
