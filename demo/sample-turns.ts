/** The sample conversation as turns to record, in the browser and in Node alike. */

import type { Conversation, TurnInput } from "keepsake";
import { SAMPLE_SESSIONS } from "./sample.js";

/** From one message to the next, in a chat at an easy pace. */
const MESSAGE_GAP_MS = 45_000;

/** Every exchange of the sample, oldest first. The messages have ids, so that loading the sample twice records it once. */
export function sampleTurns(): TurnInput[] {
  return SAMPLE_SESSIONS.flatMap(({ id: sessionId, startsAt, exchanges }) => {
    const start = new Date(startsAt).getTime();
    return exchanges.map(([user, assistant], index): TurnInput => {
      const at = start + 2 * index * MESSAGE_GAP_MS;
      const id = `sample-${sessionId}-${index}`;
      return {
        sessionId: `sample-${sessionId}`,
        messages: [
          { role: "user", text: user, at, id: `${id}-user` },
          { role: "assistant", text: assistant, at: at + MESSAGE_GAP_MS, id: `${id}-assistant` },
        ],
      };
    });
  });
}

/** Records the sample into a conversation; what was recorded before an abort stays, and a second call goes on from there.
 * @throws MemoryError; the signal's reason */
export async function loadSample(
  conversation: Conversation,
  { signal, onProgress }: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<void> {
  const turns = sampleTurns();
  onProgress?.(0, turns.length);
  for (const [index, turn] of turns.entries()) {
    signal?.throwIfAborted();
    await conversation.record(turn, signal ? { signal } : {});
    onProgress?.(index + 1, turns.length);
  }
}

/** Whether a message of this text belongs to the sample, so that the page can offer the sample's questions. */
export function isSampleText(text: string): boolean {
  return SAMPLE_SESSIONS.some(({ exchanges }) => exchanges.some((exchange) => exchange.includes(text)));
}
