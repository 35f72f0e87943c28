import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { RecentTurn, Statement, WriteInput, WriteOutput } from "../../src/ports.js";
import { loadTimeLanguages } from "../../src/text/time.js";
import type { ConversationId, Role, TurnId } from "../../src/types.js";
import { LiteWriter, MAX_READ } from "../../src/write/writer.js";

const AT = Date.parse("2023-05-08T13:56:00Z");
const writer = new LiteWriter();
type NewTurn = WriteInput["turns"][number];

let count = 0;
function turn(text: string, patch: Partial<NewTurn> = {}): NewTurn {
  return {
    id: `t${count++}` as TurnId,
    conversationId: "c" as ConversationId,
    sessionId: "s",
    role: "user",
    text,
    at: AT,
    recordedAt: AT,
    ...patch,
  };
}

function write(turns: readonly NewTurn[], rest: Partial<WriteInput> = {}): Promise<WriteOutput> {
  return writer.write({ turns, recent: [], recalled: [], timeZone: "UTC", ...rest });
}

async function only(text: string, patch: Partial<NewTurn> = {}, rest: Partial<WriteInput> = {}): Promise<Statement> {
  const { statements } = await write([turn(text, patch)], rest);
  expect(statements).toHaveLength(1);
  return statements[0] as Statement;
}

async function reasons(text: string, role: Role = "user", rest: Partial<WriteInput> = {}): Promise<string[]> {
  const { statements, refused } = await write([turn(text, { role })], rest);
  expect(statements).toEqual([]);
  return refused.map(({ reason }) => reason);
}

describe("what is written of a turn", () => {
  it("is found by all that was said and shows what matters, verbatim", async () => {
    const text = "Hey! How are you? I moved into a houseboat in Leiden. Thanks! The rent is 940 euros. Any tips for winter?";
    const statement = await only(text);
    expect(statement.indexText).toBe(text);
    expect(statement.text).toBe("I moved into a houseboat in Leiden. The rent is 940 euros.");
    expect(statement.sources.map(({ quote }) => quote)).toEqual([
      "I moved into a houseboat in Leiden.",
      "The rent is 940 euros.",
    ]);
    expect(statement.identifiers).toEqual(["940 euros"]);
  });

  it("has the date beside a relative expression and keeps the quote as it was", async () => {
    const statement = await only("I went to the pottery class yesterday.");
    expect(statement.text).toBe("I went to the pottery class yesterday (7 May 2023).");
    expect(statement.sources[0]?.quote).toBe("I went to the pottery class yesterday.");
    expect(statement.eventTime).toEqual({ from: Date.parse("2023-05-07"), to: Date.parse("2023-05-08") });
  });

  it("counts yesterday in the person's zone", async () => {
    const at = Date.parse("2026-09-10T00:41:00+05:45");
    expect((await only("Dentist tomorrow at 9:15.", { at }, { timeZone: "Asia/Kathmandu" })).text).toBe(
      "Dentist tomorrow (11 September 2026) at 9:15.",
    );
  });

  it.each([
    ["2025-05-30", "The wedding is now on the 28th of June. Same garden.", "on the 28th of June (28 June 2025). Same garden."],
    ["2025-05-30", "I planned a second trip: Porto in October.", "Porto in October (October 2025)."],
    ["2025-04-06", "I've booked the flights, 16 to 20 May, after the race.", "16 to 20 May (16 May 2025 to 20 May 2025), after"],
    ["2025-06-29", "On Tuesday I have to be at the clinic.", "On Tuesday (1 July 2025) I have"],
    ["2025-05-13", "They moved our flight to Wednesday the 21st.", "Wednesday the 21st (21 May 2025)."],
    ["2025-06-10", "I paid for last Friday's ticket.", "last Friday's (6 June 2025) ticket."],
  ])("says on %s of %j: %j", async (on, said, expected) => {
    expect((await only(said, { at: Date.parse(`${on}T15:00Z`) })).text).toContain(expected);
  });

  it("has no date where the reading is a guess, only the mention", async () => {
    const statement = await only("Lunch with Ines: Friday.", { at: Date.parse("2023-05-08T12:00Z") });
    expect(statement.text).toBe("Lunch with Ines: Friday.");
    expect(statement.eventTime).toBeUndefined();
    expect(statement.mentions).toHaveLength(1);
  });

  it("leaves dates with a year and dates in brackets alone", async () => {
    expect((await only("My passport expires on 2027-01-31.")).text).toBe("My passport expires on 2027-01-31.");
    expect((await only("We met last Friday (5 May) in Leiden.")).text).toBe("We met last Friday (5 May) in Leiden.");
  });

  it("lists the narrow times of the whole turn", async () => {
    const statement = await only("I painted a heron last Friday. In 2019 I could not draw. Shall we go next month?");
    expect(statement.mentions).toEqual([
      { from: Date.parse("2023-05-05"), to: Date.parse("2023-05-06") },
      { from: Date.parse("2023-06-01"), to: Date.parse("2023-07-01") },
    ]);
  });

  it("dates what was said before 1970", async () => {
    expect((await only("I saw the launch yesterday.", { at: Date.parse("1962-02-20T12:00:00Z") })).text).toContain(
      "(19 February 1962)",
    );
  });

  it.each([
    ["I went to the opera with Ines yesterday.", "event"],
    ["I love rye bread.", "preference"],
    ["I can't stand durian.", "preference"],
    ["My sister loves durian.", "fact"],
    ["I love durian, and my sister does too.", "preference"],
    ["我妹妹喜欢榴莲。", "fact"],
    ["We decided to call the boat Petrel.", "decision"],
    ["I'm going to learn the oboe.", "plan"],
    ["My niece arrives next Sunday.", "plan"],
    ["I live in Leiden.", "state"],
    ["The cellar key hangs behind the clock.", "fact"],
    ["My passport expires on 2027-01-31.", "fact"],
    ["No, nothing is decided about the hull.", "fact"],
    ["我喜欢喝乌龙茶。", "preference"],
    ["Ich habe beschlossen, das Boot zu verkaufen.", "decision"],
  ])("of %j is a %s", async (text, kind) => {
    expect((await only(text)).kind).toBe(kind);
  });

  it("is about its speaker by name, else about the user or the assistant", async () => {
    expect((await only("I adopted a greyhound.", { name: "Ann" })).subject).toBe("Ann");
    expect((await only("I adopted a greyhound.")).subject).toBe("user");
    expect((await only("The tide table says that low water is at 14:20.", { role: "assistant" })).subject).toBe("assistant");
    expect((await only("I adopted a greyhound.", { name: "Ann" })).sources[0]?.speaker).toBe("Ann");
  });

  it("matters less when the assistant says it, and more when it is told in the first person", async () => {
    const said = "I bought a cargo bike in Delft last week.";
    const [user, assistant, plain] = await Promise.all([
      only(said),
      only(said, { role: "assistant" }),
      only("The sky was grey over the dunes."),
    ]);
    expect(user.salience).toBeGreaterThan(assistant.salience);
    expect(user.salience).toBeGreaterThan(plain.salience);
    for (const { salience } of [user, assistant, plain]) expect(salience).toBeGreaterThanOrEqual(0);
    for (const { salience } of [user, assistant, plain]) expect(salience).toBeLessThanOrEqual(1);
  });

  it("carries the words of its neighbours in the session", async () => {
    const turns = [
      turn("Which boat do you like?"),
      turn("I like the blue sloop with the wooden mast.", { name: "Ann" }),
      turn("It costs a lot.", { sessionId: "other" }),
    ];
    const recent: RecentTurn[] = [{ role: "user", text: "We looked at boats.", at: AT - 1000 }];
    const { statements } = await write(turns, { recent });
    const sloop = statements.find(({ text }) => text.includes("sloop"));
    expect(sloop?.context).toEqual({ previous: "Which boat do you like?" });
    const [, first] = [0, (await write([turn("I like the sloop.")], { recent })).statements[0]];
    expect(first?.context).toEqual({ previous: "We looked at boats." });
    expect((await only("I like the sloop.", { at: AT + 7_200_000 }, { recent })).context).toBeUndefined();
  });

  it("keeps what a person asks to be kept", async () => {
    expect((await only("Please remember that my locker is 0042.")).identifiers).toEqual(["0042"]);
    expect((await only("Do not forget: the async queue needs a 45 s timeout.")).salience).toBeGreaterThan(0.8);
  });
});

describe("what is refused", () => {
  it.each<[string, string]>([
    ["How do I get to Leiden?", "question"],
    ["how much is the rent", "question"],
    ["Recommend a quiet café.", "question"],
    ["Write a poem about the sea.", "question"],
    ["你觉得怎么样？", "question"],
    ["¿Dónde está la llave?", "question"],
    ["Hello there!", "small-talk"],
    ["Thanks so much for your help!", "small-talk"],
    ["Wow, that's awesome!", "small-talk"],
    ["ok", "small-talk"],
    ["😊", "small-talk"],
    ["你好，谢谢！", "small-talk"],
    ["Vielen Dank!", "small-talk"],
    ["¡Muchas gracias!", "small-talk"],
    ["2026-05-11T03:10:00Z worker-7 heartbeat ok seq=88120", "not-salient"],
    [" \n ", "empty"],
  ])("%j is a case of %s", async (text, reason) => {
    expect(await reasons(text)).toEqual([reason]);
  });

  it.each(["Noted.", "You're welcome! Let me know if you need anything else.", "Fine, nothing decided.", "Sure, happy to help!"])(
    "is an assistant's %j",
    async (text) => {
      expect(new Set(await reasons(text, "assistant"))).toEqual(new Set(["small-talk"]));
    },
  );

  it("is a greeting by a speaker's name", async () => {
    const { statements } = await write([turn("Hi Ann!", { name: "Bob" }), turn("Hey Bob!", { name: "Ann" })]);
    expect(statements).toEqual([]);
  });

  it("is not a short answer that says something", async () => {
    expect((await only("No, I'm vegetarian.")).text).toBe("No, I'm vegetarian.");
    expect((await only("Seven.")).text).toBe("Seven.");
  });

  it("is what only repeats a recalled memory", async () => {
    const recalled = ["I turned vegetarian in May because of my sister Ines."];
    expect(await reasons("I turned vegetarian in May because of my sister Ines.", "user", { recalled })).toEqual([
      "repeats-recalled",
    ]);
    expect(await reasons("You turned vegetarian in May because of your sister Ines.", "assistant", { recalled })).toEqual([
      "repeats-recalled",
    ]);
  });

  it("is not a negation or another number of what was recalled", async () => {
    const recalled = ["Deploys of Halyard are allowed on Fridays after 14:00."];
    expect((await only("Deploys of Halyard are not allowed on Fridays after 14:00.", {}, { recalled })).text).toContain("not");
    expect(
      (await only("Deploys of Halyard are allowed on Fridays after 15:00.", { role: "assistant" }, { recalled })).text,
    ).toContain("15:00");
  });

  it("is what a tool or the system says", async () => {
    expect(await reasons("The user lives in Leiden.", "system")).toEqual(["not-salient"]);
    expect(await reasons('{"city":"Leiden"}', "tool")).toEqual(["not-salient"]);
  });

  it("keeps a short block of code with the sentence that announces it, and no long one", async () => {
    const code = '```cpp\n// link with -Wl,--no-as-needed\nputs("E_LNK");\n```';
    const statement = await only(`The build fails without this flag:\n${code}\nRafaela merged the fix.`);
    expect(statement.text).toContain(code);
    const long = `\`\`\`cpp\n${"puts(x);\n".repeat(60)}\`\`\``;
    expect((await only(`The build fails without this flag:\n${long}\nRafaela merged the fix.`)).text).not.toContain("puts");
  });

  it("is code between fences, not what stands beside it", async () => {
    const statement = await only("I keep the flag in CI.\n```cpp\nputs(x);\nreturn 0;\n```\nRafaela merged the fix.");
    expect(statement.text).toBe("I keep the flag in CI. Rafaela merged the fix.");
  });
});

describe("bad input", () => {
  it("reads the start of a turn of a megabyte and tells that the rest was too large", { timeout: 60_000 }, async () => {
    const text = `I keep bees on the roof. ${"Lorem ipsum dolor sit amet, consectetur. ".repeat(25_000)}`;
    const { statements, refused } = await write([turn(text)]);
    expect(statements[0]?.indexText).toBe(text.slice(0, MAX_READ));
    expect(statements[0]?.text.length).toBeLessThanOrEqual(2_000);
    expect(refused.map(({ reason }) => reason)).toContain("too-large");
  });

  it("takes a megabyte without a single sentence end", { timeout: 60_000 }, async () => {
    for (const unit of ["a", "😀", "\ud800", "\u0000", "?", "中", "\n", "1 "]) {
      const { statements } = await write([turn(unit.repeat(1_000_000 / unit.length))]);
      for (const { text } of statements) expect(text.length).toBeLessThanOrEqual(2_000);
    }
  });

  it("stops when it is aborted, with the reason given", async () => {
    const reason = new Error("enough");
    await expect(
      writer.write(
        { turns: [turn("I like tea.")], recent: [], recalled: [], timeZone: "UTC" },
        { signal: AbortSignal.abort(reason) },
      ),
    ).rejects.toBe(reason);
  });

  it("writes a turn of right-to-left script, emoji and null bytes as it was", async () => {
    for (const text of ["انتقلت إلى بيروت العام الماضي مع أختي.", "אני גר בחיפה ליד הים.", "I 😀 love\u0000 tea 🍵 from Uji."]) {
      expect((await only(text)).sources[0]?.quote).toBe(text);
    }
  });

  it("quotes nothing but slices of the turn, whatever the turn", { timeout: 60_000 }, async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "I moved yesterday. ",
        "Hi! ",
        "Why? ",
        "```\n",
        "KX-40718 ",
        "我搬家了。",
        "\ud800",
        "\u0000",
        "last week ",
        "\n",
        "May 3 to June 5. ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), fc.constantFrom<Role>("user", "assistant"), async (pieces, role) => {
        const said = turn(pieces.join(""), { role });
        const { statements } = await write([said]);
        expect(statements.length).toBeLessThanOrEqual(1);
        for (const { sources, identifiers, indexText, text } of statements) {
          expect(text.trim()).not.toBe("");
          expect(said.text).toContain(indexText);
          expect(sources.length).toBeGreaterThan(0);
          for (const { quote, turnId } of sources) {
            expect(turnId).toBe(said.id);
            expect(said.text).toContain(quote);
          }
          for (const identifier of identifiers) expect(said.text).toContain(identifier);
        }
      }),
    );
  });
});

describe("other languages", () => {
  beforeAll(() => loadTimeLanguages(["de", "es", "zh"]));

  it.each([
    ["你好！我上个月搬到了成都。你觉得怎么样？", "我上个月 (2023-04)搬到了成都。"],
    [
      "Hallo! Ich bin letzten Sommer nach Ulm gezogen. Kannst du mir ein Lokal empfehlen?",
      "Ich bin letzten Sommer (2022-06/2022-08) nach Ulm gezogen.",
    ],
    [
      "Die Hochzeit ist jetzt am 28. Juni. Der Garten ist derselbe.",
      "Die Hochzeit ist jetzt am 28. Juni (2023-06-28). Der Garten ist derselbe.",
    ],
    [
      "La boda es ahora el 28 de junio. El jardín es el mismo.",
      "La boda es ahora el 28 de junio (2023-06-28). El jardín es el mismo.",
    ],
    ["婚礼改到6月28日。花园不变。", "婚礼改到6月28日 (2023-06-28)。花园不变。"],
    ["¡Hola! Ayer compré una bicicleta roja. ¿Qué casco me recomiendas?", "Ayer (2023-05-07) compré una bicicleta roja."],
  ])("of %j what matters is kept with its date", async (text, expected) => {
    expect((await only(text)).text).toBe(expected);
  });
});
