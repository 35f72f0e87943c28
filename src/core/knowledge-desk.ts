/** The place of the long-term memory beside a memory: what it does is loaded with the first call, and in idle time after some turns. */

import type { KnowledgeAnswer, KnowledgeRequest } from "../backend.js";
import type { CallOptions, Clock, Store } from "../ports.js";
import { lazily } from "./lazily.js";
import type { LongTermParts } from "./long-term.js";

/** Milliseconds without a record after which it begins. */
const IDLE_MS = 5_000;

export interface KnowledgeDeskParts extends LongTermParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly tell: (part: string, error: unknown) => void;
  /** Aborts when the memory is closed. */
  readonly ended: AbortSignal;
}

export class KnowledgeDesk {
  readonly #parts: KnowledgeDeskParts;
  readonly #load;
  #turns = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: KnowledgeDeskParts) {
    this.#parts = parts;
    this.#load = lazily(async () => (await import("./long-term.js")).joinLongTerm(parts));
    parts.ended.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  async ask<Request extends KnowledgeRequest>(
    request: Request,
    call: CallOptions = {},
  ): Promise<KnowledgeAnswer[Request["type"]]> {
    return (await this.#load())(request, call);
  }

  /** Turns were recorded: idle time begins anew.
   * @param due turns after which a batch is */
  recorded(turns: number, due: number): void {
    this.#turns += turns;
    if (this.#turns < due || this.#parts.ended.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), IDLE_MS);
    // In Node a timer keeps the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** After the memory has ended; nothing runs when it resolves. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  #begin(): void {
    const { ended, tell } = this.#parts;
    this.#turns = 0;
    this.#running = this.ask({ type: "consolidate" }, { signal: ended }).catch((error: unknown) => {
      if (!ended.aborted) tell("consolidation", error);
    });
  }
}
