/** When a page may spare the time to consolidate: it is hidden, and the browser has nothing else to do. */

import type { MemoryBackend } from "./backend.js";

/** Memories that make a batch worth it while nobody looks; with fewer, each look away would be a batch of its own. */
const WORTH = 6;
/** Milliseconds after which a hidden page that is never idle does it all the same. */
const PATIENCE_MS = 2_000;

type WhenIdle = (act: () => void, options: { readonly timeout: number }) => void;

/** Until the memory is closed, or collected. */
export function consolidateWhenHidden(backend: MemoryBackend): void {
  const held = new WeakRef(backend);
  // Safari has none.
  const whenIdle: WhenIdle = globalThis.requestIdleCallback ?? ((act) => void setTimeout(act));
  const listen = () => {
    if (document.visibilityState === "hidden") whenIdle(() => void consolidate(), { timeout: PATIENCE_MS });
  };
  const consolidate = async () => {
    const memory = held.deref();
    try {
      const { left } = (await memory?.longTerm({ type: "standing" })) ?? { left: 0 };
      if (left >= WORTH) await memory?.longTerm({ type: "consolidate" });
      if (memory) return;
    } catch {
      // It is closed, or tells of what is wrong with it at the next call of the app.
    }
    document.removeEventListener("visibilitychange", listen);
  };
  document.addEventListener("visibilitychange", listen);
}
