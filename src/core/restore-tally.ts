/** Counts what becomes of a backup: restored, there already, left out. */

import type { BackupDamage } from "../backup/format.js";
import type { ImportProgress, ImportReport } from "../types.js";

const MAX_REASON = 300;

export class RestoreTally {
  readonly #size: number;
  readonly #onProgress: ((progress: ImportProgress) => void) | undefined;
  readonly #conversations = new Set<string>();
  messages = 0;
  recorded = 0;
  entries = 0;
  forgotten = 0;
  /** Messages of which all that was written is on the disk. */
  #safe = 0;

  constructor(size: number, onProgress: ((progress: ImportProgress) => void) | undefined) {
    this.#size = size;
    this.#onProgress = onProgress;
  }

  conversation(id: string): void {
    this.#conversations.add(id);
  }

  /** All that was counted so far is on the disk. */
  confirmed(): void {
    this.#safe = this.messages;
  }

  /** @param bytes of both readings */
  read(bytes: number): void {
    const messages = this.#safe;
    const conversations = this.#conversations.size;
    this.#onProgress?.({ done: Math.floor(bytes / 2), total: this.#size, conversations, messages });
  }

  report(damage: BackupDamage | undefined): ImportReport {
    const known = this.messages - this.recorded - this.forgotten;
    return {
      format: "backup",
      conversations: this.#conversations.size,
      emptyConversations: 0,
      messages: this.messages,
      recorded: this.recorded,
      entries: this.entries,
      skipped: {
        ...(known > 0 && { "already-recorded": known }),
        ...(this.forgotten > 0 && { forgotten: this.forgotten }),
      },
      attachments: 0,
      undated: 0,
      damaged: damage ? 1 : 0,
      damages: damage
        ? [{ where: `byte ${damage.byte} (frame ${damage.frame})`, reason: damage.reason.slice(0, MAX_REASON) }]
        : [],
    };
  }
}
