/** Reads everything of one user, page by page beside its other work, as the rows of a backup. */

import type { BackupRow } from "../backup/format.js";
import { MemoryError } from "../errors.js";
import type { Clock, Store, StoreStanding } from "../ports.js";
import type { EntryId, ExportOptions, ExportProgress, TurnId } from "../types.js";
import { exportedGraph } from "./exported-graph.js";
import { isPersonalMeta } from "./personal-meta.js";
import type { UsageLedger } from "./usage-ledger.js";

/** Rows read at once: some hundred kilobytes. */
const PAGE = 256;
/** Readings of a graph that changed meanwhile. */
const MAX_TRIES = 8;

interface Level extends StoreStanding {
  /** Changes of the graph that were seen so far. */
  readonly graph?: number;
}

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
    const [{ writeBackup }, { isSound }] = await Promise.all([import("../backup/write-backup.js"), import("../backup/rows.js")]);
    signal.throwIfAborted();
    const rows = this.#rows(onProgress, signal);
    const sound = (async function* () {
      for await (const page of rows) yield page.filter(isSound);
    })();
    for await (const chunk of writeBackup(sound, { password })) {
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
    const graph = (await store.graph({ counts: true })).counts;
    const total = counts.entries + counts.turns;
    let done = 0;
    const told = <Page extends readonly BackupRow[]>(page: Page): Page => {
      signal.throwIfAborted();
      done += page.length;
      onProgress?.({ done: Math.min(done, total), total });
      return page;
    };
    yield [{ memory: { name, userId: store.userId, ...counts, ...graph, writtenAt: clock.now() } }];
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
    let level = yield* this.#since(start, signal);
    // Last, so that what its entries tell of their consolidation is never ahead of it.
    for (let tries = 0; ; tries++) {
      for await (const page of exportedGraph(store)) {
        signal.throwIfAborted();
        yield page;
      }
      const seen = yield* this.#since(level, signal);
      if (seen.graph === level.graph) break;
      if (tries === MAX_TRIES) throw overtaken("too much was written");
      level = seen;
    }
    onProgress?.({ done: total, total });
  }

  /** What changed while the rest was read, so that the backup is as the memory was at one moment.
   * @returns where the store stands then */
  async *#since(from: Level, signal: AbortSignal): AsyncGenerator<readonly BackupRow[], Level> {
    const { store } = this.#parts;
    let { revision, graph = 0 } = from;
    for (;;) {
      const now = await store.standing();
      if (now.epoch !== from.epoch || now.revision < revision) throw overtaken("everything was erased");
      if (now.revision === revision) return { ...now, graph };
      const records = await store.journal(revision, PAGE);
      signal.throwIfAborted();
      if (records[0]?.revision !== revision + 1) throw overtaken("too much was written");
      const entryIds = new Set<EntryId>();
      const turnIds = new Set<TurnId>();
      for (const operation of records.flatMap(({ operations }) => operations)) {
        if ("entryIds" in operation) for (const id of operation.entryIds) entryIds.add(id);
        if ("turnIds" in operation) for (const id of operation.turnIds) turnIds.add(id);
        if (operation.type === "put-graph") graph++;
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
      revision = records.at(-1)?.revision ?? revision;
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
