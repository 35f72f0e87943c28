import { describe, expect, it } from "vitest";
import { checksumOf } from "../../scripts/train-gate/shipping.js";
import type { Statement, WriteInput } from "../../src/ports.js";
import type { ConversationId, TurnId } from "../../src/types.js";
import { GATE_DATA } from "../../src/write/gate-data.js";
import { GateStream, STORED_SHARE } from "../../src/write/gate-stream.js";
import { GATE_TURNS } from "../../src/write/gate-streams.js";
import { LiteWriter } from "../../src/write/writer.js";

type NewTurn = WriteInput["turns"][number];

const AT = Date.parse("2025-03-03T10:00:00Z");

function turn(text: string, at: number, patch: Partial<NewTurn> = {}): NewTurn {
  return {
    id: `t${at}` as TurnId,
    conversationId: "c" as ConversationId,
    sessionId: `s${Math.floor(at / 20)}`,
    role: "user",
    text,
    at: AT + at * 60_000,
    recordedAt: AT,
    ...patch,
  };
}

const THINGS =
  "kettle ladder bicycle orchard violin kayak lantern compass blanket shelf garden workshop telescope piano carpet".split(" ");
const PLACES = "Leiden Porto Tromsø Ghent Lviv Cork Bergen Turin Gdansk Nantes".split(" ");
const thing = (at: number): string => THINGS[(at * 7) % THINGS.length] as string;
const place = (at: number): string => PLACES[(at * 3) % PLACES.length] as string;
/** One sentence in four tells something of a person's own; the others go on about nothing. */
const chat = (at: number): string =>
  at % 4 === 0
    ? `I bought a ${thing(at)} for ${20 + at} euros in ${place(at)} last week.`
    : at % 4 === 1
      ? `It is often said that a ${thing(at)} is a good thing to have around.`
      : at % 4 === 2
        ? `That sort of ${thing(at)} would be quite something to see, really.`
        : `The general idea of it makes a lot of sense either way.`;

/** One turn, to a writer that may or may not have followed those before it. */
async function write(writer: LiteWriter, turns: readonly NewTurn[], at: number): Promise<readonly Statement[]> {
  const before = turns.slice(0, at);
  const last = before.at(-1);
  const { statements } = await writer.write({
    turns: [turns[at] as NewTurn],
    recent: before.slice(-12),
    recalled: [],
    timeZone: "UTC",
    history: { ...(last && { lastTurnId: last.id }), read: async (limit) => before.slice(-limit) },
  });
  return statements;
}

/** Turn by turn, as a chat is written. */
async function recorded(turns: readonly NewTurn[]): Promise<string[]> {
  const writer = new LiteWriter();
  const texts: string[] = [];
  for (const at of turns.keys()) texts.push(...(await write(writer, turns, at)).map(({ text }) => text));
  return texts;
}

describe("the sentence gate", { timeout: 60_000 }, () => {
  it("has weights whose checksum is that of their numbers", () => {
    expect(GATE_DATA.sha256).toBe(checksumOf(GATE_DATA));
    expect(GATE_DATA.quantiles).toEqual([...GATE_DATA.quantiles].sort((a, b) => a - b));
  });

  it("keeps what tells something and drops what goes on about nothing", async () => {
    const texts = await recorded(Array.from({ length: 160 }, (_, at) => turn(chat(at), at)));
    const late = texts.slice(-40);
    expect(late.filter((text) => text.includes("bought")).length).toBeGreaterThanOrEqual(20);
    expect(texts.filter((text) => text.includes("bought"))).toHaveLength(40);
    expect(texts.length).toBeLessThan(160 * 0.65);
  });

  it.each(["assistant", "people"] as const)("passes its share of the sentences of a long conversation: %s", (profile) => {
    const stream = new GateStream(profile);
    let passed = 0;
    for (let at = 0; at < 600; at++) {
      // No two score alike.
      const text = `${chat(at)} ${"more ".repeat((at * 7) % 23)}${at % 9 === 0 ? at : ""}`;
      const [gated] = stream.push({ role: "user", name: at % 2 ? "Ann" : "Bob", text, sessionId: "s" }, [text]);
      if (at >= 200 && gated?.passes) passed++;
    }
    expect(passed / 400).toBeGreaterThan(STORED_SHARE[profile] - 0.12);
    expect(passed / 400).toBeLessThan(STORED_SHARE[profile] + 0.12);
  });

  it.each([
    "My flight code is KX-40718.",
    "The cellar key hangs behind the clock.",
    "Mein Flug hat die Nummer LH-4071.",
    "La llave está detrás del reloj.",
    "钥匙在钟后面。",
    "Avaimeni on kellon takana.",
  ])("keeps the only fact of a conversation: %j", async (text) => {
    expect(await recorded([turn(text, 0)])).toEqual([text]);
  });

  it("keeps an identifier that is said among much small talk", async () => {
    const turns = Array.from({ length: 120 }, (_, at) => turn(chat(4 * at), at));
    turns.push(turn("Code ZQ-5512-B then.", 120));
    expect((await recorded(turns)).at(-1)).toBe("Code ZQ-5512-B then.");
  });

  it("decides alike after a reload, however long the conversation", async () => {
    const length = GATE_TURNS + 60;
    const turns = Array.from({ length }, (_, at) =>
      turn(`${chat(at)} ${"Also ".repeat(at % 5)}so.`, at, at % 3 === 2 ? { role: "assistant" } : {}),
    );
    const writer = new LiteWriter();
    const followed: (readonly Statement[])[] = [];
    for (const at of turns.keys()) followed.push(await write(writer, turns, at));
    for (const at of [30, 141, GATE_TURNS - 1, GATE_TURNS, GATE_TURNS + 1, GATE_TURNS + 20, length - 1])
      expect(await write(new LiteWriter(), turns, at), `turn ${at}`).toEqual(followed[at]);
  });

  it("goes on from the stored turns when a record was tried and failed", async () => {
    const turns = Array.from({ length: 80 }, (_, at) => turn(chat(at), at));
    const writer = new LiteWriter();
    for (let at = 0; at < 79; at++) await write(writer, turns, at);
    const once = await write(writer, turns, 79);
    expect(await write(writer, turns, 79)).toEqual(once);
  });

  it("keeps a question that tells something of the person, not one that only asks", async () => {
    const turns = Array.from({ length: 60 }, (_, at) => turn(chat(at), at));
    const told = "Which lens would suit the Fuji X-T4 camera I bought in Porto last May for my sister's wedding?";
    const [own] = (await recorded([...turns, turn(told, 60)])).slice(-1);
    expect(own).toContain("Fuji");
    const asked = await recorded([...turns, turn("Which lens would suit a camera for a wedding?", 60)]);
    expect(asked.some((text) => text.includes("lens"))).toBe(false);
  });

  it("keeps all of a long list of facts", async () => {
    const facts = Array.from({ length: 100 }, (_, at) => turn(`I stacked log ${at} in the shed.`, at));
    expect(await recorded(facts)).toHaveLength(100);
  });

  it("keeps the number that somebody asks about", async () => {
    const asked = "Can you move the appointment 90123456 to Tuesday?";
    const turns = Array.from({ length: 60 }, (_, at) => turn(chat(at), at));
    expect((await recorded([...turns, turn(asked, 60)])).at(-1)).toContain("90123456");
  });

  it("stores more between people than with an assistant", async () => {
    const turns = Array.from({ length: 160 }, (_, at) => turn(chat(at), at));
    const people = turns.map((one, at) => ({ ...one, name: at % 2 ? "Ann" : "Bob" }));
    expect((await recorded(people)).length).toBeGreaterThan((await recorded(turns)).length);
  });
});

describe("the sentence gate in other languages", { timeout: 60_000 }, () => {
  const LANGUAGES: Readonly<Record<string, readonly [fact: (at: number) => string, other: (at: number) => string]>> = {
    Chinese: [
      (at) => `我上周在${["成都", "上海", "杭州"][at % 3]}花了${20 + at}块钱买了一把${["雨伞", "椅子", "茶壶", "灯"][at % 4]}。`,
      (at) =>
        `${["这种", "那种", "这样的"][at % 3]}东西一般来说还是比较有意思的，${["大家", "很多人", "有些人"][at % 3]}都这么觉得。`,
    ],
    German: [
      (at) => `Ich habe letzte Woche in ${place(at)} für ${20 + at} Euro ein neues Regal gekauft.`,
      (at) => `So ein ${["Ding", "Gerät", "Stück"][at % 3]} ist im Grunde immer eine ganz brauchbare Sache.`,
    ],
    Spanish: [
      (at) => `La semana pasada compré en ${place(at)} una lámpara por ${20 + at} euros.`,
      (at) => `Esa clase de ${["cosas", "objetos", "ideas"][at % 3]} suele ser bastante útil en general.`,
    ],
    // No list of ours has a word of it.
    Finnish: [
      (at) => `Ostin viime viikolla kaupungista ${place(at)} uuden lampun, joka maksoi ${20 + at} euroa.`,
      (at) => `Sellainen ${["esine", "asia", "juttu"][at % 3]} on yleensä aika hyödyllinen kaikille.`,
    ],
  };

  it.each(Object.keys(LANGUAGES))("keeps what tells something in %s", async (language) => {
    const [fact, other] = LANGUAGES[language] as (typeof LANGUAGES)[string];
    const said = Array.from({ length: 150 }, (_, at) => (at % 3 === 0 ? fact(at) : other(at)));
    const texts = await recorded(said.map((text, at) => turn(text, at)));
    const facts = texts.filter((text) => /\d/.test(text.replaceAll(/\([^)]*\)/g, "")));
    expect(facts.length).toBeGreaterThanOrEqual(45);
    expect(texts.length).toBeLessThan(120);
  });
});
