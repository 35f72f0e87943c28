/** What leaves the memory with a batch, all of which is shown before: memories, and what was learned of them, without anybody's name. */

import { describe, expect, it } from "vitest";
import type { ConsolidateOptions, KnowledgeFile, Memory } from "../../src/index.js";
import type { ConsolidationBatch, Consolidator } from "../../src/ports.js";
import { sqliteStores } from "../../src/store/sqlite/stores.js";
import { termsOf } from "../../src/text/terms.js";
import { openedMemories } from "./opened.js";

const { open, directory } = openedMemories();
const agreed = { optedIn: true } as const;
const PEOPLE = [
  "Rebecca is a nurse at the hospital.",
  "Gudrun Pfeffer is a great dentist for children.",
  "We met doctors such as Priya Raman there.",
  "Priya Raman and other doctors were kind to me.",
];
const THINGS = ["Swimming is a kind of exercise.", "A labrador is a kind of dog."];
const NAMES = /rebecca|gudrun|pfeffer|priya|raman/iu;

async function told(texts: readonly string[], options: Parameters<typeof open>[0] = {}): Promise<Memory> {
  const memory = await open(options);
  for (const user of texts) await memory.record({ user });
  return memory;
}

/** Puts general nodes into the graph as an earlier version may have left them there, each resting on the memories that hold a word.
 * @param nodes name, statement, and that word */
async function knowing(
  memory: Memory,
  nodes: readonly (readonly [name: string, statement: string, word: string])[],
): Promise<void> {
  const store = await sqliteStores({ directory }).open(memory.name, memory.userId);
  const entries = await store.listEntries();
  const rows = nodes.map(([name, statement]) => {
    const id = `n${name.replaceAll(" ", "")}`;
    const found = { terms: termsOf(name), createdAt: 1, cycle: 0, scope: "general" } as const;
    return { id, type: "Concept", name, statement, confidence: 0.5, ...found } as const;
  });
  const support = nodes.flatMap(([, , word], at) =>
    entries
      .filter(({ indexText }) => indexText.includes(word))
      .map(({ id }) => ({ of: rows[at]?.id ?? "", entryId: id, weight: 0.5 })),
  );
  await store.write({ graph: { nodes: rows, support } });
  await store.close();
}

const OF_PEOPLE = [
  ["rebecca", "rebecca is a kind of nurse", "Rebecca"],
  ["gudrun pfeffer", "gudrun pfeffer is a kind of dentist", "Gudrun"],
  ["pfeffer", "what children like", "Gudrun"],
  ["doctors", "priya raman is a kind of doctors", "doctors"],
] as const;
const OF_THINGS = [
  ["swimming", "swimming is a kind of exercise", "Swimming"],
  ["labrador", "labrador is a kind of dog", "labrador"],
] as const;

/** A consolidator that wants nothing, and what went to it. */
function listening(): { readonly consolidator: Consolidator; readonly heard: ConsolidationBatch[] } {
  const heard: ConsolidationBatch[] = [];
  const consolidate: Consolidator["consolidate"] = async (batch) => {
    heard.push(batch);
    return [];
  };
  return { heard, consolidator: { id: "listening", place: "engine", consolidate } };
}

async function sentBy(memory: Memory, options: Partial<ConsolidateOptions> = {}) {
  const { consolidator, heard } = listening();
  const shown: string[] = [];
  await memory.consolidate({ consolidator, ...agreed, ...options, review: (texts) => shown.push(...texts) >= 0 });
  const texts = heard.flatMap(({ fragments, nodes }) => [
    ...fragments.map(({ text }) => text),
    ...nodes.flatMap(({ name, statement }) => [name, statement]),
  ]);
  return { heard, shown, texts };
}

const namesIn = async (memory: Memory) =>
  (await memory.knowledge.nodes({ limit: 1_000, candidates: true })).nodes
    .filter(({ scope }) => scope === "general")
    .map(({ name }) => name);

describe("what goes to an engine", () => {
  it("names nobody, in what was learned of memories either, and is shown to the last text", { timeout: 30_000 }, async () => {
    const memory = await told([...PEOPLE, ...THINGS]);
    await knowing(memory, [...OF_PEOPLE, ...OF_THINGS]);
    const { heard, shown, texts } = await sentBy(memory);
    expect(heard).toHaveLength(1);
    expect(texts.join("\n")).not.toMatch(NAMES);
    const names = heard.flatMap(({ nodes }) => nodes.map(({ name }) => name));
    expect(names.sort()).toEqual(["labrador", "swimming"]);
    for (const text of texts) expect(shown.some((one) => one.includes(text))).toBe(true);
    expect(shown).toHaveLength(6 + names.length);
    const jobs = await memory.knowledge.jobs();
    expect(jobs.find(({ consolidator }) => consolidator === "listening")?.outbound).toEqual(shown);
    const ids = new Set(heard[0]?.nodes.map(({ id }) => id));
    for (const { from, to } of heard[0]?.edges ?? []) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
  });

  it("holds no node with what looks like a placeholder", async () => {
    const memory = await told(THINGS);
    const node = { id: "a", type: "Concept", name: "swimming", statement: "person_k3vq7d2a goes swimming" } as const;
    const file = { format: "keepsake-knowledge", version: 1, nodes: [{ ...node, confidence: 0.9 }], edges: [] } as const;
    expect(await memory.knowledge.import(file)).toMatchObject({ nodes: 0, refused: { "names an identity": 1 } });
    const { texts } = await sentBy(memory);
    expect(texts.join("\n")).not.toMatch(/person_/iu);
  });

  it("leaves out what was forgotten or changed while the person read, and what had been learned of it", async () => {
    const memory = await told([...THINGS, "An oboe is a kind of instrument.", "A pear is a kind of fruit."]);
    await knowing(memory, OF_THINGS);
    const { consolidator, heard } = listening();
    const find = async (text: string) => {
      for await (const { id } of memory.entries({ text })) return id;
      throw new Error(`no memory says ${text}`);
    };
    const shown: string[] = [];
    const review = async (texts: readonly string[]) => {
      shown.push(...texts);
      await memory.forget({ entryIds: [await find("labrador")] });
      await memory.update(await find("oboe"), { text: "A clarinet is a kind of instrument." });
      await memory.update(await find("pear"), { validTo: 1 });
      return true;
    };
    await memory.consolidate({ consolidator, ...agreed, review, maxBatches: 1 });
    expect(shown).toContain("labrador is a kind of dog");
    expect(heard).toHaveLength(1);
    expect(heard[0]?.nodes).toMatchObject([{ name: "swimming" }]);
    expect(JSON.stringify(heard)).not.toMatch(/labrador|oboe|clarinet/);
    expect(heard[0]?.fragments).toMatchObject([{ fragment: 1, text: expect.stringMatching(/Swimming/) }]);
    const [job] = (await memory.knowledge.jobs()).filter(({ consolidator: by }) => by === "listening");
    expect(job).toMatchObject({ state: "committed", entryIds: { length: 1 } });
    expect(JSON.stringify(job)).not.toMatch(/labrador|oboe/);
  });

  it("is nothing where nothing is left of a batch: it is over, and nobody is asked", async () => {
    const memory = await told(["I drink tea every night."]);
    const { consolidator, heard } = listening();
    await memory.consolidate({ consolidator, ...agreed, review: () => false });
    for await (const { id } of memory.entries()) await memory.update(id, { validTo: 1 });
    let isAsked = false;
    const review = () => (isAsked = true);
    expect(await memory.consolidate({ consolidator, ...agreed, review })).toMatchObject({ batches: 0, entries: 0, left: 0 });
    expect([isAsked, heard]).toEqual([false, []]);
    const [job] = await memory.knowledge.jobs();
    expect(job).toMatchObject({ state: "failed", entryIds: [], reason: expect.stringMatching(/are over/) });
    expect(job?.outbound).toBeUndefined();
  });
});

describe("what is withheld", () => {
  const SAID = [
    "I prefer oat milk in my coffee.",
    "Project Heron is a kind of rocket.",
    "We keep two rabbits in the garden.",
    "My salary is paid on Fridays.",
  ];

  it.each<[string, ConsolidateOptions["withhold"], RegExp]>([
    ["a RegExp", { pattern: /heron/iu }, /heron|rocket/iu],
    ["a RegExp that remembers where it was", { pattern: /heron|salary|rabbits/giu }, /heron|rabbits|salary/iu],
    ["a string in whatever case", { pattern: "sALary" }, /salary/iu],
    ["a string with signs", { pattern: "garden." }, /garden/iu],
    ["several", { pattern: ["rabbits", /salary/u] }, /rabbits|salary/iu],
  ])("by %s is neither shown nor sent, nor is what was learned of it", async (_, withhold, words) => {
    const memory = await told(SAID);
    await knowing(memory, [
      ["rocket", "rocket: a kind of thing", "Heron"],
      ["rabbits", "rabbits are kept", "rabbits"],
      ["fridays", "a day of salary", "salary"],
      ["coffee", "coffee goes with oat milk", "oat milk"],
    ]);
    const { shown, texts } = await sentBy(memory, { withhold: withhold ?? {} });
    expect(shown.join("\n")).not.toMatch(words);
    expect(texts.join("\n")).not.toMatch(words);
    expect(texts.length).toBeGreaterThan(0);
  });

  it("by its kind is not sent, does not wait for an engine, and is consolidated on the device all the same", async () => {
    const memory = await told(SAID);
    const kinds: string[] = [];
    for await (const { kind } of memory.entries()) kinds.push(kind);
    const [kind] = kinds as ["fact"];
    const held = kinds.filter((one) => one === kind).length;
    const { consolidator, heard } = listening();
    const done = await memory.consolidate({ consolidator, ...agreed, withhold: { kinds: [kind] } });
    expect(done).toMatchObject({ entries: SAID.length - held, left: 0 });
    expect(heard.flatMap(({ fragments }) => fragments.map((one) => one.kind))).not.toContain(kind);
    expect(await memory.consolidate()).toMatchObject({ entries: held, left: 0 });
    // Where it is not withheld any more, it goes.
    expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ entries: held, left: 0 });
  });

  it("leaves a batch that was shown before", async () => {
    const memory = await told(SAID);
    const { consolidator } = listening();
    await memory.consolidate({ consolidator, ...agreed, review: () => false });
    const { shown, texts } = await sentBy(memory, { withhold: { pattern: "heron" } });
    expect(shown).toHaveLength(3);
    expect(texts.join("\n")).not.toMatch(/heron/iu);
    expect(JSON.stringify(await memory.knowledge.jobs())).not.toMatch(/heron/iu);
  });

  it.each([{ kinds: ["secret"] }, { kinds: "fact" }, { pattern: "" }, { pattern: [7] }])(
    "is checked at the door: %o",
    async (withhold) => {
      const memory = await open();
      const { consolidator } = listening();
      await expect(memory.consolidate({ consolidator, ...agreed, withhold: withhold as never })).rejects.toThrow(TypeError);
    },
  );
});

describe("general knowledge", () => {
  it("made by the device is of nobody whose name its source writes with a capital in mid-sentence", async () => {
    const memory = await told([...PEOPLE, ...THINGS]);
    const { refused } = await memory.consolidate();
    expect(refused["names an identity"]).toBeGreaterThan(0);
    const names = await namesIn(memory);
    expect(names.join("\n")).not.toMatch(/gudrun|pfeffer|priya|raman/iu);
    expect(names).toEqual(expect.arrayContaining(["labrador", "dog", "swimming", "exercise"]));
  });

  it("made by an engine is of nobody of whom the tagger knows", async () => {
    const memory = await told(["I drink tea."]);
    const node = (id: string, name: string, statement: string) =>
      ({ type: "addNode", node: { id, type: "Concept", name, statement }, support: [1] }) as const;
    const consolidator: Consolidator = {
      id: "careless",
      place: "engine",
      consolidate: async () => [
        node("a", "night drinks", "Rebecca Stone likes a hot drink"),
        node("b", "tea", "a hot drink that keeps people awake"),
      ],
    };
    expect(await memory.consolidate({ consolidator, ...agreed })).toMatchObject({ refused: { "names an identity": 1 } });
    expect(await namesIn(memory)).toEqual(["tea"]);
  });

  it("that two users say of somebody is not given away", async () => {
    for (const userId of ["ann", "ben"]) {
      const memory = await told([...PEOPLE, ...THINGS], { userId });
      await knowing(memory, [...OF_PEOPLE, ...OF_THINGS]);
      if (userId === "ann") continue;
      expect((await memory.knowledge.common()).nodes).toHaveLength(6);
      const { nodes } = await memory.knowledge.export();
      expect(nodes.map(({ name }) => name).sort()).toEqual(["labrador", "swimming"]);
    }
    // Whoever says nothing of it themselves has only its own words to go by.
    const third = await open({ userId: "cleo" });
    expect(JSON.stringify(await third.knowledge.export())).not.toMatch(/rebecca|gudrun|priya/);
  });

  it("of another device is refused where it speaks of somebody", async () => {
    const memory = await open();
    const nodes = [
      { id: "a", type: "Concept", name: "tea", statement: "Rebecca Stone drinks tea", confidence: 0.9 },
      { id: "b", type: "Concept", name: "gudrun pfeffer", statement: "gudrun pfeffer is a kind of dentist", confidence: 0.9 },
      { id: "c", type: "Concept", name: "swimming", statement: "swimming is a kind of exercise", confidence: 0.9 },
    ] as const;
    const file: KnowledgeFile = { format: "keepsake-knowledge", version: 1, nodes, edges: [] };
    expect(await memory.knowledge.import(file)).toMatchObject({ nodes: 1, refused: { "names an identity": 2 } });
    expect(await namesIn(memory)).toEqual(["swimming"]);
  });
});
