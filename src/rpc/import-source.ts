/** What is imported, across threads: a blob goes by itself, a stream chunk by chunk, as the other side asks for them. */

import { piecesOf } from "../bytes/pieces.js";
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
  const chunks = piecesOf<Uint8Array | string>(source);
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

type ProgressMessage = { readonly progress: ImportProgress } | { readonly end: true };

/** A port that tells a listener of progress. */
export function progressPort(listener: (progress: ImportProgress) => void): {
  readonly port: MessagePort;
  /** Resolves when all was told that the other side tells before its end: the answer of an import comes by another way, and may be
   * there before its last progress. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<ProgressMessage>) => ("end" in data ? resolve() : listener(data.progress));
  });
  return { port: port2, ended, stop: () => port1.close() };
}

/** Runs a task that tells the other side's listener of its progress. */
export async function withProgress<T>(
  port: MessagePort,
  task: (onProgress: (progress: ImportProgress) => void) => Promise<T>,
): Promise<T> {
  const tell = (message: ProgressMessage) => port.postMessage(message);
  try {
    return await task((progress) => tell({ progress }));
  } finally {
    tell({ end: true });
  }
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
