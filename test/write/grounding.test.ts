import { beforeAll, describe, expect, it } from "vitest";
import type { Statement } from "../../src/ports.js";
import { loadTimeLanguages } from "../../src/text/time.js";
import type { ConversationId, Role, TurnId } from "../../src/types.js";
import type { SaidTurn } from "../../src/write/evidence.js";
import { ground } from "../../src/write/grounding.js";
import { LiteWriter } from "../../src/write/writer.js";

const AT = Date.parse("2023-05-08T13:56:00Z");
const turn = (text: string, patch: Partial<SaidTurn> = {}): SaidTurn => ({
  id: "t1" as TurnId,
  role: "user" as Role,
  text,
  at: AT,
  ...patch,
});

function written(text: string, said: SaidTurn, patch: Partial<Statement> = {}): Statement {
  return {
    turnId: said.id,
    subject: said.name ?? "user",
    text,
    indexText: said.text,
    kind: "fact",
    tags: [],
    saidAt: said.at,
    sources: [{ turnId: said.id, role: said.role, quote: said.text, ...(said.name && { speaker: said.name }) }],
    identifiers: [],
    salience: 0.5,
    ...patch,
  };
}

function kindsMissing(text: string, said: string | SaidTurn, context: readonly SaidTurn[] = []): string[] {
  const source = typeof said === "string" ? turn(said) : said;
  return ground(written(text, source), { turn: source, context, timeZone: "UTC" }).missing.map(({ kind }) => kind);
}

beforeAll(() => loadTimeLanguages(["de", "es", "zh"]));

describe("a statement that its source bears out", () => {
  it.each([
    ["Has 3 cats.", "I have three cats."],
    ["Has three cats.", "I have 3 cats."],
    ["Earns 10,000 euros.", "I earn 10.000 euros."],
    ["Earns 10000 euros.", "I earn 10k euros."],
    ["Owns 25 books.", "عندي ٢٥ books."],
    ["Has 32 books.", "我有三十二本书。"],
    ["Takes the bus at 17:30.", "I take the bus at 5:30pm."],
    ["Hat 21 Hühner.", "Ich habe einundzwanzig Hühner."],
    ["Tiene 35 ovejas.", "Tengo treinta y cinco ovejas."],
    ["Went to the pottery class on 7 May 2023.", "I went to the pottery class yesterday."],
    ["Went to the pottery class in May 2023.", "I went to the pottery class yesterday."],
    ["Was in Porto on 24 April 2023.", "I was in Porto two weeks ago."],
    ["Works at the harbour museum.", "I work at the harbour museum."],
    ["Rafaela merged the fix.", "Rafaela merged the fix."],
    ["Does not like durian.", "I don't like durian."],
    ["Loves skiing in Andermatt.", "I hate the cold, but I love skiing in Andermatt."],
    ["Stopped eating meat.", "I don't eat meat any more."],
    ["Wants to buy a kayak.", "I'd like to buy a kayak."],
    ["Friend Tom loves sushi.", "My friend Tom loves sushi."],
    ["Order KX-40718 arrived.", "My order KX-40718 arrived."],
    ["昨天 (2023-05-07) 买了自行车。", "我昨天买了自行车。"],
  ])("%j of %j", (text, said) => {
    expect(kindsMissing(text, said)).toEqual([]);
  });
});

describe("what nobody said", () => {
  it.each([
    ["Has 4 cats.", "I have three cats.", "number"],
    ["Has forty cats.", "I have fourteen cats.", "number"],
    ["Earns 10,000 dollars.", "I earn 10,000 euros.", "number"],
    ["Earns 100,000 euros.", "I earn 10,000 euros.", "number"],
    ["Takes the bus at 17:30.", "I take the bus at 5:30am.", "number"],
    ["Took the bus at 9.", "I take the bus.", "number"],
    ["Went to the pottery class on 8 May 2023.", "I went to the pottery class yesterday.", "date"],
    ["Moved on 12 March 2024.", "I moved to Leiden.", "date"],
    ["Order KX-40719 arrived.", "My order KX-40718 arrived.", "identifier"],
    ["Order kx-40718 arrived.", "My order KX-40718 arrived.", "identifier"],
    ["Lives with Alice.", "I live with my sister.", "name"],
    ["Alice likes tea.", "I like tea.", "name"],
    ["The fix was merged by Rafae", "Rafaela merged the fix.", "name"],
    ["Deploys are allowed on Fridays.", "Deploys are not allowed on Fridays.", "negation"],
    ["Does not eat fish.", "I eat fish on Fridays.", "negation"],
    ["Bought a kayak.", "I want to buy a kayak.", "wish"],
    ["Bought a kayak.", "Should I have bought a kayak?", "wish"],
    ["The router's DNS is broken.", "My guess is that the router's DNS is broken.", "wish"],
    ["Loves sushi.", "My friend Tom loves sushi.", "name"],
    ["Hat 3 Hunde.", "Ich habe keine 3 Hunde.", "negation"],
    ["喜欢香菜。", "我不喜欢香菜。", "negation"],
  ])("is found in %j of %j: a %s", (text, said, kind) => {
    expect(kindsMissing(text, said)).toContain(kind);
  });

  it("is a code without its zeros", () => {
    expect(kindsMissing("Locker 42 is theirs.", "My locker is 0042.")).not.toEqual([]);
  });

  it("gives way to the words themselves, with their dates", () => {
    const said = turn("I went to the pottery class with Ana yesterday.");
    const { statement, missing } = ground(written("Went to the pottery class with Eva on 7 May 2023.", said), {
      turn: said,
      context: [],
      timeZone: "UTC",
    });
    expect(missing).toEqual([{ kind: "name", text: "Eva" }]);
    expect(statement).toMatchObject({
      text: "I went to the pottery class with Ana yesterday (7 May 2023).",
      fellBack: true,
      eventTime: { from: Date.parse("2023-05-07"), to: Date.parse("2023-05-08") },
    });
  });

  it("is no source either: an invented quote counts for nothing", () => {
    const said = turn("I like tea.");
    const made = written("Owns 7 boats.", said, { sources: [{ turnId: said.id, role: "user", quote: "I own 7 boats." }] });
    const { statement } = ground(made, { turn: said, context: [], timeZone: "UTC" });
    expect(statement.text).toBe("I like tea.");
    expect(statement.sources).toEqual([{ turnId: said.id, role: "user", quote: "I like tea." }]);
  });

  it("may stand in a turn before, whose sentence becomes a source", () => {
    const before = turn("The physiotherapist for the knee is Ilse Varga. She is strict.", { id: "t0" as TurnId });
    const said = turn("She wants to see me on Fridays as well.");
    const { statement, missing } = ground(written("Ilse Varga wants to see the user on Fridays as well.", said), {
      turn: said,
      context: [before],
      timeZone: "UTC",
    });
    expect(missing).toEqual([]);
    expect(statement.text).toContain("Ilse Varga");
    expect(statement.sources.map(({ quote }) => quote)).toEqual([
      "She wants to see me on Fridays as well.",
      "The physiotherapist for the knee is Ilse Varga.",
    ]);
  });

  it("is no date of a turn that was said on another day", () => {
    const before = turn("The fair is today.", { id: "t0" as TurnId, at: AT - 3 * 86_400_000 });
    const said = turn("I loved the fair.");
    const on = (day: string): string[] => kindsMissing(`Loved the fair on ${day} May 2023.`, said, [before]);
    expect(on("8")).toContain("date");
  });
});

describe("what the writer without a model writes", () => {
  it.each([
    "I went to the pottery class yesterday. Nice. I paid 20 euros for order KX-40718, next to Ana's café.",
    "On Tuesday I have to be at the clinic. Last Friday's ticket was 5.000,50.",
    "我上个月搬到了成都。昨天买了3本书。",
    "Ich bin letzten Sommer nach Ulm gezogen. Die Miete ist 940 Euro.",
    "2 weeks ago we met at 9:15pm, and in March 2021 at 10k feet.",
    "From May 3 to June 5 I am away, back next week!  Two  spaces.\nA new line of 7 words is here.",
  ])("is grounded as it is: %j", async (text) => {
    const said = { ...turn(text), conversationId: "c" as ConversationId, sessionId: "s", recordedAt: AT };
    const { statements } = await new LiteWriter().write({ turns: [said], recent: [], recalled: [], timeZone: "UTC" });
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      const grounded = ground(statement, { turn: said, context: [], timeZone: "UTC" });
      expect(grounded.missing).toEqual([]);
      expect(grounded.statement).toBe(statement);
    }
  });
});
