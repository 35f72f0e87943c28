/** Contract: a handle of one user never shows, counts or changes another's rows. */
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/ports.js";
import { freshName, type StoreHarness } from "../harness.js";
import { conversationId, edge, entry, entryId, node, rows, SPACE, turn, turnId, userId } from "../samples.js";

/** Every way to read a store; a test below fails when a method is missing here. */
export const READS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  revision: (store) => store.revision(),
  standing: async (store) => (await store.standing()).revision,
  counts: (store) => store.counts(),
  entries: (store) => store.entries([entryId("shared")]),
  listEntries: async (store) => [await store.listEntries(), await store.listEntries({ reverse: true, after: entryId("zzz") })],
  turns: (store) => store.turns([turnId("shared")]),
  listTurns: async (store) => [
    await store.listTurns(),
    await store.listTurns({ reverse: true }),
    await store.listTurns({ conversationId: conversationId("default") }),
    await store.listTurns({ conversationId: conversationId("default"), reverse: true }),
  ],
  usage: (store) => store.usage([entryId("shared")]),
  vectors: async (store) => {
    const segments: unknown[] = [];
    for await (const segment of store.vectors(SPACE)) segments.push(segment);
    return segments;
  },
  vectorsOf: (store) => store.vectorsOf(SPACE, [entryId("shared")]),
  vectorSpaces: (store) => store.vectorSpaces(),
  journal: (store) => store.journal(0),
  graph: (store) =>
    store.graph({
      nodes: ["shared"],
      terms: ["shared"],
      list: {},
      edgesOf: ["shared"],
      supportOf: ["shared", "shared IsA kind"],
      supportBy: [entryId("shared")],
      common: { minUsers: 2 },
      counts: true,
    }),
  meta: (store) => store.meta("shared"),
  metaKeys: (store) => store.metaKeys(),
  derived: (store) => store.derived("shared"),
  damaged: (store) => store.damaged(),
  scan: async (store) => {
    const scanned: unknown[] = [];
    for await (const row of store.scan()) scanned.push(row);
    return scanned;
  },
};

const NOT_READS = ["write", "dropDamaged", "tidy", "keepDerived", "close"];

/** Ids that something careless would take for one. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["ann", "anna"],
  ["a", "a\0"],
  ["user", "user,"],
  ["é", "e\u0301"],
  ["K", "\u212a"],
  ["ß", "SS"],
  ["me", "Me"],
  ["__proto__", "constructor"],
  ["\ud800", "\ud801"],
  ["\ud83d", "\ufffd"],
  ["1", "01"],
  ["%", "_"],
  ["x", "\uffff"],
];

export function describeIsolation({ stores }: StoreHarness): void {
  const fill = (store: Store, text: string, value: number) =>
    store.write({
      turns: [turn("shared", text)],
      entries: [entry("shared", text)],
      vectors: { space: SPACE, of: [{ entryId: entryId("shared"), rows: rows(value, 300) }] },
      usage: [{ entryId: entryId("shared"), usage: { accessCount: value, lastAccessedAt: value } }],
      graph: {
        nodes: [node("shared", { statement: text, terms: ["shared"], scope: "own" }), node("kind", { scope: "own" })],
        edges: [edge("shared", "IsA", "kind", value / 10)],
        support: [{ of: "shared", entryId: entryId("shared"), weight: value / 10 }],
      },
      meta: { shared: text },
    });
  const readAll = async (store: Store) => {
    const results: Record<string, unknown> = {};
    for (const [method, read] of Object.entries(READS)) results[method] = await read(store);
    return results;
  };

  describe("two users of one database", () => {
    it("are kept apart on every read path that a store has", async () => {
      const store = await stores().open(freshName(), userId("me"));
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((method) => method !== "constructor");
      expect(methods.sort()).toEqual([...Object.keys(READS), ...NOT_READS].sort());
      await store.close();
    });

    it.each(PAIRS)("%j and %j never meet", async (one, other) => {
      const name = freshName();
      const factory = stores();
      const ones = await factory.open(name, userId(one));
      const others = await factory.open(name, userId(other));
      const empty = await readAll(ones);
      await fill(others, "the other's secret", 2);
      expect(await readAll(ones)).toEqual(empty);
      await fill(ones, "mine", 1);
      const mine = await readAll(ones);
      expect(JSON.stringify(mine)).not.toContain("secret");
      expect(mine).toMatchObject({ revision: 1, counts: { turns: 1, entries: 1 }, meta: "mine", usage: [{ accessCount: 1 }] });
      await others.write({ entries: [entry("shared", "changed")], removeTurns: [turnId("shared")], meta: { shared: undefined } });
      await others.write({ removeEntries: [entryId("shared")] });
      expect(await readAll(ones)).toEqual(mine);
      expect(await factory.listUsers(name)).toEqual([one, other].sort());
      await factory.eraseUser(name, userId(other));
      expect(await readAll(ones)).toEqual(mine);
      expect(await readAll(others)).toEqual(empty);
      expect(await factory.listUsers(name)).toEqual([one]);
      await ones.close();
      await others.close();
    });
  });

  describe("a factory", () => {
    it("refuses an empty userId or name", async () => {
      const factory = stores();
      await expect(factory.open(freshName(), userId(""))).rejects.toThrow(TypeError);
      await expect(factory.eraseUser(freshName(), userId(""))).rejects.toThrow(TypeError);
      await expect(factory.open("", userId("me"))).rejects.toThrow(TypeError);
      await expect(factory.listUsers("")).rejects.toThrow(TypeError);
    });

    it("knows no users of a database that never was, and makes none by asking", async () => {
      const factory = stores();
      const name = freshName();
      expect(await factory.listUsers(name)).toEqual([]);
      await factory.eraseUser(name, userId("me"));
      expect(await factory.listUsers(name)).toEqual([]);
    });

    it("lists a user from the first write that keeps something", async () => {
      const factory = stores();
      const name = freshName();
      const store = await factory.open(name, userId("me"));
      await store.write({});
      await store.write({
        usage: [{ entryId: entryId("gone"), usage: { accessCount: 1, lastAccessedAt: 1 } }],
        removeTurns: [turnId("gone")],
      });
      expect(await factory.listUsers(name)).toEqual([]);
      await store.write({ meta: { key: 1 } });
      expect(await factory.listUsers(name)).toEqual(["me"]);
      await store.close();
    });

    it("keeps databases whose names differ only in case apart", async () => {
      const factory = stores();
      const name = freshName();
      const lower = await factory.open(`${name}a`, userId("me"));
      const upper = await factory.open(`${name}A`, userId("me"));
      await lower.write({ entries: [entry("e1")] });
      expect(await upper.counts()).toEqual({ turns: 0, entries: 0 });
      await lower.close();
      await upper.close();
    });

    it("lets a user whose rows were erased begin anew", async () => {
      const factory = stores();
      const name = freshName();
      const store = await factory.open(name, userId("me"));
      await fill(store, "before", 1);
      await factory.eraseUser(name, userId("me"));
      expect(await store.revision()).toBe(0);
      const { revision, turns } = await fill(store, "after", 2);
      expect([revision, turns[0]?.sequence]).toEqual([1, 0]);
      expect((await store.listEntries()).map(({ text }) => text)).toEqual(["after"]);
      await store.close();
    });

    it("does not open for a signal that is aborted already", async () => {
      const reason = new Error("stop");
      await expect(stores().open(freshName(), userId("me"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
  });
}
