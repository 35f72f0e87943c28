/** What must hold of a store and of a memory on it, whatever happened: nothing lost, nothing doubled, all in agreement. */

import type { Memory } from "../../src/memory-handle.js";
import type { Store } from "../../src/ports.js";
import type { Entry, EntryId, TurnId } from "../../src/types.js";
import { graphViolations } from "./graph-invariants.js";
import type { Act, KnownEntry, Ledger } from "./ledger.js";
import { readSnapshot, replayed, type Snapshot } from "./snapshot.js";

export interface Violation {
  /** "recreated": the browser itself removed the whole database, and the memory said so. What is lost with it counts as "lost" too. */
  readonly kind: "lost" | "doubled" | "inconsistent" | "recreated";
  readonly what: string;
}

export interface CheckOptions {
  /** Entries may have been evicted by a capacity: one that the journal says was removed is not lost. Default false. */
  readonly evicts?: boolean;
  /** Whether the engine that consolidates makes something of such an entry; one that it consumed must then support something. */
  readonly isTaught?: (entry: Entry) => boolean;
}

const lost = (what: string): Violation => ({ kind: "lost", what });
const doubled = (what: string): Violation => ({ kind: "doubled", what });
const inconsistent = (what: string): Violation => ({ kind: "inconsistent", what });

/** Settles the ledger's open acts by what is stored (each was done as a whole, or not at all), then compares everything.
 * No memory may be writing meanwhile. */
export async function checkStore(store: Store, ledger: Ledger, options: CheckOptions = {}): Promise<Violation[]> {
  const snapshot = await readSnapshot(store);
  const removed = replayed(snapshot.journal);
  const halves = settle(ledger, snapshot);
  const usage = await store.usage([...removed.removedEntries]);
  return [
    ...halves,
    ...turnViolations(snapshot, ledger),
    ...entryViolations(snapshot, ledger, options.evicts ? removed.removedEntries : new Set()),
    ...sourceViolations(snapshot, ledger, options),
    ...vectorViolations(snapshot),
    ...journalViolations(snapshot),
    ...graphViolations(snapshot, ledger, options),
    ...[...removed.removedEntries].flatMap((id, at) => (usage[at] ? inconsistent(`use is counted of ${id}, which is gone`) : [])),
  ];
}

function settle(ledger: Ledger, { entries, turns, journal }: Snapshot): Violation[] {
  const byId = new Map(entries.map((entry) => [entry.id as string, entry]));
  const turnIds = new Set<string>(turns.map(({ id }) => id));
  /** Whether another act than this was to forget an entry. */
  const isAskedFor = (id: string, number: number) =>
    ledger.forgottenEntries.has(id) ||
    [...ledger.open].some(([other, act]) => other !== number && act.type === "forget" && act.entryIds.includes(id));
  const settleOne = (number: number, act: Act): Violation[] => {
    if (act.type === "record") {
      const there = act.turns.filter(({ id }) => turnIds.has(id) || ledger.forgottenTurns.has(id));
      if (there.length === 0) ledger.refuse(number);
      else ledger.acknowledge(number, { type: "record", entries: entriesOf(entries, new Set(there.map(({ id }) => id))) });
      return there.length === 0 || there.length === act.turns.length
        ? []
        : [inconsistent(`of ${act.turns.length} turns recorded at once ${there.length} are there, from ${act.turns[0]?.id}`)];
    }
    if (act.type === "import") {
      // Each of its steps was done as a whole or not at all; which ones, nobody was told. The turns of a backup come before the
      // entries that are made of them.
      const known = act.entries.flatMap(({ id, turnIds: of }) => {
        const found = byId.get(id);
        return found ? [{ id, text: found.text, turnIds: of }] : [];
      });
      const whole = new Set(act.entries.length > 0 ? known.flatMap(({ turnIds: of }) => of) : turnIds);
      const there = act.turns.filter(({ id }) => turnIds.has(id) && whole.has(id)).map(({ id }) => id);
      ledger.acknowledge(number, { type: "import", turnIds: there, entries: known });
      return known.flatMap(({ id, text }) =>
        act.entries.some((told) => told.id === id && told.text !== text)
          ? [inconsistent(`the words of ${id} came in otherwise`)]
          : [],
      );
    }
    if (act.type === "forget") {
      const left = act.entryIds.filter((id) => byId.has(id));
      const isOfAct = (id: EntryId) => act.entryIds.includes(id);
      // Entries also go when others are recorded, by eviction.
      const record = journal.findLast(
        ({ operations }) =>
          operations.every(({ type }) => type !== "put-turns") &&
          operations.some((one) => one.type === "remove-entries" && one.entryIds.some(isOfAct)),
      );
      const ids: string[] = (record?.operations ?? []).flatMap((one) => (one.type === "remove-entries" ? one.entryIds : []));
      // Forgetting another takes replies that repeat it along, which may be of this act too.
      const isOfAnother = ids.some((id) => !act.entryIds.includes(id) && isAskedFor(id, number));
      if (!record || (left.length > 0 && isOfAnother)) {
        ledger.refuse(number);
        return [];
      }
      const forgotten = record.operations.flatMap((one) => (one.type === "remove-turns" ? one.turnIds : []));
      ledger.acknowledge(number, { type: "forget", entryIds: ids, turnIds: forgotten });
      return left.length > 0 ? [inconsistent(`of ${act.entryIds.length} entries forgotten at once ${left.length} are left`)] : [];
    }
    if (act.type === "consolidate") {
      ledger.refuse(number);
      return [];
    }
    if (byId.get(act.entryId)?.text === act.text) ledger.acknowledge(number, { type: "update" });
    else ledger.refuse(number);
    return [];
  };
  return [...ledger.open].flatMap(([number, act]) => settleOne(number, act));
}

/** The entries that come from these turns, as the ledger knows them. */
export function entriesOf(entries: readonly Entry[], turnIds: ReadonlySet<string>): KnownEntry[] {
  return entries
    .filter(({ sources }) => sources.some(({ turnId }) => turnIds.has(turnId)))
    .map(({ id, text, sources }) => ({ id, text, turnIds: sources.map(({ turnId }) => turnId) }));
}

function turnViolations({ turns, counts }: Snapshot, ledger: Ledger): Violation[] {
  const found: Violation[] = [];
  const byId = new Map(turns.map((turn) => [turn.id as string, turn]));
  if (byId.size !== turns.length) found.push(doubled(`${turns.length - byId.size} turns have the id of another`));
  if (counts.turns !== turns.length) found.push(inconsistent(`${turns.length} turns are listed, ${counts.turns} counted`));
  if (new Set(turns.map(({ sequence }) => sequence)).size !== turns.length) found.push(doubled("two turns have one place"));
  for (const { id, text } of ledger.turns.values()) {
    const turn = byId.get(id);
    if (!turn) found.push(lost(`the turn ${id} (${text.slice(0, 60)})`));
    else if (turn.text !== text) found.push(lost(`the words of the turn ${id}`));
  }
  for (const id of ledger.forgottenTurns) if (byId.has(id)) found.push(lost(`the turn ${id} was forgotten and is there`));
  const said = new Map<string, string>();
  for (const { id, text, conversationId } of turns) {
    const before = said.get(`${conversationId}\n${text}`);
    // Of a text that was said once; two messages of one text are two.
    if (before !== undefined && ledger.turns.has(before) !== ledger.turns.has(id))
      found.push(doubled(`the turns ${before} and ${id} say the same`));
    said.set(`${conversationId}\n${text}`, id);
  }
  return found;
}

function entryViolations({ entries, counts }: Snapshot, ledger: Ledger, evicted: ReadonlySet<string>): Violation[] {
  const found: Violation[] = [];
  const byId = new Map(entries.map((entry) => [entry.id as string, entry]));
  if (byId.size !== entries.length) found.push(doubled(`${entries.length - byId.size} entries have the id of another`));
  if (counts.entries !== entries.length)
    found.push(inconsistent(`${entries.length} entries are listed, ${counts.entries} counted`));
  for (const { id, text } of ledger.entries.values()) {
    const entry = byId.get(id);
    if (!entry && !evicted.has(id)) found.push(lost(`the entry ${id} (${text.slice(0, 60)})`));
    else if (entry && entry.text !== text)
      found.push(lost(`the words of the entry ${id}: "${text.slice(0, 60)}" is "${entry.text.slice(0, 60)}"`));
  }
  for (const id of ledger.forgottenEntries) if (byId.has(id)) found.push(lost(`the entry ${id} was forgotten and is there`));
  const statements = new Map<string, EntryId>();
  for (const { id, text, subject, sources, validTo } of entries) {
    if (validTo !== undefined) continue;
    for (const turnId of new Set(sources.map((source) => source.turnId))) {
      const key = `${turnId}\n${subject}\n${text}`;
      const before = statements.get(key);
      if (before !== undefined) found.push(doubled(`the entries ${before} and ${id} are one statement of ${turnId}`));
      statements.set(key, id);
    }
  }
  return found;
}

function sourceViolations({ entries, turns }: Snapshot, ledger: Ledger, { evicts }: CheckOptions): Violation[] {
  const found: Violation[] = [];
  const there = new Set<TurnId>(turns.map(({ id }) => id));
  const used = new Set<string>();
  for (const { id, sources } of entries) {
    for (const { turnId } of sources) {
      used.add(turnId);
      if (!there.has(turnId)) found.push(inconsistent(`the entry ${id} comes from the turn ${turnId}, which is not there`));
    }
  }
  if (evicts) return found;
  for (const { id, isStatement } of ledger.turns.values())
    if (isStatement && there.has(id as TurnId) && !used.has(id)) found.push(lost(`what the turn ${id} states has no entry`));
  return found;
}

function vectorViolations({ entries, spaces }: Snapshot): Violation[] {
  const ids = new Set(entries.map(({ id }) => id));
  return spaces.flatMap(({ space, rows, byEntry, apart }) => {
    const listed = [...byEntry.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...(listed === rows ? [] : [inconsistent(`the space ${space.id} lists ${listed} rows and counts ${rows}`)]),
      ...apart.map((id) => inconsistent(`the rows of ${id} in ${space.id} are not together`)),
      ...[...byEntry.keys()].filter((id) => !ids.has(id)).map((id) => inconsistent(`${id} is gone and has vectors`)),
    ];
  });
}

function journalViolations({ journal, revision, entries, turns }: Snapshot): Violation[] {
  const found: Violation[] = [];
  const first = journal[0]?.revision ?? revision + 1;
  journal.forEach((record, at) => {
    if (record.revision !== first + at) found.push(inconsistent(`revision ${first + at} of the journal is ${record.revision}`));
  });
  if (journal.length > 0 && journal.at(-1)?.revision !== revision)
    found.push(inconsistent(`the journal ends at ${journal.at(-1)?.revision}, the store is at ${revision}`));
  // A journal that was compacted no longer tells the beginning.
  if (first !== 1) return found;
  const said = replayed(journal);
  for (const [what, listed, told] of [
    ["entries", new Set<string>(entries.map(({ id }) => id)), said.entries as ReadonlySet<string>],
    ["turns", new Set<string>(turns.map(({ id }) => id)), said.turns as ReadonlySet<string>],
  ] as const) {
    const odd = [...listed].filter((id) => !told.has(id)).concat([...told].filter((id) => !listed.has(id)));
    if (odd.length > 0) found.push(inconsistent(`journal and store disagree on the ${what} ${odd.slice(0, 3).join(", ")}`));
  }
  return found;
}

type Checked = Pick<Memory, "entries" | "recall" | "stats">;

export interface MemoryCheckOptions {
  /** Entries that are sought by their words: all of them by default, else the newest half of this number and others at random. */
  readonly sample?: number;
  /** In [0, 1); chooses the sample. */
  readonly random?: () => number;
  /** Waits for an embedding in the background to end first; true by default. Else entries may still lack the vectors it owes. */
  readonly waits?: boolean;
}

/** How long an embedding in the background may take. */
const EMBEDDING_LIMIT_MS = 30_000;

/** Whether a memory that was opened on a checked store, or has caught up with it, knows what the store holds. */
export async function checkMemory(
  memory: Checked,
  store: Store,
  ledger: Ledger,
  { sample = Number.POSITIVE_INFINITY, random = Math.random, waits = true }: MemoryCheckOptions = {},
): Promise<Violation[]> {
  const found: Violation[] = [];
  const listed = new Set<string>();
  const live: Entry[] = [];
  // A memory catches up with other handles when it is asked something.
  await recallOf(memory, "What did others say?");
  for (const until = Date.now() + EMBEDDING_LIMIT_MS; waits && (await memory.stats()).reembedding && Date.now() < until; )
    await new Promise((resolve) => setTimeout(resolve, 5));
  for await (const entry of memory.entries()) {
    listed.add(entry.id);
    if (entry.validTo === undefined) live.push(entry);
  }
  const stats = await memory.stats();
  const counts = await store.counts();
  if (stats.entries !== counts.entries || listed.size !== counts.entries || stats.turns !== counts.turns)
    found.push(
      inconsistent(`the memory tells of ${stats.entries} entries, lists ${listed.size}, the store has ${counts.entries}`),
    );
  const ids = [...listed] as EntryId[];
  const rows = await store.vectorsOf(stats.embedder, ids);
  const total = rows.reduce((sum, one) => sum + (one?.length ?? 0), 0) / stats.embedder.dimension;
  const bare = ids.filter((_, at) => rows[at] === undefined);
  const owed = stats.reembedding && !waits ? stats.reembedding.total - stats.reembedding.done : 0;
  if (bare.length > owed)
    found.push(inconsistent(`${bare.length} entries have no vectors of ${stats.embedder.id}, as ${bare[0]}`));
  if (owed === 0 && total !== stats.vectors)
    found.push(inconsistent(`the index holds ${stats.vectors} vectors, the store ${total}`));
  // What has no vectors yet is sought by words alone, and may stand behind many that are nearly the same.
  const owing = new Set<string>(owed > 0 ? bare : []);
  const sought = live.filter(({ id }) => !owing.has(id));
  for (const { id, text } of chosen(sought, sample, random)) {
    const recalled = await recallOf(memory, text);
    if (!recalled.includes(id)) found.push(inconsistent(`"${text.slice(0, 80)}" is stored as ${id} and not found by its words`));
    const gone = recalled.find((one) => !listed.has(one) || ledger.forgottenEntries.has(one));
    if (gone !== undefined) found.push(inconsistent(`${gone} is recalled and not stored`));
  }
  return found;
}

/** Newest first in, so that what was written last is always looked for. */
function chosen(entries: readonly Entry[], sample: number, random: () => number): readonly Entry[] {
  if (entries.length <= sample) return entries;
  const newest = entries.slice(0, Math.ceil(sample / 2));
  const others = Array.from({ length: sample - newest.length }, () => entries[Math.floor(random() * entries.length)]);
  return [...newest, ...others.filter((entry) => entry !== undefined)];
}

async function recallOf(memory: Checked, text: string): Promise<string[]> {
  const { items } = await memory.recall(text, { touch: false, trace: false, deadlineMs: 60_000, k: 100, contextTokens: 20_000 });
  return items.map(({ entryId }) => entryId);
}
