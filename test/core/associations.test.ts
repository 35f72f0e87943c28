import { describe, expect, it } from "vitest";
import { associationsOf } from "../../src/core/associations.js";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { SUPPORT_WEIGHT } from "../../src/ltm/confidence.js";
import type { GraphRead, Store, StoredNode } from "../../src/ports.js";
import { lexicalDocument } from "../../src/retrieve/entry-index.js";
import { EntryTable } from "../../src/retrieve/entry-table.js";
import { Bm25Index } from "../../src/retrieve/lexical.js";
import { termsOf } from "../../src/text/terms.js";
import type { Entry } from "../../src/types.js";
import { entry, node, turnId } from "../store/samples.js";

const named = (name: string, given: Partial<StoredNode> = {}) => node(name, { terms: [...termsOf(name)], ...given });

/** A memory of some sentences, each told in a turn of its own. */
function memoryOf(sentences: readonly string[], nodes: readonly StoredNode[], turns: readonly string[] = []) {
  const [lexical, table] = [new Bm25Index(), new EntryTable()];
  const entries = sentences.map((text, at): Entry => {
    const sources = [{ turnId: turnId(turns[at] ?? `t${at}`), role: "user", quote: text }] as const;
    return { ...entry(`e${at}`, text), sources, revision: 1 };
  });
  for (const one of entries) lexical.add(table.put(one), lexicalDocument(one, termsOf(one.indexText)));
  let reads = 0;
  const graph = async ({ terms = [], limit = 1 }: GraphRead) => {
    reads++;
    const found = terms.flatMap((term) => nodes.filter((one) => one.terms.includes(term)).slice(0, limit));
    return { nodes: [...new Set(found)], edges: [], support: [], common: [] };
  };
  const index = () => ({ lexical, table }) as unknown as MemoryIndex;
  return {
    entries,
    reads: () => reads,
    of: (batch: readonly (Entry | undefined)[]) => associationsOf({ store: { graph } as unknown as Store, index }, batch),
  };
}

const NOISE = Array.from({ length: 20 }, (_, at) => `Something else was said, number ${at}.`);
const TOGETHER = ["The kiln and the glaze.", "A glaze cracks in the kiln.", "New glaze for the kiln."];
const NODES = [named("kiln"), named("glaze")];

describe("associations", () => {
  it("are between what three memories mention together, supported by those of the batch, as sure as it is above chance", async () => {
    const memory = memoryOf([...TOGETHER, ...NOISE], NODES);
    const { nodes, operations } = await memory.of([undefined, memory.entries[2]]);
    expect(nodes.map(({ name }) => name).sort()).toEqual(["glaze", "kiln"]);
    expect(operations).toMatchObject([{ type: "addEdge", from: "glaze", to: "kiln", edge: "RelatedTo", support: [2] }]);
    const [first] = operations as readonly { readonly weight?: number }[];
    expect(first?.weight).toBeLessThanOrEqual(SUPPORT_WEIGHT);
    const often = memoryOf([...TOGETHER, ...TOGETHER, ...NOISE], NODES);
    const [second] = (await often.of(often.entries.slice(0, 1))).operations as readonly { readonly weight?: number }[];
    expect(second?.weight).toBeLessThan(first?.weight ?? 0);
  });

  it.each<[string, readonly string[], readonly StoredNode[], readonly string[]]>([
    ["two memories", TOGETHER.slice(0, 2), NODES, []],
    ["three entries of one turn", TOGETHER, NODES, ["t", "t", "t"]],
    ["what only one memory knows", TOGETHER, [named("kiln"), named("glaze", { confidence: SUPPORT_WEIGHT })], []],
    ["a category of the person's own", TOGETHER, [named("kiln"), named("glaze", { scope: "own" })], []],
    ["a thing and a sort of it", ["Green tea.", "More green tea.", "Green tea again."], [named("tea"), named("green tea")], []],
    ["nothing that is known", TOGETHER, [], []],
  ])("are not made of %s", async (_, sentences, nodes, turns) => {
    const memory = memoryOf([...sentences, ...NOISE], nodes, turns);
    expect((await memory.of(memory.entries.slice(0, 3))).operations).toEqual([]);
  });

  it("are not made of what stands in every memory anyway", async () => {
    const memory = memoryOf([...TOGETHER, ...TOGETHER, "The end."], NODES);
    expect((await memory.of(memory.entries)).operations).toEqual([]);
  });

  it("cost no read where a batch mentions nothing a third time", async () => {
    const memory = memoryOf(["The kiln and the glaze."], NODES);
    await memory.of(memory.entries);
    expect(memory.reads()).toBe(0);
  });
});
