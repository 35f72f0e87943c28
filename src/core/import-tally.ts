/** Counts what becomes of an export: taken, left out and why, damaged. */

import type { ImportedConversation, ImportedMessage, Tally } from "../imports/conversation.js";
import type { ImportProgress, ImportReport, ImportSkip, Written } from "../types.js";

const MAX_DAMAGES = 20;
const MAX_REASON = 300;

export class ImportTally implements Tally {
  readonly #conversations = new Set<string>();
  readonly #skipped: Partial<Record<ImportSkip, number>> = {};
  readonly #damages: ImportReport["damages"][number][] = [];
  #format: ImportReport["format"] | undefined;
  #emptyConversations = 0;
  #recorded = 0;
  #entries = 0;
  #undated = 0;
  #attachments = 0;
  #damaged = 0;

  skip(reason: ImportSkip, count = 1): void {
    if (count > 0) this.#skipped[reason] = (this.#skipped[reason] ?? 0) + count;
  }

  attach(count: number): void {
    this.#attachments += count;
  }

  emptyConversation(): void {
    this.#emptyConversations++;
  }

  damage(where: string, reason: string): void {
    this.#damaged++;
    if (this.#damages.length < MAX_DAMAGES) this.#damages.push({ where, reason: reason.slice(0, MAX_REASON) });
  }

  /** Conversations come in pieces, not always one after another. */
  begin({ format, id }: ImportedConversation): void {
    this.#format ??= format;
    this.#conversations.add(`${format}:${id}`);
  }

  recorded(messages: readonly (ImportedMessage & { readonly id: string })[], { turnIds, stored, refused }: Written): void {
    const forgotten = refused.filter(({ reason }) => reason === "forgotten").length;
    const taken = new Set<string>(turnIds);
    this.#recorded += taken.size;
    this.skip("forgotten", forgotten);
    // Another handle was faster.
    this.skip("already-recorded", messages.length - taken.size - forgotten);
    this.#entries += stored.length;
    this.#undated += messages.filter(({ id, at }) => at === undefined && taken.has(id)).length;
  }

  get progress(): Omit<ImportProgress, "done" | "total"> {
    return { conversations: this.#conversations.size, messages: this.#messages };
  }

  report(): ImportReport {
    return {
      format: this.#format ?? "messages",
      conversations: this.#conversations.size,
      emptyConversations: this.#emptyConversations,
      messages: this.#messages,
      recorded: this.#recorded,
      entries: this.#entries,
      skipped: this.#skipped,
      attachments: this.#attachments,
      undated: this.#undated,
      damaged: this.#damaged,
      damages: this.#damages,
    };
  }

  get #messages(): number {
    return this.#recorded + Object.values(this.#skipped).reduce((sum, count) => sum + count, 0);
  }
}
