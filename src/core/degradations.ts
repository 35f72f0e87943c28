/** Why parts of a memory run in a lesser form: told as events, and kept for `stats`. */

import type { MemoryEvent } from "../backend.js";
import type { MemoryEventMap } from "../types.js";

type Degradation = MemoryEventMap["degraded"];

/** Degradations that are kept at most. */
const MAX_KEPT = 20;

export class Degradations {
  readonly #kept: Degradation[] = [];
  readonly #emit: (event: MemoryEvent) => void;

  constructor(emit: (event: MemoryEvent) => void) {
    this.#emit = emit;
  }

  /** Each of them once. What happens while a memory opens is told before anybody can listen, so it is read here. */
  get kept(): readonly Degradation[] {
    return [...this.#kept];
  }

  /** Passes any event on; those of degradation are kept too. */
  readonly emit = (event: MemoryEvent): void => {
    if (event.type === "degraded") this.#keep(event.detail);
    this.#emit(event);
  };

  /** @param cause an error, or the reason in words */
  tell(part: string, cause: unknown): void {
    this.emit({ type: "degraded", detail: { part, reason: cause instanceof Error ? cause.message : String(cause) } });
  }

  #keep(detail: Degradation): void {
    const isKnown = this.#kept.some(({ part, reason }) => part === detail.part && reason === detail.reason);
    if (!isKnown && this.#kept.length < MAX_KEPT) this.#kept.push(detail);
  }
}
