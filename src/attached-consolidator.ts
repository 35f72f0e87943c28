/** The consolidator that an app names once: asked in the background, as soon as enough memories wait for it. */

import type { MemoryBackend, MemoryEvent } from "./backend.js";
import { type AttachedConsolidation, checkConsolidation, runConsolidation } from "./consolidation-run.js";
import type { CallOptions } from "./ports.js";
import type { MemoryEventMap } from "./types.js";

/** Memories that make a batch worth its call: those of about as many turns as LightMem waits for (10 to 15). */
const WORTH = 12;
/** Milliseconds without a change after which it begins; the device has consolidated by itself then. */
const IDLE_MS = 10_000;
/** Milliseconds until the next try where a batch failed, or a limit was reached. */
const RETRY_MS = 600_000;

export class AttachedConsolidator {
  readonly #backend: MemoryBackend;
  readonly #events: EventTarget;
  readonly #emit: (event: MemoryEvent) => void;
  #attached: { readonly options: AttachedConsolidation; readonly ended: AbortController } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Memories written since its last batch. What was only used again waits as well, and goes with these: it alone would make a batch of
   * nearly every question. */
  #written = 0;
  /** A try is set for later, and no change brings it forward. */
  #isResting = false;
  /** There is a network again, so what could not be sent for want of it need not wait. */
  #isBack = false;
  #running: Promise<void> = Promise.resolve();

  constructor(backend: MemoryBackend, events: EventTarget, emit: (event: MemoryEvent) => void) {
    this.#backend = backend;
    this.#events = events;
    this.#emit = emit;
  }

  /** Takes the place of the one there is. @throws as `consolidate` does; the signal's reason */
  async attach(options: AttachedConsolidation, { signal }: CallOptions): Promise<void> {
    checkConsolidation(options);
    signal?.throwIfAborted();
    await this.detach();
    const ended = new AbortController();
    this.#attached = { options, ended };
    const heed = (event: Event) => {
      this.#written += (event as CustomEvent<MemoryEventMap["change"]>).detail.entryIds.length;
      if (this.#written >= WORTH && !this.#isResting) this.#begin(IDLE_MS);
    };
    this.#events.addEventListener("change", heed, { signal: ended.signal });
    // That there is a network again is worth a try at once.
    const isOnline = () => {
      if (!this.#isResting) return;
      this.#isBack = true;
      this.#begin(0);
    };
    globalThis.addEventListener?.("online", isOnline, { signal: ended.signal });
    this.#begin(0);
  }

  /** Resolves when none of its batches is on its way any more. */
  async detach(): Promise<void> {
    clearTimeout(this.#timer);
    this.#attached?.ended.abort();
    this.#attached = undefined;
    await this.#running;
  }

  #begin(inMs: number): void {
    clearTimeout(this.#timer);
    this.#isResting = inMs === RETRY_MS;
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#run());
    }, inMs);
    // In Node a timer keeps the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #run(): Promise<void> {
    if (!this.#attached) return;
    const { options, ended } = this.#attached;
    const { withhold } = options;
    const isAsked = this.#isBack;
    this.#isResting = false;
    this.#isBack = false;
    try {
      const { left } = await this.#backend.longTerm({ type: "standing", place: "engine", ...(withhold && { withhold }) });
      if (left < WORTH) return;
      let declined = false;
      const review = async (outbound: readonly string[]): Promise<boolean> => {
        declined = !(await (options.review?.(outbound) ?? true));
        return !declined;
      };
      const done = await runConsolidation(this.#backend, { ...options, review, signal: ended.signal }, { isAsked });
      // Its own batches wrote too.
      this.#written = 0;
      // Who said no is asked again when there is something new, not by the clock.
      if (done.left >= WORTH && !declined && !ended.signal.aborted) this.#begin(RETRY_MS);
    } catch (error) {
      if (ended.signal.aborted) return;
      this.#emit({
        type: "degraded",
        detail: { part: "consolidation", reason: error instanceof Error ? error.message : String(error) },
      });
      this.#begin(RETRY_MS);
    }
  }
}
