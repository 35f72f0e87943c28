/** The bytes of an export across threads: chunk by chunk, as the page takes them, since Safari cannot transfer a stream. */

import type { ExportProgress } from "../types.js";

type Demand = "next" | "stop";
type Answer = { readonly chunk: Uint8Array; readonly progress: ExportProgress | undefined } | { readonly end: true };

/** Gives the chunks on a port, one for each demand; resolves when all were taken or no more are wanted.
 * @throws what the chunks throw */
export async function serveChunks(
  port: MessagePort,
  open: (onProgress: (progress: ExportProgress) => void) => AsyncIterable<Uint8Array>,
): Promise<void> {
  let progress: ExportProgress | undefined;
  const chunks = open((told) => {
    progress = told;
  })[Symbol.asyncIterator]();
  try {
    for (;;) {
      if ((await demandOn(port)) === "stop") return;
      const { done, value } = await chunks.next();
      if (done) return port.postMessage({ end: true } satisfies Answer);
      port.postMessage({ chunk: value, progress } satisfies Answer, [value.buffer as ArrayBuffer]);
    }
  } finally {
    await chunks.return?.();
    port.close();
  }
}

/** The chunks that the other side serves.
 * @param served settles with the other side's {@link serveChunks}, or rejects when its thread dies */
export async function* takeChunks(
  port: MessagePort,
  served: Promise<void>,
  onProgress: ((progress: ExportProgress) => void) | undefined,
): AsyncGenerator<Uint8Array, void> {
  let answered: (answer: Answer) => void = () => undefined;
  let failed: (error: unknown) => void = () => undefined;
  port.onmessage = ({ data }: MessageEvent<Answer>) => answered(data);
  // One listener for all chunks: a race for each would hold them all until the end.
  served.catch((error: unknown) => failed(error));
  let isOver = false;
  served.then(
    () => undefined,
    () => {
      isOver = true;
    },
  );
  try {
    for (;;) {
      if (isOver) await served;
      const answer = await new Promise<Answer>((resolve, reject) => {
        [answered, failed] = [resolve, reject];
        port.postMessage("next" satisfies Demand);
      });
      if ("end" in answer) return;
      if (answer.progress) onProgress?.(answer.progress);
      yield answer.chunk;
    }
  } finally {
    port.postMessage("stop" satisfies Demand);
    port.close();
  }
}

function demandOn(port: MessagePort): Promise<Demand> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<Demand>) => resolve(data);
  });
}
