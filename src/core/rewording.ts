/** SLM-3 in the background: what was stored in lite's words is shown in the model's, where they say nothing that was not said.
 *
 * Nothing waits for it and nothing is lost by it: lite's statement stays until a better one is written over it, and what search runs on
 * never changes. */

import type { Store, Writer } from "../ports.js";
import { ROLE_TAG } from "../retrieve/played-last.js";
import type { Entry, EntryId, TurnId } from "../types.js";
import { ground } from "../write/grounding.js";
import { untilSettled } from "./conflict.js";
import type { Follower } from "./follower.js";
import { withoutSecretsOf } from "./masking.js";

/** Entries that wait at most; the oldest stay in lite's words. */
const MAX_WAITING = 200;
/** Turns around an entry's that are read: its reply, and what its words may refer to. */
const AROUND = 12;

export interface RewordingParts {
  readonly store: Store;
  readonly follower: Follower;
  readonly inQueue: <T>(task: () => Promise<T>) => Promise<T>;
  /** IANA name. */
  readonly timeZone: string;
  /** Told of a failure; the entry stays as it is then. */
  readonly onFailure: (error: unknown) => void;
}

interface Written {
  readonly words: Pick<Entry, "text" | "kind" | "sources">;
  /** Turns that it was written from. */
  readonly seen: readonly TurnId[];
}

/** @param lite gives the statement as it is stored */
export type WriterOver = (lite: Writer) => Writer;

export class Rewording {
  readonly #parts: RewordingParts;
  readonly #writer: WriterOver;
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<EntryId, string>();
  #running: Promise<void> | undefined;
  #reworded = 0;
  #ungrounded = 0;

  /** @param signal ends it */
  constructor(parts: RewordingParts, writer: WriterOver, signal: AbortSignal) {
    this.#parts = parts;
    this.#writer = writer;
    this.#signal = signal;
  }

  get counts(): { readonly reworded: number; readonly ungrounded: number } {
    return { reworded: this.#reworded, ungrounded: this.#ungrounded };
  }

  /** Queues what a person said; begins where nothing runs. */
  add(entries: readonly Entry[]): void {
    for (const { id, text, sources, tags } of entries)
      if (sources[0]?.role === "user" && !tags.includes(ROLE_TAG)) this.#waiting.set(id, text);
    for (const id of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING) break;
      this.#waiting.delete(id);
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#next(); next && !this.#signal.aborted; next = this.#next()) {
      try {
        await this.#reword(...next);
      } catch (error) {
        if (!this.#signal.aborted) this.#parts.onFailure(error);
      }
    }
  }

  #next(): [EntryId, string] | undefined {
    const [first] = this.#waiting;
    if (first) this.#waiting.delete(first[0]);
    return first;
  }

  async #reword(id: EntryId, stored: string): Promise<void> {
    const entry = await this.#still(id, stored);
    const written = entry && (await this.#written(entry));
    if (!written || written.words.text === entry.text) return;
    await this.#parts.inQueue(() =>
      untilSettled(
        async () => {
          const now = await this.#still(id, stored);
          const { store, follower } = this.#parts;
          // The model saw them: words of what was forgotten while it thought must not come back in its own.
          if (!now || (await store.turns(written.seen)).includes(undefined)) return;
          const commit = await store.write(
            {
              entries: [{ ...now, ...written.words }],
              expect: [{ entryId: id, revision: now.revision }],
              expectTurns: written.seen,
            },
            { signal: this.#signal },
          );
          await follower.committed(commit, new Map(), []);
          this.#reworded++;
        },
        () => this.#parts.follower.catchUp(),
      ),
    );
  }

  /** The entry, as long as nobody has put other words in it. */
  async #still(id: EntryId, stored: string): Promise<Entry | undefined> {
    const [entry] = await this.#parts.store.entries([id]);
    return entry?.text === stored ? entry : undefined;
  }

  /** @returns undefined where the model says something that nobody said */
  async #written(entry: Entry): Promise<Written | undefined> {
    const { store, timeZone } = this.#parts;
    const turnId = entry.sources[0]?.turnId;
    const [turn] = turnId === undefined ? [] : await store.turns([turnId]);
    if (!turn) return undefined;
    const { conversationId, sequence, sessionId } = turn;
    const near = await store.listTurns({ conversationId, after: sequence - AROUND - 1, limit: 2 * AROUND });
    const { turns } = withoutSecretsOf(
      near.filter((other) => other.sessionId === sessionId),
      [],
    );
    const at = turns.findIndex((other) => other.id === turn.id);
    const own = turns[at];
    if (!own) return undefined;
    const before = turns.slice(0, at);
    const writer = this.#writer({
      write: async () => ({ statements: [{ ...entry, turnId: turn.id }], refused: [] }),
    });
    const { statements } = await writer.write(
      { turns: turns.slice(at), recent: before, recalled: [], timeZone },
      { signal: this.#signal },
    );
    const [statement] = statements;
    if (!statement) return undefined;
    const grounded = ground(statement, { turn: own, context: before, timeZone, isModels: true });
    if (grounded.missing.length > 0) {
      this.#ungrounded++;
      return undefined;
    }
    const { text, kind, sources } = grounded.statement;
    const known = new Set(entry.sources.map(({ quote }) => quote));
    // What bears out the new words is added; what was said stays with it.
    const added = sources.filter(({ quote }) => !known.has(quote));
    return { words: { text, kind, sources: [...entry.sources, ...added] }, seen: turns.map(({ id: seen }) => seen) };
  }
}
