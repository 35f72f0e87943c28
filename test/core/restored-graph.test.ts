/** The long-term memory in a backup: what the device, a model and a file of knowledge taught comes along, once. */

import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type KnowledgeFile, type KnowledgePart, type Memory, modelConsolidator } from "../../src/index.js";
import type { EntryId } from "../../src/types.js";
import { written } from "../backup/files.js";
import { Faults } from "../faults/faults.js";
import { Rig } from "../faults/rig.js";
import { scriptedEngine } from "../slm/scripted-engine.js";
import { entriesOf, openedMemories } from "./opened.js";

const { open } = openedMemories();
const MAY = Date.UTC(2026, 4, 7, 12);

const SAID = [
  "We visited Lisbon last spring.",
  "We visited Ghent last spring.",
  "Rooibos and other teas are what I drink at night.",
  "I signed up for a pottery class.",
];
const KNOWN: KnowledgeFile = {
  format: "keepsake-knowledge",
  version: 1,
  nodes: [
    { id: "a", type: "Concept", name: "espresso", statement: "espresso is a strong drink", confidence: 0.9 },
    { id: "b", type: "Concept", name: "drink", confidence: 0.9 },
  ],
  edges: [{ from: "a", to: "b", type: "IsA", confidence: 0.9 }],
};
const TAUGHT = {
  addNode: [
    { id: "x", type: "Concept", name: "rooibos", statement: "a drink for the night", support: [1, 2, 3, 4] },
    { id: "y", type: "Concept", name: "infusion", statement: "leaves in hot water", support: [1, 2] },
  ],
  addEdge: [{ from: "x", to: "y", type: "IsA", support: [1, 2] }],
};

const saved = (memory: Memory) => new Response(memory.export() as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
const linesOf = async (file: Blob) =>
  gunzipSync(Buffer.from(await file.arrayBuffer()))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Consolidated by the device, by a model, and with knowledge of another device. */
async function learned(): Promise<Memory> {
  const memory = await open();
  for (const [at, user] of SAID.entries()) await memory.record({ user, at: MAY + at });
  await memory.consolidate();
  const consolidator = modelConsolidator(scriptedEngine({ answers: [JSON.stringify(TAUGHT)] }));
  await memory.consolidate({ consolidator, optedIn: true });
  expect(await memory.knowledge.import(KNOWN)).toMatchObject({ nodes: 2, edges: 1, refused: {} });
  return memory;
}

/** The graph as a person sees it. */
async function graphOf(memory: Memory): Promise<KnowledgePart> {
  const { nodes, edges } = await memory.knowledge.nodes({ limit: 1_000, candidates: true });
  const sorted = nodes.map((node) => ({ ...node, confidence: node.confidence.toFixed(9), entryIds: [...node.entryIds].sort() }));
  const key = ({ from, type, to }: KnowledgePart["edges"][number]) => `${from} ${type} ${to}`;
  return {
    nodes: sorted as never,
    edges: edges
      .map((edge) => ({ ...edge, confidence: Number(edge.confidence.toFixed(9)) }))
      .sort((a, b) => (key(a) < key(b) ? -1 : 1)),
  };
}

/** What a recall reached over the graph, and how. */
async function pathsOf(memory: Memory): Promise<string[]> {
  const paths: string[] = [];
  for (const question of ["Which places were visited?", "Which infusion is for the night?"]) {
    const { trace } = await memory.recall(question, { touch: false });
    for (const { text, reason } of trace.candidates)
      if (reason.includes("reached over")) paths.push(`${text}: ${reason.replace(/^.*reached/u, "reached")}`);
  }
  return paths.sort();
}

describe("a graph in a backup", { timeout: 60_000 }, () => {
  it("comes with the entries that it rests on, once, and leads to the same memories", async () => {
    const memory = await learned();
    const graph = await graphOf(memory);
    const paths = await pathsOf(memory);
    expect(graph.nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["espresso", "rooibos", "infusion", "user: places visited"]),
    );
    expect(paths.join("\n")).toMatch(/user: places visited/);
    expect(paths.join("\n")).toMatch(/infusion/);
    const file = await saved(memory);
    const other = await open({ name: `${memory.name} elsewhere`, userId: "elsewhere" });
    await other.import(file);
    await other.untilEmbedded();
    expect(await graphOf(other)).toEqual(graph);
    expect(await pathsOf(other)).toEqual(paths);
    const { revision } = await other.stats();
    await other.import(file);
    expect((await other.stats()).revision).toBe(revision);
    expect(await graphOf(other)).toEqual(graph);
    // Nothing is sent to an engine again, nor fades because the device goes through all of it again.
    expect(await other.consolidate()).toMatchObject({ batches: 0, left: 0 });
    const engine = scriptedEngine({ answers: [JSON.stringify(TAUGHT)] });
    expect(await other.consolidate({ consolidator: modelConsolidator(engine), optedIn: true })).toMatchObject({ batches: 0 });
    expect(engine.asked).toEqual([]);
    // Into the memory that it comes from it changes nothing.
    await memory.import(file);
    expect(await graphOf(memory)).toEqual(graph);
  });

  it("goes, after it was restored, with the entries that supported it", async () => {
    const memory = await learned();
    const other = await open({ userId: "elsewhere" });
    await other.import(await saved(memory));
    const lisbon = (await entriesOf(other)).find(({ text }) => text.includes("Lisbon"));
    await other.forget({ entryIds: [lisbon?.id as EntryId] });
    await memory.forget({ entryIds: [lisbon?.id as EntryId] });
    expect(await graphOf(other)).toEqual(await graphOf(memory));
    expect(JSON.stringify(await graphOf(other))).not.toMatch(/lisbon/iu);
    await other.forget({ everything: true });
    expect((await graphOf(other)).nodes.map(({ name }) => name).sort()).toEqual(["drink", "espresso"]);
  });

  it("leaves out what rests on what was forgotten here, and other users' part", async () => {
    const memory = await learned();
    const neighbour = await open({ userId: "neighbour" });
    await neighbour.record({ user: "Meditation is a kind of exercise." });
    await neighbour.consolidate();
    const file = await saved(memory);
    expect(JSON.stringify(await linesOf(file))).not.toMatch(/meditation/iu);
    const lisbon = (await entriesOf(memory)).find(({ text }) => text.includes("Lisbon"))?.id as EntryId;
    await memory.forget({ entryIds: [lisbon] });
    const graph = await graphOf(memory);
    await memory.import(file);
    expect(await graphOf(memory)).toEqual(graph);
    // Elsewhere it was forgotten before the backup came.
    const other = await open({ name: `${memory.name} elsewhere` });
    await other.import(await saved(memory));
    await other.import(file);
    expect(await graphOf(other)).toEqual(graph);
    expect((await graphOf(neighbour)).nodes.map(({ name }) => name)).toContain("meditation");
  });

  it("leaves out what was made of other words than an entry has here", async () => {
    const memory = await learned();
    const file = await saved(memory);
    const other = await open({ userId: "elsewhere" });
    await other.import(file);
    const lisbon = (await entriesOf(other)).find(({ text }) => text.includes("Lisbon"))?.id as EntryId;
    await other.update(lisbon, { text: "We visited Porto last spring." });
    const graph = await graphOf(other);
    expect(JSON.stringify(graph)).not.toMatch(/lisbon/iu);
    await other.import(file);
    expect(await graphOf(other)).toEqual(graph);
    expect(await other.consolidate()).toMatchObject({ entries: 1 });
  });

  it("adds the support that is missing to what was learned here", async () => {
    const memory = await learned();
    const file = await saved(memory);
    const lines = await linesOf(file);
    const other = await open({ userId: "elsewhere" });
    // Two of its memories came earlier, with a backup that held no graph, and the device has learned of them by itself.
    const [first, ...rows] = lines.slice(1, -1);
    const { nodes: _, edges: __, ...told } = first.memory;
    const some = rows.filter((row) => "turn" in row || /Lisbon|pottery/u.test(row.entry?.text ?? ""));
    await other.import(new Blob([await written([{ memory: told }, ...some])]));
    expect(await other.consolidate()).toMatchObject({ entries: 2 });
    await other.knowledge.import({ ...KNOWN, nodes: KNOWN.nodes.map((node) => ({ ...node, confidence: 0.5 })) });
    await other.import(file);
    const seen = ({ nodes, edges }: KnowledgePart) => [
      nodes.map(({ id, name, entryIds, scope }) => ({ id, name, entryIds, scope })),
      edges.map(({ from, type, to }) => `${from} ${type} ${to}`),
    ];
    expect(seen(await graphOf(other))).toEqual(seen(await graphOf(memory)));
    for (const node of (await graphOf(memory)).nodes) {
      const { confidence } = (await graphOf(other)).nodes.find(({ id }) => id === node.id) ?? { confidence: 0 };
      expect(Math.abs(Number(confidence) - Number(node.confidence)), node.name).toBeLessThan(0.05);
    }
    await other.untilEmbedded();
    const { revision } = await other.stats();
    await other.import(file);
    expect((await other.stats()).revision).toBe(revision);
  });

  it("brings no edge whose ends do not come, and nothing that has faded away", async () => {
    const memory = await learned();
    const file = await saved(memory);
    const rows = (await linesOf(file)).slice(1, -1).map((row) => (row.node?.name === "infusion" ? { ...row, idle: 1_000 } : row));
    const other = await open({ userId: "elsewhere" });
    const faded = new Blob([await written(rows)]);
    await other.import(faded);
    const names = (await graphOf(other)).nodes.map(({ name }) => name);
    expect(names).toContain("rooibos");
    expect(names).not.toContain("infusion");
    await other.untilEmbedded();
    const { revision } = await other.stats();
    await other.import(faded);
    expect((await other.stats()).revision).toBe(revision);
    // With its ends the edge comes.
    await other.import(file);
    expect(await graphOf(other)).toEqual(await graphOf(memory));
  });

  it("is not missed where there is none: what a backup without one brings is consolidated anew", async () => {
    const memory = await learned();
    const lines = await linesOf(await saved(memory));
    const [first, ...rows] = lines.slice(1, -1);
    const { nodes: _, edges: __, ...told } = first.memory;
    const old = [{ memory: told }, ...rows.filter((row) => !("node" in row || "edge" in row))];
    const other = await open({ userId: "elsewhere" });
    await other.import(new Blob([await written(old)]));
    expect(await other.consolidate()).toMatchObject({ entries: SAID.length, left: 0 });
  });

  it("is whole where a batch is consolidated, and something forgotten, while it is written", async () => {
    const memory = await open();
    const said = Array.from({ length: 600 }, (_, at) => `I counted ${at} swallows over the barn.`);
    await memory.record({ messages: [...said, ...SAID].map((text, at) => ({ role: "user" as const, text, at: MAY + at })) });
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = memory.export().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value as Uint8Array<ArrayBuffer>);
      if (chunks.length !== 2) continue;
      await memory.consolidate();
      const gone = (await entriesOf(memory)).find(({ text }) => text.includes("Lisbon"));
      await memory.forget({ entryIds: [gone?.id as EntryId] });
    }
    const other = await open({ userId: "elsewhere" });
    await other.import(new Blob(chunks));
    expect(await graphOf(other)).toEqual(await graphOf(memory));
    expect(await other.consolidate()).toMatchObject({ batches: 0, left: 0 });
  });

  it("is read again where another handle changes it meanwhile, and the entries that this rests on too", async () => {
    const rig = new Rig();
    const faults = new Faults();
    try {
      const [one, two] = [(await rig.open(faults)).memory, (await rig.open(new Faults(), "beside")).memory];
      for (const [at, user] of SAID.entries()) await one.record({ user, at: MAY + at });
      await one.consolidate();
      await one.record({ user: "We visited Turin last spring.", at: MAY + 9 });
      let reads = 0;
      faults.arm(({ method, side }) =>
        method === "graph" && side === "before" && reads++ === 2 ? { until: two.consolidate() } : undefined,
      );
      const file = await saved(one);
      faults.arm(() => undefined);
      expect(reads).toBeGreaterThan(6);
      const other = await open();
      await other.import(file);
      expect(await graphOf(other)).toEqual(await graphOf(two));
      expect(JSON.stringify(await graphOf(other))).toContain("turin");
      expect(await other.consolidate()).toMatchObject({ batches: 0, left: 0 });
    } finally {
      await rig.close();
    }
  });
});
