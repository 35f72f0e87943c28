/** Contract: the graph lies beside the entries, is read a part at a time, and goes with what supports it. */
import { describe, expect, it } from "vitest";
import type { GraphRead, Store, StoreFactory } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { edge, entry, entryId, node, turnId, userId } from "../samples.js";

export function describeGraph({ stores }: StoreHarness): void {
  const withStore = async (test: (store: Store, factory: StoreFactory, name: string) => Promise<void>) => {
    const factory = stores();
    const name = freshName();
    const store = await factory.open(name, userId("me"));
    await test(store, factory, name);
    await store.close();
  };
  const supports = (of: string, id: string, weight = 0.5) => ({ of, entryId: entryId(id), weight });
  /** Tea and coffee are drinks; e1 says both, e2 says tea. */
  const fill = (store: Store) =>
    store.write({
      entries: [entry("e1"), entry("e2")],
      graph: {
        nodes: [node("tea", { confidence: 0.75 }), node("coffee"), node("drink", { terms: ["drink", "beverag"] })],
        edges: [edge("tea", "IsA", "drink", 0.75), edge("coffee", "IsA", "drink")],
        support: [
          ...["tea", "coffee", "drink", "tea IsA drink", "coffee IsA drink"].map((of) => supports(of, "e1")),
          ...["tea", "tea IsA drink"].map((of) => supports(of, "e2")),
        ],
      },
    });
  const all: GraphRead = { list: {}, edgesOf: ["drink"], counts: true };
  const seen = async (store: Store) => {
    const { nodes, edges, counts } = await store.graph(all);
    return { nodes: nodes.map(({ id, confidence }) => [id, confidence]), edges: edges.map(({ from }) => from).sort(), counts };
  };

  describe("the graph of a store", () => {
    it("is read by id, by stem, by page and around a node", () =>
      withStore(async (store) => {
        await fill(store);
        expect((await store.graph({ nodes: ["tea", "none"] })).nodes).toEqual([node("tea", { confidence: 0.75 })]);
        expect((await store.graph({ terms: ["beverag", "tea"] })).nodes.map(({ id }) => id).sort()).toEqual(["drink", "tea"]);
        expect((await store.graph({ list: { after: "coffee", limit: 1 } })).nodes.map(({ id }) => id)).toEqual(["drink"]);
        expect((await store.graph({ edgesOf: ["tea"] })).edges).toEqual([edge("tea", "IsA", "drink", 0.75)]);
        expect((await store.graph({ edges: ["tea IsA drink", "tea IsA tea", "tea"] })).edges).toEqual([
          edge("tea", "IsA", "drink", 0.75),
        ]);
        expect((await store.graph({ edgesOf: ["drink"], limit: 1 })).edges).toHaveLength(1);
        expect((await store.graph({ supportOf: ["coffee"] })).support).toEqual([supports("coffee", "e1")]);
        expect((await store.graph({ supportBy: [entryId("e2")] })).support.map(({ of }) => of).sort()).toEqual([
          "tea",
          "tea IsA drink",
        ]);
        expect((await store.graph({ counts: true })).counts).toEqual({ nodes: 3, edges: 2 });
      }));

    it("loses what a removed entry alone supported, and that part of the rest's confidence", () =>
      withStore(async (store) => {
        await fill(store);
        await store.write({ removeEntries: [entryId("e2")] });
        expect(await seen(store)).toMatchObject({
          nodes: [
            ["coffee", 0.5],
            ["drink", 0.5],
            ["tea", 0.5],
          ],
          edges: ["coffee", "tea"],
        });
        await store.write({ removeEntries: [entryId("e1")] });
        expect(await seen(store)).toEqual({ nodes: [], edges: [], counts: { nodes: 0, edges: 0 } });
        expect(await store.graph({ terms: ["tea", "drink"], supportOf: ["tea", "tea IsA drink"] })).toMatchObject({
          nodes: [],
          support: [],
        });
      }));

    it("loses what rested on words that an entry no longer holds, and the entry is consolidated anew", () =>
      withStore(async (store) => {
        await fill(store);
        await store.write({ entries: [{ ...entry("e1"), consolidatedAt: 5 }] });
        expect((await store.entries([entryId("e1")]))[0]?.consolidatedAt).toBe(5);
        await store.write({ entries: [{ ...entry("e1", "other words"), consolidatedAt: 5 }] });
        expect((await store.entries([entryId("e1")]))[0]).not.toHaveProperty("consolidatedAt");
        expect((await seen(store)).nodes.map(([id]) => id)).toEqual(["tea"]);
      }));

    it("keeps what was imported without support", () =>
      withStore(async (store) => {
        await fill(store);
        await store.write({ graph: { nodes: [node("coffee", { isImported: true })] } });
        await store.write({ removeEntries: [entryId("e1"), entryId("e2")] });
        expect((await store.graph({ list: {} })).nodes.map(({ id }) => id)).toEqual(["coffee"]);
      }));

    it("takes a node's edges and their support with it, and leaves out an edge without its ends and support without its entry", () =>
      withStore(async (store) => {
        await fill(store);
        await store.write({
          graph: { removeNodes: ["drink"], edges: [edge("tea", "IsA", "drink")], support: [supports("tea", "nobody")] },
        });
        expect(await seen(store)).toMatchObject({ edges: [], counts: { nodes: 2, edges: 0 } });
        expect((await store.graph({ supportOf: ["tea", "tea IsA drink", "drink"] })).support.map(({ of }) => of)).toEqual([
          "tea",
          "tea",
        ]);
      }));

    it("shows what two users support, and of a third way of saying it nothing", () =>
      withStore(async (mine, factory, name) => {
        const [others, thirds] = [await factory.open(name, userId("you")), await factory.open(name, userId("they"))];
        const common = (store: Store) => store.graph({ common: { minUsers: 2 } }).then((part) => part.common);
        await mine.write({ graph: { nodes: [node("tea"), node("mine"), node("own", { scope: "own" })] } });
        expect(await common(others)).toEqual([]);
        await others.write({ graph: { nodes: [node("tea", { statement: "what you say" }), node("own", { scope: "own" })] } });
        const tea = { id: "tea", type: "Concept", name: "tea", confidence: 0.75, users: 2 };
        for (const store of [mine, others, thirds]) expect(await common(store)).toEqual([tea]);
        await thirds.write({ graph: { nodes: [node("tea"), node("mine", { isImported: true })] } });
        expect(await common(others)).toEqual([{ ...tea, confidence: 0.875, users: 3, statement: "what tea is" }]);
        expect(await others.graph({ common: { minUsers: 2, after: "tea" } })).toMatchObject({ common: [] });
        await factory.eraseUser(name, userId("me"));
        await factory.eraseUser(name, userId("they"));
        expect(await common(others)).toEqual([]);
        await others.close();
        await thirds.close();
      }));

    it("shows the edges that two users have themselves, of what they have in common", () =>
      withStore(async (mine, factory, name) => {
        const [others, thirds] = [await factory.open(name, userId("you")), await factory.open(name, userId("they"))];
        const nodes = ["tea", "drink", "cup"].map((id) => node(id));
        await mine.write({ graph: { nodes, edges: [edge("tea", "IsA", "drink"), edge("tea", "RelatedTo", "cup")] } });
        await others.write({ graph: { nodes, edges: [edge("tea", "IsA", "drink"), edge("drink", "RelatedTo", "cup")] } });
        const imported = { ...edge("tea", "RelatedTo", "cup"), isImported: true } as const;
        await thirds.write({ graph: { nodes: nodes.map((one) => ({ ...one, isImported: true as const })), edges: [imported] } });
        const { common, edges } = await thirds.graph({ common: { minUsers: 2, withEdges: true } });
        expect(common.map(({ id }) => id)).toEqual(["cup", "drink", "tea"]);
        expect(edges).toEqual([edge("tea", "IsA", "drink", 0.75)]);
        expect((await thirds.graph({ common: { minUsers: 2 } })).edges).toEqual([]);
        await others.close();
        await thirds.close();
      }));

    it("takes more rows in one write than it puts at a time, and shows all of them or none", () =>
      withStore(async (store) => {
        const ids = Array.from({ length: 70 }, (_, at) => `n${String(at).padStart(2, "0")}`);
        const written = store.write({
          entries: [entry("e1")],
          graph: {
            nodes: ids.map((id) => node(id)),
            edges: ids.slice(1).map((id) => edge(id, "IsA", "n00")),
            support: ids.map((id) => supports(id, "e1")),
          },
        });
        const [{ counts }] = await Promise.all([store.graph({ counts: true }), written]);
        expect([0, ids.length]).toContain(counts?.nodes);
        expect((await store.graph({ counts: true })).counts).toEqual({ nodes: 70, edges: 69 });
        const { edges, support } = await store.graph({ edgesOf: ["n00"], supportOf: ids, limit: 100 });
        expect(edges).toHaveLength(69);
        expect(support.map(({ of }) => of).sort()).toEqual(ids);
      }));

    it("is written with its entries or not at all", () =>
      withStore(async (store) => {
        await store.write({
          turns: [
            { id: turnId("t"), conversationId: "c", sessionId: "s", role: "user", text: "x", at: 1, recordedAt: 1 } as never,
          ],
        });
        const failing = store.write({ expectNewTurns: [turnId("t")], graph: { nodes: [node("tea")] } });
        await expect(failing).rejects.toMatchObject({ code: "conflict" });
        expect((await store.graph({ counts: true })).counts).toEqual({ nodes: 0, edges: 0 });
        const before = await store.revision();
        await store.write({ graph: { nodes: [node("tea")] } });
        expect(await store.revision()).toBe(before + 1);
      }));

    it("refuses what no graph holds", () =>
      withStore(async (store) => {
        const wrong = [
          { nodes: [node("two words")] },
          { nodes: [node("a", { confidence: 1.5 })] },
          { edges: [edge("a", "IsA", "a")] },
          { edges: [edge("a", "Likes" as "IsA", "b")] },
          { support: [supports("a", "e", 1)] },
          { removeEdges: ["a"] },
        ];
        for (const graph of wrong)
          await expect(store.write({ graph })).rejects.toThrow(/TypeError|RangeError|node|edge|weighs|confidence/);
        await expect(store.graph({ limit: 0 })).rejects.toThrow(RangeError);
        expect(await store.revision()).toBe(0);
      }));
  });
}
