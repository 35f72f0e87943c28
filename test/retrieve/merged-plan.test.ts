/** What a model's plan may add to the rules' own, and where what it asks for is looked up. */

import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { openStaticEmbedder, type StaticEmbedder } from "../../src/embed/static.js";
import { LiteController } from "../../src/retrieve/controller.js";
import { extraCandidates } from "../../src/retrieve/extra-candidates.js";
import { mergePlans } from "../../src/retrieve/merged-plan.js";
import { recall } from "../../src/retrieve/recall.js";
import { LiteSelector } from "../../src/retrieve/selector.js";
import type { Plan, PlannedQuery } from "../../src/types.js";
import { at, entryOf, indexesOf } from "./entries.js";

const NOW = at("2026-06-10T12:00:00Z");
const asked = { text: "What should we cook?", recent: [], speakers: [], now: NOW, timeZone: "UTC" };
const lite = new LiteController().planSync(asked);

const hypothetical = (text: string, share: number, route: PlannedQuery["route"] = "mtm"): PlannedQuery => ({
  text,
  purpose: "hypothetical",
  route,
  share,
});
const modelPlan = (queries: readonly PlannedQuery[], more: Partial<Plan> = {}): Plan => ({
  ...lite,
  queries: [...lite.queries, ...queries],
  ...more,
});

describe("a model's plan beside the rules'", () => {
  it("leaves own words half and shares the rest as the model says", () => {
    const { queries } = mergePlans(lite, modelPlan([hypothetical("diet", 0.45), hypothetical("recipes", 0.05, "ltm")]));
    expect(queries.map(({ text, route, share }) => [text, route, share])).toEqual([
      [asked.text, "both", 0.5],
      ["diet", "mtm", 0.45],
      ["recipes", "ltm", expect.closeTo(0.05, 10)],
    ]);
  });

  it("has four queries at most, and shares that add up to one", () => {
    const many = Array.from({ length: 7 }, (_, n) => hypothetical(`query ${n}`, 1));
    const { queries } = mergePlans(lite, modelPlan(many));
    expect(queries).toHaveLength(4);
    expect(queries[0]).toMatchObject({ text: asked.text, share: 0.5 });
    expect(queries.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  });

  it("takes no words of a model for the user's own, whatever it calls them", () => {
    const { queries } = mergePlans(lite, modelPlan([{ ...hypothetical("passwords", 9), purpose: "own-words" }]));
    expect(queries.map(({ purpose }) => purpose)).toEqual(["own-words", "hypothetical"]);
  });

  it("keeps own words whole where the model adds nothing", () => {
    expect(mergePlans(lite, modelPlan([])).queries).toEqual(lite.queries);
  });
});

describe("where a model's queries are looked up", () => {
  let embedder: StaticEmbedder;
  beforeAll(async () => {
    const bytes = await readFile(new URL("../../workers/embeddings.bin", import.meta.url));
    embedder = openStaticEmbedder(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
  });
  const kept = [
    entryOf("I turned vegetarian in May.", { kind: "state" }),
    entryOf("I like lentil soup.", { kind: "preference" }),
    entryOf("Soup is best with a little vinegar.", { kind: "fact" }),
    ...Array.from({ length: 90 }, (_, n) => entryOf(`I met number ${n} of the rowing club.`, { kind: "event" })),
  ];
  const linkedTo = (...at: number[]) =>
    new Map(at.map((index, rank) => [kept[index]?.id as (typeof kept)[number]["id"], { weight: 1 / (rank + 1), path: "soup" }]));

  it.each([
    ["mtm", [1, 2]],
    ["ltm", [5]],
    ["both", [5, 1]],
  ] as const)("%s", async (route, expected) => {
    const indexes = await indexesOf(kept, embedder);
    const query = { text: "soup", share: 0.5, route, linked: linkedTo(5) };
    const slots = extraCandidates(indexes, [query], 4, indexes.table.mask());
    expect(slots.map((slot) => kept.indexOf(indexes.table.entry(slot) as (typeof kept)[number]))).toEqual(expected);
  });

  it("the memories, where the graph knows nothing", async () => {
    const indexes = await indexesOf(kept, embedder);
    const slots = extraCandidates(indexes, [{ text: "soup", share: 0.5, route: "ltm" }], 4, indexes.table.mask());
    expect(slots).toHaveLength(2);
  });

  it("within its kinds and its budget, which bind nothing that own words find", async () => {
    const indexes = await indexesOf(kept, embedder);
    const kindsOf = new Map(kept.map(({ text, kind }) => [text, kind]));
    const asksOf = async (made: Plan) => {
      const walked: string[] = [];
      const { trace } = await recall(
        asked,
        {
          ...indexes,
          vector: indexes.vector,
          embedder,
          clock: { now: () => 0 },
          lite: { controller: new LiteController(), selector: new LiteSelector() },
          controller: { plan: async () => made },
          link: async (text) => {
            walked.push(text);
            return linkedTo(0);
          },
        },
        { deadlineMs: Number.POSITIVE_INFINITY },
      );
      return { walked, plan: trace.plan, texts: trace.candidates.map(({ text }) => text) };
    };
    const queries = [hypothetical("rowing club number 77", 1), hypothetical("soup", 1, "both")];
    const own = new Set((await asksOf(lite)).texts);
    const free = await asksOf(modelPlan(queries));
    const bound = await asksOf(modelPlan(queries, { kinds: ["state"] }));
    const frugal = await asksOf(modelPlan(queries, { budget: 1 }));
    const added = ({ texts }: typeof free) => texts.filter((text) => !own.has(text));
    expect(free.walked).toEqual(["soup"]);
    expect(added(free).some((text) => kindsOf.get(text) === "event")).toBe(true);
    expect(bound.plan.kinds).toEqual(["state"]);
    for (const text of added(bound)) expect(kindsOf.get(text)).toBe("state");
    expect(added(frugal).length).toBeLessThan(added(free).length);
    for (const { texts } of [free, bound, frugal]) for (const text of own) expect(texts).toContain(text);
  });
});
