import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Bias, formatIsoDay, loadTimeLanguages, timeMentions } from "../../src/text/time.js";

/** The days that a text names, said at three in the afternoon; a question mark before what is doubtful. */
function days(on: string, text: string, bias: Bias = "nearest"): string {
  const at = Date.parse(`${on}T15:00Z`);
  const named = timeMentions(text, { at, timeZone: "UTC", bias }).map(({ window, doubtful }) => {
    const [from, to] = [formatIsoDay(window.from, "UTC"), formatIsoDay(window.to - 1, "UTC")];
    return `${doubtful ? "?" : ""}${from === to ? from : `${from}..${to}`}`;
  });
  return named.join(" ");
}

describe("dates without a year in statements", () => {
  it.each([
    ["2025-05-30", "The caterer was double-booked, so the wedding is now on the 28th of June.", "2025-06-28"],
    ["2025-03-22", "The wedding is on the 14th of June.", "2025-06-14"],
    ["2025-03-03", "It goes to print on the 28th of March.", "2025-03-28"],
    ["2025-04-27", "They say the internet comes on the 6th of May.", "2025-05-06"],
    ["2025-03-11", "I've signed up for the half marathon on the 11th of May.", "2025-05-11"],
    ["2025-04-06", "I've booked the flights with Tomás, 16 to 20 May, so after the race.", "2025-05-16..2025-05-20"],
    ["2025-05-30", "A second trip: Porto in October.", "2025-10-01..2025-10-31"],
    ["2025-06-10", "The deadline is 30 June.", "2025-06-30"],
    ["2025-06-10", "The trial was postponed to 2 July.", "2025-07-02"],
    ["2025-06-10", "I need to renew it by the 28th.", "2025-06-28"],
    ["2025-06-10", "The visa is valid until the 21st.", "2025-06-21"],
    ["2025-06-10", "I haven't slept since the 4th.", "2025-06-04"],
    ["2025-06-10", "I went to my sister's wedding on the 14th of May.", "2025-05-14"],
    ["2025-07-07", "I'm back: I just got back from a wedding on June 10th.", "2025-06-10"],
    ["2025-06-03", "My birthday party was on 3 December.", "2024-12-03"],
    ["2025-12-28", "The party, 3 January.", "2026-01-03"],
    ["2025-01-03", "The party, 28 December.", "2024-12-28"],
    ["2025-06-03", "The fair, 3 December to 5 December 2024.", "2024-12-03..2024-12-05"],
    ["2025-06-10", "I started going to the gym again on January 2nd.", "2025-01-02"],
    ["2025-06-10", "I set it up last Saturday, May 31st, and it's been working great.", "2025-05-31"],
    ["2025-06-10", "I bought it last month on the 15th.", "2025-05-15"],
    ["2025-06-10", "I filed it on the 3rd of last month.", "2025-05-03"],
    ["2025-06-10", "We won't be in Leiden on 5 June.", "2026-06-05"],
  ])("said on %s, %j means %s", (on, text, expected) => {
    expect(days(on, text)).toBe(expected);
  });

  it("mean the last one in questions, where no tense tells", () => {
    expect(days("2025-05-30", "Party of 28 June", "past")).toBe("2024-06-28");
    expect(days("2025-05-30", "Party of 28 June")).toBe("2025-06-28");
    expect(timeMentions("Party of 28 June", { at: Date.parse("2025-05-30"), timeZone: "UTC" })[0]?.date).toBe("28 June 2024");
  });

  it("are doubtful where both years are about as far and nothing tells the tense", () => {
    expect(days("2025-06-03", "My party, 5 December.")).toMatch(/^\?/u);
    expect(days("2025-06-03", "The party will be on 5 December.")).toBe("2025-12-05");
    expect(days("2025-06-03", "Trees in the fall.")).toMatch(/^\?/u);
  });

  it("end before the full stop, and after the dot of an abbreviation inside", () => {
    const texts = (text: string) => timeMentions(text, { at: 0, timeZone: "UTC" }).map((mention) => mention.text);
    expect(texts("It is in June. We go.")).toEqual(["in June"]);
    expect(texts("It is on 28 June. We go.")).toEqual(["28 June"]);
    expect(texts("Seen on Oct. 5, 2024.")).toEqual(["Oct. 5, 2024"]);
    expect(texts("Seen on 5 Oct. We go.")).toEqual(["5 Oct"]);
  });
});

describe("weekdays in statements", () => {
  it.each([
    ["2025-06-29", "On Tuesday I have to be at the clinic.", "2025-07-01"],
    ["2025-06-29", "On Tuesday I went to the clinic.", "2025-06-24"],
    ["2025-05-13", "He gets the key on Thursday.", "2025-05-15"],
    ["2025-05-30", "I have to send the plan by Sunday.", "2025-06-01"],
    ["2025-06-10", "I was in Rome until Friday.", "2025-06-06"],
    ["2025-06-10", "The exhibition runs until Friday.", "2025-06-13"],
    ["2025-06-10", "I was going to call her on Monday.", "2025-06-09"],
    ["2025-06-10", "I booked a table for Saturday.", "2025-06-14"],
    ["2025-06-10", "I will tell him what she said on Monday.", "2025-06-09"],
    ["2025-06-10", "Lunch with Ines on Friday.", "?2025-06-13"],
    ["2025-06-13", "I made salsa on Friday.", "?2025-06-13"],
    ["2025-06-10", "I go there every Sunday.", ""],
    ["2025-06-10", "By the following Monday I was well.", ""],
    ["2025-06-10", "I bought it on Black Friday for our Mental Health Monday.", ""],
    ["2025-06-10", "We stay up on Saturday nights.", ""],
  ])("said on %s, %j means %j", (on, text, expected) => {
    expect(days(on, text)).toBe(expected);
  });

  it.each([
    ["2025-04-06", "I'm moving on Saturday the 26th.", "2025-04-26"],
    ["2025-05-13", "The airline moved our flight to Wednesday the 21st.", "2025-05-21"],
    ["2025-06-10", "I met her on Fri 6th.", "2025-06-06"],
    ["2025-06-10", "My appointment, Thursday the 12th.", "2025-06-12"],
    ["2025-04-06", "I'm moving on Saturday, 26 April.", "2025-04-26"],
  ])("with a number, said on %s, %j means %s", (on, text, expected) => {
    expect(days(on, text)).toBe(expected);
  });

  it("with a number fall on both, and nowhere nearer", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -40, max: 40 }), (today, off) => {
        const target = new Date((today + off) * 86_400_000);
        const name = target.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
        const [mention] = timeMentions(`${name} the ${target.getUTCDate()}th`, {
          at: today * 86_400_000,
          timeZone: "UTC",
          bias: "nearest",
        });
        const found = new Date(mention?.window.from ?? Number.NaN);
        expect(found.getUTCDate()).toBe(target.getUTCDate());
        expect(found.getUTCDay()).toBe(target.getUTCDay());
        expect(Math.abs(found.getTime() / 86_400_000 - today)).toBeLessThanOrEqual(Math.abs(off));
      }),
    );
  });

  it.each([
    ["2025-04-17", "next Friday", "2025-04-25"],
    ["2025-04-17", "this Friday", "2025-04-18"],
    ["2025-04-17", "the coming Friday", "2025-04-18"],
    ["2025-06-10", "next Saturday", "2025-06-21"],
    ["2025-06-09", "next Saturday", "?2025-06-14"],
    ["2025-06-08", "next Monday", "?2025-06-16"],
    ["2025-06-08", "next Sunday", "2025-06-15"],
    ["2025-06-11", "next fri", "2025-06-20"],
    ["2025-06-09", "this fri", "2025-06-13"],
  ])("said on %s, %j is %s", (on, text, expected) => {
    expect(days(on, `We sail ${text}.`)).toBe(expected);
  });
});

describe("the past weeks and months", () => {
  it("are days up to now, not the calendar's last week", () => {
    expect(days("2025-06-10", "I read a lot in the past week.")).toBe("2025-06-02..2025-06-10");
  });

  it("are about then where their count is no number", () => {
    const date = (text: string) => timeMentions(text, { at: Date.parse("2025-06-10"), timeZone: "UTC" })[0]?.date;
    expect(date("A few years ago I moved.")).toBe("around 2022");
    expect(date("Three years ago I moved.")).toBe("2022");
  });
});

describe("dates of other languages in statements", () => {
  beforeAll(() => loadTimeLanguages(["de", "es", "zh"]));

  it.each([
    ["2025-05-30", "Die Hochzeit ist jetzt am 28. Juni.", "2025-06-28"],
    ["2025-06-29", "Am Dienstag muss ich um neun dort sein.", "2025-07-01"],
    ["2025-06-29", "Am Dienstag war ich beim Zahnarzt.", "2025-06-24"],
    ["2025-05-13", "Er bekommt den Schlüssel am Donnerstag.", "2025-05-15"],
    ["2025-04-06", "Ich ziehe am Samstag, den 26. um.", "2025-04-26"],
    ["2025-04-06", "Ich ziehe am Samstag, 26. April, um.", "2025-04-26"],
    ["2025-05-13", "Der Rückflug wurde auf Mittwoch, den 21. verlegt.", "2025-05-21"],
    ["2025-04-17", "Der Test ist nächsten Freitag.", "2025-04-25"],
    ["2025-04-17", "Der Test ist kommenden Freitag.", "2025-04-18"],
    ["2025-06-10", "Ich habe am Freitag gekündigt.", "2025-06-06"],
    ["2025-06-10", "Ich besuche sie am Freitag.", "2025-06-13"],
    ["2025-06-10", "Seit dem 4. Mai bin ich Vegetarierin.", "2025-05-04"],
    ["2025-06-10", "Die Party, 28. Juni.", "2025-06-28"],
    ["2025-05-30", "La boda es ahora el 28 de junio.", "2025-06-28"],
    ["2025-06-29", "El martes tengo que estar allí.", "2025-07-01"],
    ["2025-06-29", "El martes fui al dentista.", "2025-06-24"],
    ["2025-04-06", "Me mudo el sábado 26.", "2025-04-26"],
    ["2025-04-06", "Me mudo el sábado 26 de abril.", "2025-04-26"],
    ["2025-05-13", "Cambiaron el vuelo al miércoles 21.", "2025-05-21"],
    ["2025-04-17", "La prueba es el próximo viernes.", "2025-04-25"],
    ["2025-04-15", "La prueba es el próximo viernes.", "2025-04-18"],
    ["2025-06-10", "El plazo termina el viernes.", "2025-06-13"],
    ["2025-05-30", "Otro viaje: Oporto en octubre.", "2025-10-01..2025-10-31"],
    ["2025-05-30", "婚礼改到6月28日。", "2025-06-28"],
    ["2025-06-29", "周二我要去公司。", "2025-07-01"],
    ["2025-06-29", "周二我去了牙医那里。", "2025-06-24"],
    ["2025-04-06", "我26号星期六搬家。", "2025-04-26"],
    ["2025-04-06", "我4月26日星期六搬家。", "2025-04-26"],
    ["2025-04-17", "下周五做检查。", "2025-04-25"],
    ["2025-05-13", "他周四拿钥匙。", "2025-05-15"],
    ["2025-05-30", "十月去波尔图。", "2025-10-01..2025-10-31"],
  ])("said on %s, %j means %s", (on, text, expected) => {
    expect(days(on, text)).toBe(expected);
  });
});
