/** A model whose replies a case has written down. */

import type { ConnectableSlm, Memory } from "keepsake";

/** The writer's format for a case's: names of members differ, and what surrounds the reply stays. Ids are Keepsake's own business: its
 * models are never shown one, so a case that names one names nothing. */
const inOurFormat = (reply: string): string =>
  reply
    .replaceAll('"entries"', '"statements"')
    .replace(/"date": "[^"]*"/g, '"kind": "fact"')
    .replace(/"op": "replace", "id": "[^"]*", /g, "");

/** Polls without a new call after which the model counts as done. */
const QUIET_POLLS = 10;
const POLL_MS = 20;
const LIMIT_MS = 10_000;

/** From now on the memory's writer is a model that gives this reply to everything. */
export async function attachReply(memory: Memory, reply: string): Promise<{ isDone(): Promise<void> }> {
  const text = inOurFormat(reply);
  // A reply that was cut ends in the middle of its object.
  const isWhole = /\}\s*(?:```[^"]*)?$/.test(text);
  let asked = 0;
  const slm: ConnectableSlm = {
    id: "case/reply",
    capabilities: { schema: false, grammar: false, scores: false, contextTokens: 4_096, device: "cpu" },
    complete: async () => {
      asked++;
      return { text, finish: isWhole ? "stop" : "length" };
    },
    close: async () => undefined,
  };
  await memory.attach({ slm, slmRoles: { writer: "generate" } });
  return {
    async isDone() {
      const limit = performance.now() + LIMIT_MS;
      for (
        let quiet = 0, before = 0;
        quiet < QUIET_POLLS && performance.now() < limit;
        quiet = asked > 0 && asked === before ? quiet + 1 : 0
      ) {
        before = asked;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
}
