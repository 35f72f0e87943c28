import { describe, expect, it } from "vitest";
import type { StoredEdge, StoredNode } from "../../src/ports.js";
import type { ConsolidationJob, Entry, EntryId } from "../../src/types.js";
import { graphViolations } from "./graph-invariants.js";
import { FOREIGN_KNOWLEDGE, isTaught, scriptedConsolidator } from "./kill/scripted-consolidator.js";
import { Ledger, type SaidTurn } from "./ledger.js";
import { Rig } from "./rig.js";
import { type GraphSnapshot, readSnapshot, type Snapshot } from "./snapshot.js";

const TURNS: readonly SaidTurn[] = [
  "I keep the violin number 1 in the attic behind box 4.",
  "I keep the quilt number 2 in the attic behind box 5.",
  "I keep the lantern number 3 in the shed behind box 6.",
].map((text, index) => ({ id: `t${index}`, conversationId: "default", text, isStatement: true }));

const SCRIPTED = { consolidator: scriptedConsolidator(() => 0), optedIn: true } as const;

async function consolidated(): Promise<Rig> {
  const rig = new Rig({ isTaught });
  const told = await rig.open();
  for (const turn of TURNS) await told.record([turn]);
  await told.consolidate();
  await told.consolidate(SCRIPTED);
  return rig;
}

async function snapshot(): Promise<{ readonly whole: Snapshot; readonly ledger: Ledger }> {
  const rig = await consolidated();
  const whole = await readSnapshot(await rig.store());
  await rig.close();
  return { whole, ledger: rig.ledger };
}

const first = <T>(items: readonly T[]): T => items[0] as T;
const withGraph = (whole: Snapshot, part: Partial<GraphSnapshot>): Snapshot => ({ ...whole, graph: { ...whole.graph, ...part } });
const withEntry = (whole: Snapshot, change: (entry: Entry) => Entry): Snapshot => ({
  ...whole,
  entries: whole.entries.map((entry, at) => (at === 0 ? change(entry) : entry)),
});
const withFirstNode = (whole: Snapshot, change: (node: StoredNode) => StoredNode): Snapshot =>
  withGraph(whole, { nodes: whole.graph.nodes.map((node, at) => (at === 0 ? change(node) : node)) });
const withFirstEdge = (whole: Snapshot, change: (edge: StoredEdge) => StoredEdge): Snapshot =>
  withGraph(whole, { edges: whole.graph.edges.map((edge, at) => (at === 0 ? change(edge) : edge)) });
const scriptedJob = ({ graph }: Snapshot): ConsolidationJob =>
  graph.jobs.find(({ consolidator }) => consolidator === "scripted") as ConsolidationJob;

function unconsolidated({ consolidatedAt: _, ...entry }: Entry): Entry {
  return entry;
}

/** Each breaks one thing, and names what is said of it. */
const BROKEN: Readonly<Record<string, readonly [change: (whole: Snapshot) => Snapshot, says: RegExp]>> = {
  "a node that is counted and not there": [
    (whole) => withGraph(whole, { counts: { ...whole.graph.counts, nodes: whole.graph.counts.nodes + 1 } }),
    /^inconsistent: \d+ nodes and \d+ edges are listed, \d+ and \d+ counted/,
  ],
  "an edge that lost an end": [
    (whole) => withFirstEdge(whole, (edge) => ({ ...edge, to: "gone" })),
    /^inconsistent: the edge .* gone has an end that is not there/,
  ],
  "a node that is surer than its support": [
    (whole) => withFirstNode(whole, (node) => ({ ...node, confidence: 0.999 })),
    /^inconsistent: the node .* is 0.999 sure, what it rests on says/,
  ],
  "an edge whose support counted twice": [
    (whole) => withFirstEdge(whole, (edge) => ({ ...edge, confidence: 1 - (1 - edge.confidence) ** 2 })),
    /^inconsistent: the edge .* sure, what it rests on says/,
  ],
  "a node that nothing supports": [
    (whole) => {
      const { id } = first(whole.graph.nodes);
      return withGraph(whole, { support: whole.graph.support.filter(({ of }) => of !== id) });
    },
    /^inconsistent: the node .* rests on nothing/,
  ],
  "an edge whose support did not count": [
    (whole) => withFirstEdge(whole, (edge) => ({ ...edge, confidence: edge.confidence / 2 })),
    /^inconsistent: the edge .* sure, what it rests on says/,
  ],
  "an edge of another device that is less sure than the person's own word": [
    (whole) => withFirstEdge(whole, (edge) => ({ ...edge, isImported: true, confidence: 0.01 })),
    /^inconsistent: the edge .* is 0.01 sure, what it rests on says/,
  ],
  "support of what is not there": [
    (whole) => {
      const { entryId } = first(whole.graph.support);
      return withGraph(whole, { support: [...whole.graph.support, { of: "gone", entryId, weight: 0.25 }] });
    },
    /^inconsistent: .* supports gone, which is not there/,
  ],
  "support by an entry that is gone": [
    (whole) => ({ ...whole, entries: whole.entries.slice(1) }),
    /^inconsistent: .* rests on .*, which is gone/,
  ],
  "support by an entry that was not consumed": [
    (whole) => withEntry(whole, unconsolidated),
    /^inconsistent: .* rests on .*, which was not consolidated/,
  ],
  "an entry that was consumed without its result": [
    (whole) => {
      const { id } = first(whole.entries);
      return withGraph(whole, { support: whole.graph.support.filter(({ entryId }) => entryId !== id) });
    },
    /^lost: what .* taught an engine/,
  ],
  "a batch that is done with an entry that still waits": [
    (whole) => withEntry(whole, unconsolidated),
    /^inconsistent: the batch .* is done, and .* was not consolidated/,
  ],
  "a consolidation that was acknowledged and undone": [
    (whole) => withGraph(withEntry(whole, unconsolidated), { jobs: [] }),
    /^lost: that .* was consolidated/,
  ],
  "an entry that two batches consumed at once": [
    (whole) => {
      const job = scriptedJob(whole);
      return withGraph(whole, { jobs: [...whole.graph.jobs, { ...job, id: "again", updatedAt: job.updatedAt + 1 }] });
    },
    /^doubled: .* is consolidated by two batches at once/,
  ],
  "an entry that a second batch takes before the first is done": [
    (whole) => {
      const job: ConsolidationJob = { ...scriptedJob(whole), state: "sent" };
      return withGraph(whole, { jobs: [job, { ...job, id: "again", createdAt: job.createdAt + 1 }] });
    },
    /^doubled: .* is consolidated by two batches at once/,
  ],
};

describe("the invariants of the graph", () => {
  it("hold of what the device and an engine made of memories, and of knowledge that came from elsewhere", async () => {
    const { whole, ledger } = await snapshot();
    expect(graphViolations(whole, ledger, { isTaught })).toEqual([]);
    const names = whole.graph.nodes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["violin", "quilt", "lantern", "attic", "shed", "keeping"]));
    expect(whole.graph.edges).toHaveLength(6);
    expect(ledger.consolidated.size).toBe(TURNS.length);
    expect(scriptedJob(whole)).toMatchObject({ state: "committed", refused: {} });

    const rig = await consolidated();
    const { memory } = await rig.open();
    expect(await memory.knowledge.import(FOREIGN_KNOWLEDGE)).toEqual({ nodes: 2, edges: 1, refused: {} });
    expect(graphViolations(await readSnapshot(await rig.store()), rig.ledger, { isTaught })).toEqual([]);
    await rig.close();
  });

  it.each(Object.entries(BROKEN))("tell %s", async (_, [change, says]) => {
    const { whole, ledger } = await snapshot();
    const found = graphViolations(change(whole), ledger, { isTaught }).map(({ kind, what }) => `${kind}: ${what}`);
    expect(found).toContainEqual(expect.stringMatching(says));
  });

  it("allow that a node fades, and that another device was surer", async () => {
    const { whole, ledger } = await snapshot();
    const faded = withFirstNode(whole, (node) => ({ ...node, confidence: node.confidence / 2 }));
    const surer = withFirstEdge(faded, (edge) => ({ ...edge, isImported: true, confidence: 0.999 }));
    expect(graphViolations(surer, ledger, { isTaught })).toEqual([]);
  });

  it("allow that an entry is consolidated anew once it was corrected, used, or evicted and restored", async () => {
    const { whole, ledger } = await snapshot();
    const { id } = first(whole.entries);
    const reworded = withEntry(whole, (entry) => ({
      ...unconsolidated(entry),
      changes: [{ kind: "edited", at: 1, before: entry }],
    }));
    const bare = { ...reworded.graph, support: [], nodes: [], edges: [], counts: { nodes: 0, edges: 0 } };
    expect(graphViolations({ ...reworded, graph: bare }, ledger)).toEqual([]);
    const job = scriptedJob(whole);
    const later = { ...job, id: "again", createdAt: job.updatedAt, updatedAt: job.updatedAt + 1 };
    expect(graphViolations(withGraph(whole, { jobs: [...whole.graph.jobs, later] }), ledger)).toEqual([]);
    const restored = withEntry(whole, unconsolidated);
    expect(graphViolations({ ...restored, graph: bare }, ledger, { evicts: true })).toEqual([]);
    expect(ledger.consolidated).toContain(id);
  });

  it("are looked at with a store's other invariants", async () => {
    const rig = await consolidated();
    expect(await rig.check()).toEqual([]);
    const store = await rig.store();
    const { nodes } = await store.graph({ list: {} });
    await store.write({ graph: { nodes: [{ ...first(nodes), confidence: 0.99 }] } });
    expect(await rig.check()).toMatchObject([{ kind: "inconsistent", what: expect.stringContaining("0.99 sure") }]);
    await rig.close();
  });

  it("follow what was acknowledged through corrections and forgetting", async () => {
    const rig = await consolidated();
    const told = await rig.open();
    const [one, other] = (await (await rig.store()).listEntries()).map(({ id }) => id) as [EntryId, EntryId];
    await told.update(one, "I keep the violin number 1 in the cellar behind box 4.");
    await told.forget([other]);
    expect([...Ledger.fromPlain(rig.ledger.toPlain()).consolidated]).toHaveLength(1);
    expect(await rig.check(told)).toEqual([]);
    await told.consolidate(SCRIPTED);
    expect(rig.ledger.consolidated).toContain(one);
    expect(await rig.check(told)).toEqual([]);
    await rig.close();
  });
});
