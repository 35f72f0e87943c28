/** What `import` takes of a chat export or a backup, and what it says of it. */

/** A file or blob (read by range, so the choice for large ones), or its bytes piece by piece; strings count as UTF-8. */
export type ImportSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** - "chatgpt", "claude": the export of the account, as a zip, as its `conversations.json` or as one of its numbered parts
 * - "telegram": `result.json` of Telegram Desktop, of one chat or of all
 * - "messages": JSON lines or an array of `{ role, content }`, of `{ user, assistant }` or of `{ messages: [...] }`
 * - "backup": a file of `export`
 * - "locomo", "longmemeval": the conversations of these benchmarks, without their questions */
export type ImportFormat = "chatgpt" | "claude" | "telegram" | "messages" | "backup" | "locomo" | "longmemeval";

/** Why a message of an export was not recorded:
 * - "already-recorded": by an earlier import, or twice in this one
 * - "forgotten": the person had it forgotten
 * - "other-branch": an edit or a regenerated reply took its place
 * - "hidden", "system", "tool", "reasoning": not said by one to the other
 * - "service": "X joined the group" and the like
 * - "channel": a post to the public
 * - "attachment": a picture, recording or file without words
 * - "empty": without any content, deleted messages too
 * - "unknown": of a kind that is not known */
export type ImportSkip =
  | "already-recorded"
  | "forgotten"
  | "other-branch"
  | "hidden"
  | "system"
  | "tool"
  | "reasoning"
  | "service"
  | "channel"
  | "attachment"
  | "empty"
  | "unknown";

export interface ImportProgress {
  /** Bytes read of the source; unpacked ones where it is a zip. */
  readonly done: number;
  /** Bytes in all; 0 as long as it is not known. */
  readonly total: number;
  /** Conversations begun. */
  readonly conversations: number;
  /** Messages seen to: recorded and safe on the disk, or left out. */
  readonly messages: number;
}

export interface ImportOptions {
  /** Taken from what is in the source by default. */
  readonly format?: ImportFormat;
  /** Records everything in the conversation of this id; by default each conversation of the export has its own, made from
   * its id there. */
  readonly conversation?: string;
  /** Of an encrypted backup. */
  readonly password?: string;
  /** Takes of a damaged backup what comes before the damage; without it such a file is refused whole. */
  readonly partial?: boolean;
  /** Ends the import between two batches; what was recorded until then stays, and the same import goes on from there. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportReport {
  readonly format: ImportFormat;
  /** Conversations in which something was said. */
  readonly conversations: number;
  /** Conversations in which nothing was said. */
  readonly emptyConversations: number;
  /** Messages read: those recorded and those skipped. */
  readonly messages: number;
  /** Messages recorded now. */
  readonly recorded: number;
  /** Memories made of them. */
  readonly entries: number;
  /** Messages left out, by reason. */
  readonly skipped: Readonly<Partial<Record<ImportSkip, number>>>;
  /** Pictures, recordings and files that are not imported, whether words came with them or not. */
  readonly attachments: number;
  /** Recorded messages without a date of their own or near them; they bear the time of the import. */
  readonly undated: number;
  /** Parts of the source that cannot be read; the rest is imported. */
  readonly damaged: number;
  /** Where and why, for the first twenty. */
  readonly damages: readonly { readonly where: string; readonly reason: string }[];
}
