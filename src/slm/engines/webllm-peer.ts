/** What of `@mlc-ai/web-llm` is used, and its errors as ours. */

import type * as WebLlm from "@mlc-ai/web-llm";
import { MemoryError } from "../../errors.js";

export type WebLlmPeer = typeof WebLlm;
export type WebLlmRuntime = WebLlm.MLCEngine;
export type WebLlmRecord = WebLlm.ModelRecord;

/** The runtime's parts that have no public name; absent in another version, and then there are no scores. */
interface Pipeline {
  readonly tokenizer?: { encode(text: string): Int32Array };
  readonly contextWindowSize?: number;
}

export function pipelineOf(runtime: WebLlmRuntime, model: string): Pipeline | undefined {
  const { loadedModelIdToPipeline } = runtime as unknown as {
    readonly loadedModelIdToPipeline?: ReadonlyMap<string, Pipeline>;
  };
  return loadedModelIdToPipeline?.get(model);
}

const said = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));
const nameOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";

/** Errors after which the runtime cannot be used any longer: a C++ throw, a lost device, a disposed object. */
const FATAL =
  /ExitStatus|ModelNotLoaded|DeviceLost|device (?:is|was) lost|disposed|exit\(|Program terminated|deleted object|mapAsync|RuntimeError|unreachable/i;

/** @param doing what was tried, for the message */
export function fromWebLlm(error: unknown, doing: string): MemoryError {
  const text = `${nameOf(error)} ${said(error)}`;
  // A prompt of very many tokens is more than the runtime can hand on as arguments.
  if (/ContextWindowSizeExceeded|context window|Maximum call stack/i.test(text))
    return new MemoryError("too-large", `${doing}: the prompt is longer than the model's context`, { cause: error });
  if (FATAL.test(text))
    return new MemoryError("worker-failed", `${doing}: the runtime gave up (${said(error)})`, { cause: error });
  return new MemoryError("model-failed", `${doing}: ${said(error)}`, { cause: error });
}

/** What loading can fail with. */
export function fromWebLlmLoad(error: unknown, model: string): MemoryError {
  const text = `${nameOf(error)} ${said(error)}`;
  if (
    /WebGPUNotAvailable|FeatureSupport|ShaderF16|maxStorageBufferBindingSize|Cannot initialize runtime|requested.*limit/i.test(
      text,
    )
  )
    return new MemoryError("unsupported", `${model} cannot run on this device: ${said(error)}`, { cause: error });
  if (/QuotaExceeded/i.test(text))
    return new MemoryError("quota-exceeded", `there is no room to keep ${model} on this device`, { cause: error });
  if (/DeviceLost|out of memory/i.test(text))
    return new MemoryError("unsupported", `${model} does not fit this device's graphics memory: choose a smaller one`, {
      cause: error,
    });
  return new MemoryError(
    "asset-unavailable",
    `${model} could not be loaded (${said(error)}): check that its files are where the settings say, whole and unaltered`,
    { cause: error },
  );
}

/** Whether a file could not be fetched, rather than not be read. */
export const isUnreachable = (error: unknown): boolean =>
  /fetch|network|offline|'add' on 'Cache'|aborted|status \d|HTTP/i.test(`${nameOf(error)} ${said(error)}`);
