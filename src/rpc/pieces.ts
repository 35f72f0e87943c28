/** The pieces of an answer on their way to another thread, in order and all before the answer. */

import { untilAborted } from "./cancel.js";

/** `null` follows the last piece: messages of two ports may overtake each other. */
type Piece = string | null;

/** The answering side: runs `answer` with what sends its pieces, where somebody listens. */
export async function sendPieces<T>(
  port: MessagePort | undefined,
  answer: (onToken: ((piece: string) => void) | undefined) => Promise<T>,
): Promise<T> {
  if (!port) return answer(undefined);
  const send = (piece: Piece) => port.postMessage(piece);
  try {
    return await answer(send);
  } finally {
    send(null);
    port.close();
  }
}

/** The asking side: tells the pieces, until the signal says that nobody wants them any longer.
 * @param ask gets the port to transfer
 * @throws what `ask` rejects with; the signal's reason */
export async function receivePieces<T>(
  onToken: ((piece: string) => void) | undefined,
  signal: AbortSignal,
  ask: (port: MessagePort | undefined) => Promise<T>,
): Promise<T> {
  if (!onToken) return ask(undefined);
  const { port1, port2 } = new MessageChannel();
  const all = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Piece>) => {
      if (data === null) resolve();
      else if (!signal.aborted) onToken(data);
    };
  });
  try {
    const answer = await ask(port2);
    await untilAborted(all, signal);
    return answer;
  } finally {
    port1.close();
  }
}
