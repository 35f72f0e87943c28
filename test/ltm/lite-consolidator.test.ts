import { describe, expect, it } from "vitest";
import { liteConsolidator } from "../../src/ltm/lite-consolidator.js";
import type { GraphOperation } from "../../src/ports.js";
import { termsOf } from "../../src/text/terms.js";

const told = (text: string, subject?: string): Promise<readonly GraphOperation[]> =>
  liteConsolidator().consolidate({
    fragments: [{ fragment: 1, text, kind: "fact", ...(subject !== undefined && { subject }) }],
    nodes: [],
    edges: [],
  });

/** "x IsA y" of what is told. */
async function edgesOf(text: string, subject?: string): Promise<string[]> {
  return (await told(text, subject)).flatMap((operation) =>
    operation.type === "addEdge" ? [`${operation.from} ${operation.edge} ${operation.to}`] : [],
  );
}

describe("consolidation without a model", () => {
  it.each([
    ["Rooibos is a kind of tea.", "general rooibos IsA general tea"],
    ["Instruments such as oboes go out of tune in the cold.", "general oboes IsA general instruments"],
    ["Otters and other mammals live there.", "general otters IsA general mammals"],
    ["Quinoa ist ein Getreide.", "general quinoa IsA general getreide"],
    ["La quinoa es un cereal.", "general quinoa IsA general cereal"],
    ["二胡是一种乐器", "general 二胡 IsA general 乐器"],
    ["Caffeine causes insomnia.", "general caffeine Implies general insomnia"],
    ["Regular exercise reduces stress.", "general regular exercise RelatedTo general stress"],
    ["Lettuce and other greens grow fast.", "general lettuce IsA general greens"],
    ["A mandolin is a small instrument with eight strings.", "general mandolin IsA general small instrument"],
    ["Lemons are sour.", "general lemons HasProperty general sour"],
    ["Most lilies are very poisonous!", "general lilies HasProperty general poisonous"],
    ["Zitronen sind sauer.", "general zitronen HasProperty general sauer"],
    ["Los limones son ácidos.", "general limones HasProperty general ácidos"],
    ["Octopuses have three hearts.", "general octopuses HasProperty general hearts"],
  ])("reads general knowledge from “%s”", async (text, edge) => {
    expect(await edgesOf(text)).toContain(edge);
  });

  it.each([
    "It is a lovely day.",
    "This is a great idea.",
    "She is a doctor.",
    "That was a long walk.",
    "What is a quinoa?",
    "Is tea and other drinks enough?",
    "Hiking is a great way to relax.",
    "Music is a big part of my life.",
    "Sure, this is a must.",
    "My purse is a small, black one.",
    "Rebecca is a nurse at the hospital.",
    "Max is a dog.",
    "Animals are great!",
    "Dogs are amazing.",
    "Kids are sick.",
    "My kids have so much.",
    "Horses have such grace!",
    "Things have been hectic lately.",
    "Our dog is sweet.",
  ])("reads nothing general from “%s”", async (text) => {
    expect((await edgesOf(text)).filter((edge) => edge.startsWith("general"))).toEqual([]);
  });

  it("takes of somebody what they are, and not who", async () => {
    const names = (await told("Rebecca is a nurse at the hospital.")).flatMap((one) =>
      one.type === "addNode" ? one.node.name : [],
    );
    expect(names).toEqual(["nurse"]);
  });

  it.each([
    ["I signed up for a pottery class.", "Mia: pottery class IsA Mia: activities"],
    ["We visited Lisbon last spring.", "Mia: lisbon IsA Mia: places visited"],
    ["We moved to Rio de Janeiro.", "Mia: rio de janeiro IsA Mia: places visited"],
    ['I just finished reading "The Left Hand of Darkness".', "Mia: left hand of darkness IsA Mia: books and stories"],
    ["My dog is called Biscuit.", "Mia: biscuit IsA Mia: pets and animals"],
  ])("finds a person's own category in “%s”", async (text, edge) => {
    expect(await edgesOf(text, "Mia")).toContain(edge);
  });

  it("takes no time for a place", async () => {
    expect(await edgesOf("A garden in June or in Lisbon in October.", "Mia")).toEqual(["Mia: lisbon IsA Mia: places visited"]);
  });

  it("keeps what does not come again by its name with the memories that tell of it", async () => {
    for (const text of ["We cooked lentil soup tonight.", "I bought a lamp until the shop closed."])
      expect((await edgesOf(text, "Mia")).filter((edge) => edge.startsWith("Mia"))).toEqual([]);
  });

  it("makes nothing of a person without a subject, and discards what says nothing that lasts", async () => {
    expect(await told("I signed up for a pottery class.")).toEqual([
      { type: "discard", fragment: 1, reason: "says nothing that lasts" },
    ]);
    expect(await told("Thanks, see you!", "Mia")).toMatchObject([{ type: "discard" }]);
  });

  it("makes nothing of what an assistant says", async () => {
    expect(await told("I love swimming, we visited Lisbon, and rooibos is a kind of tea.", "assistant")).toMatchObject([
      { type: "discard" },
    ]);
  });

  it.each([
    ["The kiln was far too hot for my mug.", "What crafts does Mia do?", false],
    ["My pottery came out of the kiln in pieces.", "What crafts does Mia do?", true],
    ["I put the tent up while the kayaks dried.", "Which sports does Mia like?", true],
    ["I play every sport on offer.", "Which sports does Mia like?", false],
  ])("files “%s” under a kind that “%s” asks for by a word that it does not use: %s", async (text, question, isFiled) => {
    const asked = termsOf(question);
    const kinds = (await told(text, "Mia")).flatMap((operation) =>
      operation.type === "addNode" && operation.node.type === "Concept" ? [operation.node.terms ?? []] : [],
    );
    expect(kinds.some((terms) => terms.some((term) => asked.includes(term)))).toBe(isFiled);
  });

  it("asks once for what several fragments tell of, with the support of each", async () => {
    const fragment = (number: number, text: string) => ({ fragment: number, text, kind: "fact" as const, subject: "Mia" });
    const operations = await liteConsolidator().consolidate({
      fragments: [fragment(1, "We visited Lisbon."), fragment(2, "We are back from Lisbon."), fragment(3, "We visited Ghent.")],
      nodes: [],
      edges: [],
    });
    const supportOf = (id: string) =>
      operations.flatMap((operation) => (operation.type === "addNode" && operation.node.id === id ? [operation.support] : []));
    expect(supportOf("Mia: places visited")).toEqual([[1, 2, 3]]);
    expect(supportOf("Mia: lisbon")).toEqual([[1, 2]]);
  });

  it("marks as a person's own whatever names its subject", async () => {
    for (const operation of await told("I love swimming, and my cat is called Nori.", "Mia"))
      if (operation.type === "addNode" && /mia/iu.test(`${operation.node.name} ${operation.node.statement}`))
        expect(operation.node.scope).toBe("own");
  });

  it("rests every operation on its fragment, and asks for few", async () => {
    const long = "Rooibos is a kind of tea. We visited Lisbon and I bought a lamp. ".repeat(2_000);
    const operations = await told(long, "Mia");
    expect(operations.length).toBeLessThan(200);
    for (const operation of operations) if ("support" in operation) expect(operation.support).toEqual([1]);
  });
});
