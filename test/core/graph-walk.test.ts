import { describe, expect, it } from "vitest";
import { GraphWalk } from "../../src/core/graph-walk.js";
import { categoriesOf } from "../../src/ltm/node-id.js";
import type { GraphRead, Store, StoredEdge, StoredNode, SupportRow } from "../../src/ports.js";
import { EntryTable } from "../../src/retrieve/entry-table.js";
import type { Entry, EntryId } from "../../src/types.js";
import { edge, entry, node } from "../store/samples.js";

interface Drawn {
  readonly nodes: readonly StoredNode[];
  readonly edges?: readonly StoredEdge[];
  readonly members: Readonly<Record<string, readonly string[]>>;
}

/** A store that holds a graph and counts what is read of it. */
function storeOf({ nodes, edges = [], members }: Drawn) {
  const asked: GraphRead[] = [];
  const graph = async (read: GraphRead) => {
    asked.push(read);
    const support = (read.supportOf ?? []).flatMap((of) =>
      (members[of] ?? []).map((id): SupportRow => ({ of, entryId: id as EntryId, weight: 0.25 })),
    );
    return {
      nodes: nodes.filter(({ id, terms }) => read.nodes?.includes(id) || read.terms?.some((term) => terms.includes(term))),
      edges: edges.filter(({ from, to }) => read.edgesOf?.some((id) => id === from || id === to)),
      support,
      common: [],
    };
  };
  return { store: { graph } as unknown as Store, asked };
}

/** Memories of whoever they are about. */
function tableOf(about: Readonly<Record<string, readonly string[]>>): EntryTable {
  const table = new EntryTable();
  for (const [subject, ids] of Object.entries(about))
    for (const id of ids) {
      const { sources, ...rest } = entry(id) as Entry;
      const speaker = subject === "user" ? {} : { speaker: subject };
      table.put({ ...rest, subject, sources: sources.map((source) => ({ ...source, ...speaker })) });
    }
  return table;
}

const category = (subject: string, name: string, ...terms: readonly string[]) =>
  node(`${subject}-${name}`, { name: `${subject}: ${name}`, scope: "own", terms: [...terms, categoriesOf(subject)] });

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`);
const weights = async (walk: GraphWalk, text: string, table: EntryTable) =>
  new Map([...(await walk.walk(text, table))].map(([id, { weight }]) => [id as string, weight]));

const table = tableOf({ Mia: numbered("m", 40), Ben: numbered("b", 40) });
const drawn = {
  nodes: [category("Mia", "sports", "sport", "hobbi"), category("Mia", "crafts", "hobbi"), category("Ben", "sports", "sport")],
  members: { "Mia-sports": ["m1", "m2"], "Mia-crafts": ["m2", ...numbered("m", 40).slice(10, 30)], "Ben-sports": ["b1"] },
};

describe("the walk into the graph", () => {
  it("goes to the categories of whom the question names, and says by which", async () => {
    const { store } = storeOf(drawn);
    const found = await new GraphWalk(store).walk("Which sports does Mia do?", table);
    expect([...found.keys()].sort()).toEqual(["m1", "m2"]);
    expect(found.get("m1" as EntryId)?.path).toBe("Mia: sports");
  });

  it("goes to everybody's where the question names nobody, and to the user's own where they ask of themselves", async () => {
    const { store } = storeOf({
      nodes: [...drawn.nodes, category("user", "sports", "sport")],
      members: { ...drawn.members, "user-sports": ["u1"] },
    });
    const walk = new GraphWalk(store);
    const all = tableOf({ Mia: numbered("m", 40), Ben: numbered("b", 40), user: numbered("u", 9) });
    expect([...(await weights(walk, "Which sports were tried?", all)).keys()].sort()).toEqual(["b1", "m1", "m2", "u1"]);
    expect([...(await weights(walk, "Which sports did I try?", all)).keys()]).toEqual(["u1"]);
  });

  it("weighs a small category more than a large one, and the sum of both more than either", async () => {
    const found = await weights(new GraphWalk(storeOf(drawn).store), "What hobbies does Mia have?", table);
    const [small, both, large] = ["m1", "m2", "m10"].map((id) => found.get(id) ?? 0) as [number, number, number];
    expect(small).toBeGreaterThan(2 * large);
    expect(large).toBeGreaterThan(0);
    expect(both).toBeCloseTo(small + large, 10);
  });

  it("leaves categories aside where a time is asked for", async () => {
    const walk = new GraphWalk(storeOf(drawn).store);
    expect((await weights(walk, "When did Mia begin her hobbies?", table)).size).toBe(0);
  });

  it("leaves a category aside that holds more than it reads of one", async () => {
    const many = numbered("m", 600);
    const { store } = storeOf({ nodes: drawn.nodes, members: { "Mia-sports": many } });
    expect((await weights(new GraphWalk(store), "Which sports does Mia do?", tableOf({ Mia: numbered("m", 9_000) }))).size).toBe(
      0,
    );
  });

  it("goes from a thing to what is known of it at most two steps on, for less than a category counts", async () => {
    const { store } = storeOf({
      nodes: ["tea", "rooibos", "farm", "soil"].map((id) => node(id, { terms: [id] })),
      edges: [edge("rooibos", "IsA", "tea"), edge("farm", "RelatedTo", "rooibos"), edge("soil", "RelatedTo", "farm")],
      members: { tea: ["e0"], rooibos: ["e1"], farm: ["e2"], soil: ["e3"] },
    });
    const found = await new GraphWalk(store).walk("Which tea?", table);
    expect([...found.keys()].sort()).toEqual(["e0", "e1", "e2"]);
    expect(found.get("e2" as EntryId)?.path).toBe("tea → rooibos → farm");
    for (const { weight } of found.values()) expect(weight).toBeLessThanOrEqual(0.1);
  });

  it("reads a part once, until it is told to forget", async () => {
    const { store, asked } = storeOf(drawn);
    const walk = new GraphWalk(store);
    const first = await weights(walk, "Which sports does Mia do?", table);
    const read = asked.length;
    expect(await weights(walk, "Which sports does Mia do?", table)).toEqual(first);
    expect(asked).toHaveLength(read);
    walk.forget();
    expect(await weights(walk, "Which sports does Mia do?", table)).toEqual(first);
    expect(asked).toHaveLength(2 * read);
  });
});
