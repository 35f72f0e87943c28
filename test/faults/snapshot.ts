/** Everything of one user that a store gives out, read through its port. */

import type { JournalRecord, Store, StoredEdge, StoredNode, SupportRow, VectorSpace } from "../../src/ports.js";
import type { ConsolidationJob, Entry, EntryId, Turn, TurnId } from "../../src/types.js";

const PAGE = 1_000;
/** Edges and support of one node: more than any test makes. */
const ALL = 100_000;

export interface GraphSnapshot {
  readonly counts: { readonly nodes: number; readonly edges: number };
  readonly nodes: readonly StoredNode[];
  readonly edges: readonly StoredEdge[];
  /** Of these nodes and edges, and by the entries that are stored. */
  readonly support: readonly SupportRow[];
  readonly jobs: readonly ConsolidationJob[];
}

export interface Snapshot {
  readonly revision: number;
  readonly counts: { readonly turns: number; readonly entries: number };
  readonly turns: readonly Turn[];
  readonly entries: readonly Entry[];
  readonly journal: readonly JournalRecord[];
  /** Rows of each entry, by space; how many the space says it has; and whether an entry's rows came apart. */
  readonly spaces: readonly {
    readonly space: VectorSpace;
    readonly rows: number;
    readonly byEntry: ReadonlyMap<EntryId, number>;
    readonly apart: readonly EntryId[];
  }[];
  readonly graph: GraphSnapshot;
}

/** One state of the store: read again when something was written meanwhile, as by an embedding in the background. */
export async function readSnapshot(store: Store): Promise<Snapshot> {
  for (;;) {
    const snapshot = await readOnce(store);
    if ((await store.revision()) === snapshot.revision) return snapshot;
  }
}

async function readOnce(store: Store): Promise<Snapshot> {
  const revision = await store.revision();
  const entries = await paged<Entry, EntryId>((after) => store.listEntries({ limit: PAGE, ...(after && { after }) }), "id");
  const turns = await paged<Turn, number>((after) => store.listTurns({ limit: PAGE, after: after ?? -1 }), "sequence");
  const journal = await paged<JournalRecord, number>((after) => store.journal(after ?? 0, PAGE), "revision");
  const spaces = [];
  for (const { rows, ...space } of await store.vectorSpaces()) {
    const byEntry = new Map<EntryId, number>();
    const apart: EntryId[] = [];
    let last: EntryId | undefined;
    for await (const segment of store.vectors(space)) {
      for (const id of segment.entryIds) {
        if (id !== last && byEntry.has(id)) apart.push(id);
        byEntry.set(id, (byEntry.get(id) ?? 0) + 1);
        last = id;
      }
    }
    spaces.push({ space, rows, byEntry, apart });
  }
  const graph = await readGraph(
    store,
    entries.map(({ id }) => id),
  );
  return { revision, counts: await store.counts(), turns, entries, journal, spaces, graph };
}

async function readGraph(store: Store, entryIds: readonly EntryId[]): Promise<GraphSnapshot> {
  const { counts = { nodes: 0, edges: 0 } } = await store.graph({ counts: true });
  const jobs = (await store.meta<{ readonly jobs: readonly ConsolidationJob[] }>("consolidation"))?.jobs ?? [];
  const list = (after: string | undefined) => store.graph({ list: { limit: PAGE, ...(after !== undefined && { after }) } });
  const nodes = await paged<StoredNode, string>(async (after) => [...(await list(after)).nodes], "id");
  const ids = nodes.map(({ id }) => id);
  const { edges } = await store.graph({ edgesOf: ids, limit: ALL });
  const supportOf = [...ids, ...edges.map(({ from, type, to }) => `${from} ${type} ${to}`)];
  const { support } = await store.graph({ supportOf, supportBy: entryIds, limit: ALL });
  const rows = new Map(support.map((row) => [`${row.of}\n${row.entryId}`, row]));
  return { counts, nodes, edges, support: [...rows.values()], jobs };
}

async function paged<Row, Key extends string | number>(
  read: (after: Key | undefined) => Promise<Row[]>,
  key: keyof Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: Key | undefined; ; ) {
    const page = await read(after);
    rows.push(...page);
    if (page.length < PAGE) return rows;
    after = page.at(-1)?.[key] as Key;
  }
}

/** What the journal says is there, and what it took away and did not put back. */
export function replayed(journal: readonly JournalRecord[]): {
  readonly entries: ReadonlySet<EntryId>;
  readonly turns: ReadonlySet<TurnId>;
  readonly removedEntries: ReadonlySet<EntryId>;
  readonly removedTurns: ReadonlySet<TurnId>;
} {
  const entries = new Set<EntryId>();
  const turns = new Set<TurnId>();
  const removedEntries = new Set<EntryId>();
  const removedTurns = new Set<TurnId>();
  const put = <Id>(ids: readonly Id[], to: Set<Id>, from: Set<Id>) => {
    for (const id of ids) {
      to.add(id);
      from.delete(id);
    }
  };
  for (const operation of journal.flatMap(({ operations }) => operations)) {
    if (operation.type === "put-entries") put(operation.entryIds, entries, removedEntries);
    if (operation.type === "remove-entries") put(operation.entryIds, removedEntries, entries);
    if (operation.type === "put-turns") put(operation.turnIds, turns, removedTurns);
    if (operation.type === "remove-turns") put(operation.turnIds, removedTurns, turns);
  }
  return { entries, turns, removedEntries, removedTurns };
}
