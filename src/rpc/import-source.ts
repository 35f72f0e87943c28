/** What is imported, across threads: a blob goes by itself, a stream chunk by chunk, as the other side asks for them. */

import type { ImportProgress, ImportSource } from "../types.js";
import { fromWire, toWire, type WireError } from "./wire-error.js";

type Answer = { readonly chunk: Uint8Array | string } | { readonly end: true } | { readonly error: WireError };
type Demand = "next" | "stop";

/** What can be transferred in the place of a source. */
export type WireSource = Blob | MessagePort;

export interface SentSource {
  readonly wire: WireSource;
  /** Ends what gives the chunks; call it when the import has ended, either way. */
  stop(): void;
}

export function sendSource(source: ImportSource): SentSource {
  if (source instanceof Blob) return { wire: source, stop: () => undefined };
  const { port1, port2 } = new MessageChannel();
  const chunks = iterate(source);
  const stop = () => {
    port1.close();
    void Promise.resolve(chunks.return?.()).catch(() => undefined);
  };
  port1.onmessage = async ({ data }: MessageEvent<Demand>) => {
    if (data === "stop") return stop();
    port1.postMessage(await answer(chunks));
  };
  return { wire: port2, stop };
}

export function receiveSource(wire: WireSource): ImportSource {
  return wire instanceof Blob ? wire : chunksFrom(wire);
}

/** A port that tells a listener of progress. */
export function progressPort(listener: (progress: ImportProgress) => void): {
  readonly port: MessagePort;
  readonly stop: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<ImportProgress>) => listener(data);
  return { port: port2, stop: () => port1.close() };
}

async function answer(chunks: AsyncIterator<Uint8Array | string>): Promise<Answer> {
  try {
    const { done, value } = await chunks.next();
    return done ? { end: true } : { chunk: value };
  } catch (error) {
    return { error: toWire(error) };
  }
}

async function* chunksFrom(port: MessagePort): AsyncGenerator<Uint8Array | string> {
  const next = () =>
    new Promise<Answer>((resolve) => {
      port.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      port.postMessage("next" satisfies Demand);
    });
  try {
    for (let got = await next(); !("end" in got); got = await next()) {
      if ("error" in got) throw fromWire(got.error);
      yield got.chunk;
    }
  } finally {
    port.postMessage("stop" satisfies Demand);
    port.close();
  }
}

function iterate(source: Exclude<ImportSource, Blob>): AsyncIterator<Uint8Array | string> {
  if (!("getReader" in source)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
