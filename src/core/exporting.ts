/** Reads everything of one user, page by page beside its other work, as the rows of a backup. */

import type { BackupRow } from "../backup/format.js";
import { MemoryError } from "../errors.js";
import type { Clock, Store } from "../ports.js";
import type { EntryId, ExportOptions, ExportProgress, TurnId } from "../types.js";
import { isPersonalMeta } from "./personal-meta.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Rows read at once: some hundred kilobytes. */
const PAGE = 256;

export interface ExportingParts {
  readonly name: string;
  readonly store: Store;
  readonly usage: UsageLedger;
  readonly clock: Clock;
}

export class Exporting {
  readonly #parts: ExportingParts;

  constructor(parts: ExportingParts) {
    this.#parts = parts;
  }

  /** The bytes of a backup. What is written meanwhile is in it, and what is removed meanwhile is told as removed.
   * @throws MemoryError "unsupported"; "conflict" when everything was erased, or so much was written, that it must begin anew;
   * the signal's reason */
  async *bytes(
    { password, onProgress }: Omit<ExportOptions, "signal">,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { writeBackup } = await import("../backup/write-backup.js");
    signal.throwIfAborted();
    for await (const chunk of writeBackup(this.#rows(onProgress, signal), { password })) {
      signal.throwIfAborted();
      yield chunk;
      signal.throwIfAborted();
    }
  }

  async *#rows(
    onProgress: ((progress: ExportProgress) => void) | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly BackupRow[], void> {
    const { store, usage, name, clock } = this.#parts;
    await usage.flush();
    const start = await store.standing();
    const counts = await store.counts();
    const total = counts.entries + counts.turns;
    let done = 0;
    const told = <Page extends readonly BackupRow[]>(page: Page): Page => {
      signal.throwIfAborted();
      done += page.length;
      onProgress?.({ done: Math.min(done, total), total });
      return page;
    };
    yield [{ memory: { name, userId: store.userId, ...counts, writtenAt: clock.now() } }];
    for (let after = -1; ; ) {
      const turns = await store.listTurns({ after, limit: PAGE });
      const last = turns.at(-1);
      if (!last) break;
      after = last.sequence;
      yield told(turns.map((turn) => ({ turn })));
    }
    for (let after: EntryId | undefined; ; ) {
      const entries = await store.listEntries({ limit: PAGE, ...(after !== undefined && { after }) });
      after = entries.at(-1)?.id;
      if (after === undefined) break;
      yield told(await this.#withUsage(entries.map(({ id }) => id)));
    }
    const keys = (await store.metaKeys()).filter(isPersonalMeta);
    for (const meta of keys) yield [{ meta, value: await store.meta(meta) }];
    yield* this.#since(start.revision, start.epoch, signal);
    onProgress?.({ done: total, total });
  }

  /** What changed while the rest was read, so that the backup is as the memory was at one moment. */
  async *#since(revision: number, epoch: string, signal: AbortSignal): AsyncGenerator<readonly BackupRow[], void> {
    const { store } = this.#parts;
    for (let seen = revision; ; ) {
      const now = await store.standing();
      if (now.epoch !== epoch || now.revision < seen) throw overtaken("everything was erased");
      if (now.revision === seen) return;
      const records = await store.journal(seen, PAGE);
      signal.throwIfAborted();
      if (records[0]?.revision !== seen + 1) throw overtaken("too much was written");
      const entryIds = new Set<EntryId>();
      const turnIds = new Set<TurnId>();
      for (const operation of records.flatMap(({ operations }) => operations)) {
        if ("entryIds" in operation) for (const id of operation.entryIds) entryIds.add(id);
        if ("turnIds" in operation) for (const id of operation.turnIds) turnIds.add(id);
        if (operation.type === "put-meta")
          for (const meta of operation.keys.filter(isPersonalMeta)) yield [{ meta, value: await store.meta(meta) }];
      }
      const turns = await store.turns([...turnIds]);
      for (const turn of turns) if (turn) turnIds.delete(turn.id);
      const entries = await this.#withUsage([...entryIds]);
      for (const row of entries) if ("entry" in row) entryIds.delete(row.entry.id);
      yield [
        { removed: { entries: [...entryIds], turns: [...turnIds] } },
        ...turns.flatMap((turn) => (turn ? [{ turn }] : [])),
        ...entries,
      ];
      seen = records.at(-1)?.revision ?? seen;
    }
  }

  /** Those that are there, as they are now. */
  async #withUsage(ids: readonly EntryId[]): Promise<BackupRow[]> {
    const { store } = this.#parts;
    const [entries, usage] = await Promise.all([store.entries(ids), store.usage(ids)]);
    return entries.flatMap((entry, at) => {
      const used = usage[at];
      return entry ? [{ entry, ...(used && { usage: used }) }] : [];
    });
  }
}

function overtaken(what: string): MemoryError {
  return new MemoryError("conflict", `${what} while the backup was written; export again`);
}
