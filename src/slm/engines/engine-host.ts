/** Serves the engine of a worker: opened once, asked one call after another. */

import { MemoryError } from "../../errors.js";
import type { EngineCapabilities, SlmEngine } from "../../ports.js";
import { withCancelPort } from "../../rpc/cancel.js";
import { type Endpoint, expose } from "../../rpc/endpoint.js";
import { type EngineMethods, engineMethods } from "../../rpc/engine.js";
import { holdLifeLock } from "../../rpc/life-lock.js";
import type { WorkerApi } from "../../rpc/worker-link.js";

export interface EngineDescription {
  readonly id: string;
  readonly capabilities: EngineCapabilities;
}

export type Progress = (progress: { readonly task: string; readonly done: number; readonly total: number }) => void;

/** What runs behind an adapter: loads a model, and looks after what is kept of models on this device. */
export interface EngineHost<Settings> {
  /** @throws MemoryError, see `SlmProvider.open` */
  open(
    settings: Settings,
    options: { readonly signal?: AbortSignal | undefined; readonly onProgress?: Progress },
  ): Promise<SlmEngine>;
  /** Other questions of the adapter, by name; plain data both ways. */
  readonly questions?: Readonly<Record<string, (input: never) => Promise<unknown>>>;
}

export interface EngineHostApi extends WorkerApi, EngineMethods {
  open(settings: unknown, progress?: MessagePort, cancel?: MessagePort): Promise<EngineDescription>;
  question(name: string, input: unknown): Promise<unknown>;
}

export function hostEngine<Settings>(host: EngineHost<Settings>, endpoint?: Endpoint): void {
  let engine: SlmEngine | undefined;
  const opened = (): SlmEngine => {
    if (!engine) throw new MemoryError("closed", "no model is open in this worker");
    return engine;
  };
  const api: EngineHostApi = {
    start: (lifeLock) => holdLifeLock(lifeLock).isHeld,
    open: (settings, progress, cancel) =>
      withCancelPort(cancel, async (signal) => {
        engine = await host.open(settings as Settings, {
          signal,
          ...(progress && { onProgress: (state) => progress.postMessage(state) }),
        });
        return { id: engine.id, capabilities: engine.capabilities };
      }),
    ...engineMethods(opened),
    question: async (name, input) => {
      const answer = host.questions?.[name];
      if (!answer) throw new MemoryError("unsupported", `this worker answers no question named ${name}`);
      return answer(input as never);
    },
  };
  expose(api, endpoint);
}
