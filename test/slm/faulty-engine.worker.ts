/** A worker whose engine answers, hangs or dies as it is told. */

import { MemoryError } from "../../src/errors.js";
import { hostEngine } from "../../src/slm/engines/engine-host.js";

/** Shared by the workers of one test, so that a second try can go better than the first. */
const counter = new BroadcastChannel("faulty-engine");
const tries = new Promise<number>((resolve) => {
  counter.onmessage = ({ data }) => typeof data === "number" && resolve(data);
  counter.postMessage("began");
});

hostEngine<{ readonly fault: string }>({
  async open({ fault }, { onProgress, signal }) {
    onProgress?.({ task: "load", done: 1, total: 2 });
    if (fault === "load hangs") await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    if (fault === "load fails") throw new MemoryError("asset-unavailable", "the weights are gone");
    const at = await tries;
    return {
      id: `faulty/${at}`,
      capabilities: { schema: false, grammar: false, scores: false, contextTokens: 512, device: "test" },
      async complete(_, { onToken } = {}) {
        onToken?.("one ");
        const isBad = fault.endsWith("always") || at === 1;
        if (fault.startsWith("dies") && isBad) self.close();
        if ((fault.startsWith("dies") || fault.startsWith("hangs")) && isBad) await new Promise(() => undefined);
        // No message and no timer gets through, as in a long step of a model in WASM.
        for (const end = performance.now() + 4_000; fault.startsWith("blocks") && isBad && performance.now() < end; );
        if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, 800));
        if (fault.startsWith("is cut") && isBad) return { text: '{"numbers":[', finish: "length" };
        if (fault.startsWith("overflows") && isBad) throw new MemoryError("too-large", "the prompt is longer than the context");
        if (fault.startsWith("breaks") && isBad) throw new MemoryError("worker-failed", "the device is lost");
        onToken?.("two");
        return { text: "one two", finish: "stop" };
      },
      close: async () => undefined,
    };
  },
});
