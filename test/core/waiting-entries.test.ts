import { describe, expect, it } from "vitest";
import type { MemoryIndex } from "../../src/core/memory-index.js";
import { WaitingEntries } from "../../src/core/waiting-entries.js";
import type { Entry, EntryId } from "../../src/types.js";

const id = (name: string) => name as EntryId;

const line = (...names: readonly string[]) => lineFor("device", ...names);

function lineFor(place: "device" | "engine", ...names: readonly string[]) {
  const entries = new Map<EntryId, Entry>();
  const put = (name: string, more: Partial<Entry> = {}) => entries.set(id(name), { id: id(name), ...more } as Entry);
  for (const name of names) put(name);
  let gone = 0;
  const table = {
    *[Symbol.iterator]() {
      gone++;
      yield* entries.values();
    },
  };
  const index = { table, entry: (of: EntryId) => entries.get(of) } as unknown as MemoryIndex;
  const uses = new Map<EntryId, number>();
  const asked: EntryId[] = [];
  const touched = new Set<EntryId>();
  const usage = {
    touched,
    of: async (ids: readonly EntryId[]) => {
      asked.push(...ids);
      return ids.map((of) => ({ accessCount: 1, lastAccessedAt: uses.get(of) ?? 0 }));
    },
  };
  const waiting = new WaitingEntries({ index: () => index, usage }, place);
  const next = async (count: number, taken: readonly string[] = []) =>
    (await waiting.next(count, new Set(taken.map(id)))).map((entry) => entry.id);
  return { waiting, next, put, entries, uses, asked, touched, walks: () => gone };
}

describe("what waits to be consolidated", () => {
  it("comes oldest first and is gone through once for many batches", async () => {
    const { waiting, next, put, walks } = line("3", "1", "2");
    expect(await next(2)).toEqual(["1", "2"]);
    for (const name of ["1", "2"]) put(name, { consolidatedAt: 5 });
    expect(waiting.inLine).toBe(1);
    expect(await next(2)).toEqual(["3"]);
    expect(walks()).toBe(1);
  });

  it("stays in line until it is consolidated, and leaves out what is taken, private, no longer so or forgotten", async () => {
    const { next, put, entries } = line("1", "2", "3", "4", "5");
    expect(await next(1)).toEqual(["1"]);
    expect(await next(1)).toEqual(["1"]);
    put("2", { private: true });
    put("3", { validTo: 1 });
    entries.delete(id("4"));
    expect(await next(9, ["1"])).toEqual(["5"]);
  });

  it("waits for an engine though the device has had it, and not for the device again once an engine has", async () => {
    const { next, put, uses, touched } = lineFor("engine", "1", "2", "3");
    put("1", { consolidatedAt: 5 });
    put("2", { consolidatedAt: 5, consolidatedByEngineAt: 5 });
    expect(await next(9)).toEqual(["1", "3"]);
    for (const name of ["1", "3"]) put(name, { consolidatedAt: 6, consolidatedByEngineAt: 6 });
    uses.set(id("2"), 7);
    touched.add(id("2"));
    expect(await next(9)).toEqual(["2"]);
  });

  it("takes in what is recorded or reworded after it was lined up", async () => {
    const { next, put } = line("1");
    expect(await next(9)).toEqual(["1"]);
    put("1", { consolidatedAt: 5 });
    put("2");
    expect(await next(9)).toEqual(["2"]);
    put("2", { consolidatedAt: 6 });
    put("1");
    expect(await next(9)).toEqual(["1"]);
  });

  it("brings back what was used since, and asks the store for all uses only once", async () => {
    const { next, put, uses, asked, touched } = line("1", "2");
    for (const name of ["1", "2"]) put(name, { consolidatedAt: 5 });
    uses.set(id("2"), 9);
    expect(await next(9)).toEqual(["2"]);
    put("2", { consolidatedAt: 9 });
    expect(await next(9)).toEqual([]);
    expect(asked).toEqual(["1", "2"]);
    uses.set(id("1"), 12);
    touched.add(id("1"));
    expect(await next(9)).toEqual(["1"]);
    expect(asked).toEqual(["1", "2", "1"]);
  });

  it("gives what was used in another sitting to who takes it, though it was counted before", async () => {
    const { waiting, next, put, uses } = line("1", "2");
    for (const name of ["1", "2"]) put(name, { consolidatedAt: 5 });
    uses.set(id("2"), 9);
    expect(await waiting.count()).toBe(1);
    expect(await next(9)).toEqual(["2"]);
  });

  it("passes over what may not go, which neither counts nor holds up what was used again", async () => {
    const { waiting, put, uses, touched } = lineFor("engine", "1", "2", "3");
    for (const name of ["1", "2"]) put(name, { indexText: name });
    put("3", { consolidatedByEngineAt: 5 });
    uses.set(id("3"), 7);
    touched.add(id("3"));
    const allows = (entry: { readonly indexText: string }) => entry.indexText !== "1";
    const ids = async (count: number) => (await waiting.next(count, new Set(), allows)).map((entry) => entry.id);
    expect(await waiting.count(allows)).toBe(1);
    expect(await ids(9)).toEqual(["2"]);
    put("2", { consolidatedByEngineAt: 6 });
    expect(await ids(9)).toEqual(["3"]);
    expect(await waiting.count()).toBe(1);
  });
});
