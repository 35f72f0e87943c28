/** What an app has attached to a memory: its embedder, a small model, a consolidator of the background. */

import type { AttachedConsolidator } from "./attached-consolidator.js";
import { AttachedEmbedder } from "./attached-embedder.js";
import type { AttachedSlm } from "./attached-slm.js";
import type { MemoryBackend, MemoryEvent } from "./backend.js";
import type { AttachedConsolidation } from "./consolidation-run.js";
import type { OpenedEmbedder } from "./opened-embedder.js";
import type { MemoryOptions } from "./options.js";
import type { CallOptions } from "./ports.js";
import type { MemoryEventMap } from "./types.js";

/** Each may be there or not; what it needs is loaded with the first of its kind. */
export type Attachment = Partial<Pick<MemoryOptions, "embedder" | "slm" | "slmRoles">> & Partial<AttachedConsolidation>;

export interface AttachmentsParts {
  readonly backend: MemoryBackend;
  readonly events: EventTarget;
  readonly emit: (event: MemoryEvent) => void;
  readonly embedder?: OpenedEmbedder;
  readonly slm?: AttachedSlm;
}

export class Attachments {
  readonly #parts: AttachmentsParts;
  readonly #embedder: AttachedEmbedder;
  #slm: AttachedSlm | undefined;
  #consolidator: AttachedConsolidator | undefined;

  constructor(parts: AttachmentsParts) {
    this.#parts = parts;
    this.#embedder = new AttachedEmbedder(parts.backend, parts.embedder);
    this.#slm = parts.slm;
  }

  /** Why there is no model, where one was asked for. */
  get failures(): readonly MemoryEventMap["degraded"][] {
    return this.#slm?.failures ?? [];
  }

  /** One thing a call, so that a failure leaves nothing half attached. @throws TypeError for none or several; what each of them throws */
  async attach({ embedder, slm, slmRoles, ...consolidation }: Attachment, options: CallOptions): Promise<void> {
    const { consolidator } = consolidation;
    if ([embedder, slm, consolidator].filter((one) => one !== undefined).length !== 1)
      throw new TypeError("attach takes one of { embedder }, { slm } and { consolidator }");
    const { backend, events, emit } = this.#parts;
    if (consolidator) {
      const { AttachedConsolidator } = await import("./attached-consolidator.js");
      this.#consolidator ??= new AttachedConsolidator(backend, events, emit);
      return this.#consolidator.attach({ ...consolidation, consolidator }, options);
    }
    if (slm) {
      const { AttachedSlm, roleGiving } = await import("./attached-slm.js");
      const giving = roleGiving(slmRoles);
      this.#slm ??= new AttachedSlm(backend, emit);
      return this.#slm.attach(slm, giving, options);
    }
    await this.#embedder.attach(embedder, options);
  }

  async detachSlm(): Promise<void> {
    await this.#slm?.detach();
  }

  async detachConsolidator(): Promise<void> {
    await this.#consolidator?.detach();
  }

  /** Around the end of the backend: what asks it must have ended before, what serves it goes after.
   * @param end ends the backend */
  async closeAround(end: () => Promise<void>): Promise<void> {
    const detached = this.#consolidator?.detach();
    try {
      await end();
    } finally {
      await detached;
      await this.#slm?.close();
      await this.#embedder.close();
    }
  }
}
