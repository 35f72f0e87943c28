/** Imports chat exports: replays their messages through the same record path, with the dates of then. */

import type { ConversationRef, MemoryEvent } from "../backend.js";
import { isBackup } from "../backup/frames.js";
import { peek } from "../backup/peek.js";
import type { ImportedConversation, ImportedMessage } from "../imports/conversation.js";
import type { CallOptions, Store } from "../ports.js";
import type { ConversationId, ImportOptions, ImportReport, ImportSource, Message, TurnId, TurnInput, Written } from "../types.js";
import type { ForgottenMarks } from "./forgotten-marks.js";
import { ImportTally } from "./import-tally.js";
import { pause } from "./pause.js";
import type { RestoringParts } from "./restored-rows.js";

/** Messages recorded in one transaction, and their characters: what is decided of eight takes some 15 ms (one core of two), after
 * which a recall comes through; larger ones make it wait longer and the import hardly faster. */
const BATCH = 8;
const BATCH_CHARACTERS = 12_000;
/** By which a backup is known. */
const START_BYTES = 16;
/** Between two tellings of progress. */
const PROGRESS_MS = 100;
/** Ids that are unique by themselves, in whichever conversation a message stands: copies of a chat bear the same. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface ImportingParts {
  readonly store: Store;
  readonly marks: ForgottenMarks;
  /** Through the write queue, one call after another, so that other writes come in between. */
  readonly record: (ref: ConversationRef, turn: TurnInput, call: CallOptions & { readonly isOld: true }) => Promise<Written>;
  readonly emit: (event: MemoryEvent) => void;
  /** For backups, which are merged row by row. */
  readonly backup: RestoringParts;
  /** Fine milliseconds. */
  readonly stopwatch: { now(): number };
  /** IANA name, for times of exports that name none. */
  readonly timeZone: string;
}

interface NamedMessage extends ImportedMessage {
  readonly id: string;
}

interface Batch {
  readonly conversation: ImportedConversation;
  readonly messages: ImportedMessage[];
  characters: number;
}

export class Importing {
  readonly #parts: ImportingParts;

  constructor(parts: ImportingParts) {
    this.#parts = parts;
  }

  /** Every batch is one transaction, and every message has an id that is the same in every import of its export: what is
   * interrupted goes on when it is called again, and what is recorded already is left as it is.
   * @throws MemoryError "unsupported" for what is no chat export; "backup-damaged" and "wrong-password" of a backup; the signal's reason, and what was recorded by then stays */
  async import(given: ImportSource, options: Omit<ImportOptions, "signal">, call: CallOptions = {}): Promise<ImportReport> {
    const { signal } = call;
    const { start, source } = await peek(given, START_BYTES);
    if (options.format === "backup" || (options.format === undefined && isBackup(start))) {
      const { restoreBackup } = await import("./restoring.js");
      return restoreBackup(source, options, this.#parts.backup, signal);
    }
    const { readExport } = await import("../imports/read-export.js");
    signal?.throwIfAborted();
    const run = new ImportRun(this.#parts, options, signal);
    let batch: Batch | undefined;
    const found = readExport(source, {
      tally: run.tally,
      timeZone: this.#parts.timeZone,
      format: options.format,
      onBytes: (done, total) => run.read(done, total),
    });
    for await (const conversation of found) {
      signal?.throwIfAborted();
      if (batch && !isContinued(batch, conversation)) {
        await run.record(batch);
        batch = undefined;
      }
      for (const message of conversation.messages) {
        batch ??= { conversation, messages: [], characters: 0 };
        batch.messages.push(message);
        batch.characters += message.text.length;
        if (batch.messages.length < BATCH && batch.characters < BATCH_CHARACTERS) continue;
        await run.record(batch);
        batch = { conversation, messages: [], characters: 0 };
      }
    }
    if (batch) await run.record(batch);
    return run.end();
  }
}

function isContinued({ conversation: { format, id, sessionId } }: Batch, next: ImportedConversation): boolean {
  return next.format === format && next.id === id && next.sessionId === sessionId;
}

/** One import: what it was asked, and how far it is. */
class ImportRun {
  readonly tally: ImportTally;
  readonly #parts: ImportingParts;
  readonly #options: Omit<ImportOptions, "signal">;
  readonly #signal: AbortSignal | undefined;
  /** How often the same words came without an id, by their keyed name. */
  readonly #unnamed = new Map<string, number>();
  #done = 0;
  #total = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ImportingParts, options: Omit<ImportOptions, "signal">, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#options = options;
    this.#signal = signal;
    this.tally = new ImportTally();
  }

  read(done: number, total: number): void {
    this.#done = done;
    this.#total = total;
  }

  async record({ conversation, messages }: Batch): Promise<void> {
    if (messages.length === 0) return;
    const { store, record } = this.#parts;
    this.tally.begin(conversation);
    const named = await this.#named(conversation, messages);
    const stored = await store.turns(named.map(({ id }) => id as TurnId));
    const fresh = named.filter((_, at) => stored[at] === undefined);
    this.tally.skip("already-recorded", named.length - fresh.length);
    if (fresh.length > 0) {
      const id = (this.#options.conversation ?? `${conversation.format}:${conversation.id}`) as ConversationId;
      const { sessionId } = conversation;
      const turn = {
        messages: fresh.map(messageOf),
        ...(sessionId !== undefined && { sessionId: `${conversation.format}:${conversation.id}:${sessionId}` }),
      };
      this.tally.recorded(fresh, await record({ id, incognito: false }, turn, { signal: this.#signal, isOld: true }));
    }
    await pause();
    this.#signal?.throwIfAborted();
    this.#tell();
  }

  end(): ImportReport {
    this.#toldAt = Number.NEGATIVE_INFINITY;
    if (this.#total > 0) this.#done = this.#total;
    this.#tell();
    return this.tally.report();
  }

  /** Messages with ids of their own in this memory. */
  async #named({ format, id }: ImportedConversation, messages: readonly ImportedMessage[]): Promise<NamedMessage[]> {
    const unnamed = messages.filter((message) => message.id === undefined);
    const words = unnamed.map(({ role, name, text, at }) => JSON.stringify([format, id, role, name, text, at]));
    const names = words.length > 0 ? await this.#parts.marks.namesOf(words) : [];
    const nameOf = new Map(unnamed.map((message, at) => [message, this.#numbered(names?.[at])]));
    return messages.map((message) => {
      const own = message.id ?? nameOf.get(message);
      return { ...message, id: own !== undefined && UUID.test(own) ? `${format}:${own}` : `${format}:${id}:${own}` };
    });
  }

  /** The same words twice are two messages; where they have no keyed name, a message is known by its place. */
  #numbered(name = "place"): string {
    const count = (this.#unnamed.get(name) ?? 0) + 1;
    this.#unnamed.set(name, count);
    return count === 1 && name !== "place" ? name : `${name}-${count}`;
  }

  #tell(): void {
    const now = this.#parts.stopwatch.now();
    if (now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now;
    const progress = { done: this.#done, total: this.#total, ...this.tally.progress };
    this.#options.onProgress?.(progress);
    this.#parts.emit({ type: "progress", detail: { task: "import", done: this.#done, total: this.#total } });
  }
}

function messageOf({ id, role, name, text, at }: NamedMessage): Message {
  return { id, role, text, ...(name !== undefined && { name }), ...(at !== undefined && { at }) };
}
