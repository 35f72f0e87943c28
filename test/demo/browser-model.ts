/** Stands in for Chrome's Prompt API in the demo page, with the surface that is documented of it. */

import type { BrowserContext } from "playwright";

/** What it answers: the same sentence always, or to the controller's prompt a search by the message and what was said before it. */
export type Knack = "none" | "plans";

export const browserModel =
  (knack: Knack) =>
  (context: BrowserContext): Promise<unknown> =>
    context.addInitScript(bringModel, knack);

/** Runs in the page, so all that it needs stands inside. */
function bringModel(knack: Knack): void {
  const planOf = (input: string): string => {
    const read = (pattern: RegExp) => [...input.matchAll(pattern)].map(([, quoted]) => JSON.parse(quoted ?? '""') as string);
    const [message = ""] = read(/^New message: (".*")$/gm);
    const said = read(/^\d+\. (".*")$/gm).flatMap((turn) => (turn.startsWith("user: ") ? [turn.slice("user: ".length)] : []));
    const text = [message, ...said].join(" ").slice(0, 240);
    return JSON.stringify({ queries: [{ text, route: "mtm", share: 5 }], time: "" });
  };
  const answerTo = (input: string): string =>
    knack === "plans" && input.includes("New message: ") ? planOf(input) : "I cannot tell you that.";

  const session = () => {
    const ended = new AbortController();
    return {
      contextWindow: 6_000,
      measureContextUsage: async (input: string) => Math.ceil(input.length / 4),
      promptStreaming(input: string, { signal }: { readonly signal?: AbortSignal }) {
        if (ended.signal.aborted) throw new DOMException("the session is destroyed", "InvalidStateError");
        const stopped = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
        const pieces = answerTo(input).match(/.{1,40}/gs) ?? [];
        return new ReadableStream<string>({
          start: (controller) => stopped.addEventListener("abort", () => controller.error(stopped.reason), { once: true }),
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve));
            if (stopped.aborted) return;
            const piece = pieces.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
          },
        });
      },
      destroy: () => ended.abort(new DOMException("the session is destroyed", "AbortError")),
    };
  };
  const LanguageModel = {
    availability: async () => "available",
    async create({ signal, monitor }: { readonly signal?: AbortSignal; readonly monitor?: (events: EventTarget) => void }) {
      signal?.throwIfAborted();
      const events = new EventTarget();
      monitor?.(events);
      for (const loaded of [0, 1]) events.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      return session();
    },
  };
  Object.assign(globalThis, { LanguageModel });
}
