import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { formatDay, formatIsoDay, loadTimeLanguages, timeMentions } from "../../src/text/time.js";

/** A Wednesday. */
const AT = Date.parse("2023-05-10T15:00:00Z");

function days(text: string, at = AT, timeZone = "UTC"): string[] {
  return timeMentions(text, { at, timeZone }).map(({ window }) => {
    const [from, to] = [formatIsoDay(window.from, timeZone), formatIsoDay(window.to - 1, timeZone)];
    return from === to ? from : `${from}..${to}`;
  });
}

describe("times that English speaks of", () => {
  it.each([
    ["I went to the dentist yesterday.", "2023-05-09"],
    ["The day before yesterday it rained.", "2023-05-08"],
    ["We fly the day after tomorrow.", "2023-05-12"],
    ["Last Friday we ate out.", "2023-05-05"],
    ["The Friday before last I was ill.", "2023-04-28"],
    ["I went to yoga on Monday.", "2023-05-08"],
    ["The dentist appointment is on Friday.", "2023-05-12"],
    ["I ran with Ines last tues.", "2023-05-09"],
    ["Last night was loud.", "2023-05-09"],
    ["We hiked the weekend before last.", "2023-04-28..2023-04-30"],
    ["This weekend we are hiking.", "2023-05-12..2023-05-14"],
    ["I hiked this weekend.", "2023-05-05..2023-05-07"],
    ["We met last week.", "2023-04-26..2023-05-06"],
    ["The week before last was hard.", "2023-04-24..2023-04-30"],
    ["I bought it three weeks ago.", "2023-04-16..2023-04-22"],
    ["It broke two or three days ago.", "2023-05-06..2023-05-09"],
    ["A couple of months ago I moved.", "2023-02-24..2023-03-26"],
    ["In two weeks we leave.", "2023-05-21..2023-05-27"],
    ["In 2019 I lived in Porto.", "2019"],
    ["The 90s were fun.", "1990-01-01..1999-12-31"],
    ["We went in August.", "2022-08"],
    ["We are going to Rome in August.", "2023-08"],
    ["I moved in May 2022.", "2022-05"],
    ["Last May she left.", "2022-05"],
    ["Next month I start.", "2023-06"],
    ["Last summer I swam.", "2022-06-01..2022-08-31"],
    ["It was in the summer of 2021.", "2021-06-01..2021-08-31"],
    ["The fair is on 7 May 2023.", "2023-05-07"],
    ["The fair was on Friday the 13th of October.", "2022-10-13"],
    ["May 3-5 was fun.", "2023-05-03..2023-05-05"],
    ["We stayed from May 3 to June 5, 2022.", "2022-05-03..2022-06-05"],
    ["Between 3 May and 9 May I was away.", "2023-05-03..2023-05-09"],
    ["Signed 3/14/2023 by both.", "2023-03-14"],
    ["Signed on 14.03.2023.", "2023-03-14"],
    ["My passport expires on 2027-01-31.", "2027-01-31"],
    ["On the 14th I got paid.", "2023-04-14"],
    ["Last Christmas we were ill.", "2022-12-24..2022-12-26"],
    ["What did he do the week before August 3, 2023?", "2023-07-27..2023-08-02"],
    ["She left on the Monday before July 24, 2023.", "2023-07-17"],
    ["We met two days after 3 May.", "2023-05-05"],
    ["It was the day before May 1.", "2023-04-30"],
    ["Where was he the weekend before 17 July 2023?", "2023-07-14..2023-07-16"],
    ["It rained in the week of 3 May.", "2023-05-01..2023-05-07"],
    ["We sailed the first weekend of August 2022.", "2022-08-05..2022-08-07"],
    ["The last Friday of April was free.", "2023-04-28"],
    ["She came the month after June 2022.", "2022-07-01..2022-07-31"],
  ])("reads %j as %s", (text, expected) => {
    const whole: Record<string, string> = {
      "2019": "2019-01-01..2019-12-31",
      "2022-05": "2022-05-01..2022-05-31",
      "2022-08": "2022-08-01..2022-08-31",
      "2023-08": "2023-08-01..2023-08-31",
      "2023-06": "2023-06-01..2023-06-30",
    };
    expect(days(text)).toEqual([whole[expected] ?? expected]);
  });

  it.each([
    "I bought a sun dress.",
    "You may come in.",
    "March on, we said.",
    "Wait a second.",
    "I sat down with April and June.",
    "Version 1.2.3 costs 2000 dollars.",
    "Call 555-1234 or 10.0.0.1.",
    "On Fridays I dance.",
    "I lost five kilos in two weeks.",
    "Two days before the wedding the cake fell.",
    "I have 3 cats and 1,200 books.",
    "The day 2023-02-31 never comes.",
  ])("finds no time in %j", (text) => {
    expect(timeMentions(text, { at: AT, timeZone: "UTC" })).toEqual([]);
  });

  it("gives the absolute date in words", () => {
    const dates = (text: string) => timeMentions(text, { at: AT, timeZone: "UTC" }).map(({ date }) => date);
    expect(dates("yesterday")).toEqual(["9 May 2023"]);
    expect(dates("last week")).toEqual(["week of 1 May 2023"]);
    expect(dates("three weeks ago")).toEqual(["around 19 April 2023"]);
    expect(dates("two months ago")).toEqual(["March 2023"]);
    expect(dates("last summer and last year")).toEqual(["summer 2022", "2022"]);
  });

  it("tells relative expressions from dates that stand for themselves", () => {
    const mentions = timeMentions("Yesterday I renewed it until 7 May 2029.", { at: AT, timeZone: "UTC" });
    expect(mentions.map(({ relative }) => relative)).toEqual([true, false]);
  });
});

describe("times in a person's zone", () => {
  it("counts tomorrow from the local day, not from UTC's", () => {
    const at = Date.parse("2026-09-10T00:41:00+05:45");
    expect(days("Dentist tomorrow at 9:15.", at, "Asia/Kathmandu")).toEqual(["2026-09-11"]);
    expect(days("Dentist tomorrow at 9:15.", at, "UTC")).toEqual(["2026-09-10"]);
  });

  it("keeps a plain calendar date on its day west of Greenwich", () => {
    expect(days("It expires on 2027-01-31.", AT, "America/Los_Angeles")).toEqual(["2027-01-31"]);
  });

  it("gives a day of 23 hours where clocks go forward", () => {
    const at = Date.parse("2024-03-31T12:00:00Z");
    const [today] = timeMentions("today", { at, timeZone: "Europe/Berlin" });
    expect(today?.window).toEqual({ from: Date.parse("2024-03-30T23:00:00Z"), to: Date.parse("2024-03-31T22:00:00Z") });
  });

  it("reads dates before 1970", () => {
    const at = Date.parse("1962-10-20T12:00:00Z");
    expect(days("We landed yesterday and met in 1958.", at, "America/New_York")).toEqual([
      "1962-10-19",
      "1958-01-01..1958-12-31",
    ]);
    expect(formatDay(-1, "UTC")).toBe("31 December 1969");
  });

  it("does not depend on the machine's own zone", () => {
    const own = process.env.TZ;
    try {
      const answers = ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"].map((zone) => {
        process.env.TZ = zone;
        return JSON.stringify(timeMentions("last Friday, on 7 May and tomorrow", { at: AT, timeZone: "Europe/Berlin" }));
      });
      expect(new Set(answers).size).toBe(1);
    } finally {
      if (own === undefined) delete process.env.TZ;
      else process.env.TZ = own;
    }
  });

  it("shows days for people and for machines", () => {
    const at = Date.parse("2023-05-07T23:30:00Z");
    expect([formatDay(at, "UTC"), formatDay(at, "Asia/Tokyo"), formatIsoDay(at, "Asia/Tokyo")]).toEqual([
      "7 May 2023",
      "8 May 2023",
      "2023-05-08",
    ]);
  });

  it("refuses an unknown zone and a time that no date holds", () => {
    expect(() => timeMentions("yesterday", { at: AT, timeZone: "Mars/Olympus" })).toThrow(RangeError);
    expect(() => formatDay(Number.NaN, "UTC")).toThrow(RangeError);
  });
});

describe("times that other languages speak of, once they are loaded", () => {
  beforeAll(() => loadTimeLanguages(["de", "es", "zh"]));

  it("take no day from an English date", () => {
    const [mention] = timeMentions("I was in Porto on 24 April 2023.", { at: Date.parse("2023-05-08T12:00Z"), timeZone: "UTC" });
    expect(mention).toMatchObject({
      text: "24 April 2023",
      window: { from: Date.parse("2023-04-24"), to: Date.parse("2023-04-25") },
    });
  });

  it.each([
    ["heute früh bin ich gelaufen", "2023-05-10"],
    ["Letzten Freitag waren wir essen.", "2023-05-05"],
    ["Vor drei Wochen zog ich um.", "2023-04-16..2023-04-22"],
    ["Am 3. Oktober 2022 war das.", "2022-10-03"],
    ["Vom 3. bis 5. Mai war ich weg.", "2023-05-03..2023-05-05"],
    ["Im August fahre ich weg.", "2023-08-01..2023-08-31"],
    ["Morgen fliege ich.", "2023-05-11"],
    ["Ich fliege übermorgen.", "2023-05-12"],
    ["Am Morgen trinke ich Tee.", ""],
    ["Letzten Sommer war es heiß.", "2022-06-01..2022-08-31"],
    ["El viernes pasado comimos fuera.", "2023-05-05"],
    ["Anoche llovió.", "2023-05-09"],
    ["Hace tres semanas me mudé.", "2023-04-16..2023-04-22"],
    ["El 3 de octubre de 2022 nació.", "2022-10-03"],
    ["Por la mañana tomo té.", ""],
    ["Mañana empiezo.", "2023-05-11"],
    ["El mes que viene viajo.", "2023-06-01..2023-06-30"],
    ["El verano pasado nadé.", "2022-06-01..2022-08-31"],
    ["我去年五月搬到了成都。", "2022-05-01..2022-05-31"],
    ["三个月前我换了工作。", "2023-01-25..2023-02-24"],
    ["上周五我们去吃火锅。", "2023-05-05"],
    ["上周末去爬山了。", "2023-05-05..2023-05-07"],
    ["2022年10月3日出生。", "2022-10-03"],
    ["5月3日到5日我在杭州。", "2023-05-03..2023-05-05"],
    ["昨晚没睡好。", "2023-05-09"],
    ["半年前。", "2022-07-12..2023-03-09"],
  ])("reads %j as %j", (text, expected) => {
    expect(days(text)).toEqual(expected === "" ? [] : [expected]);
  });

  it("refuses a language that there is none of", async () => {
    await expect(loadTimeLanguages(["fr" as "de"])).rejects.toThrow(RangeError);
  });
});

describe("any text", () => {
  it("gives mentions that are slices, in order, apart, with windows that are not empty", { timeout: 60_000 }, () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom(
        "yesterday",
        " last week ",
        "May 3",
        " to ",
        "2023-02-30",
        "3/14/2023",
        " in 2019",
        "Friday",
        "上周五",
        "\ud800",
        "\u0000",
        " two years ago",
        "on the 31st",
        "0000-01-01",
        "9999-12-31",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.integer({ min: -62e12, max: 32e12 }),
        fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns"),
        (pieces, at, timeZone) => {
          const text = pieces.join(" ");
          let end = 0;
          for (const mention of timeMentions(text, { at, timeZone })) {
            expect(text.slice(mention.index, mention.index + mention.text.length)).toBe(mention.text);
            expect(mention.index).toBeGreaterThanOrEqual(end);
            expect(mention.window.from).toBeLessThan(mention.window.to);
            end = mention.index + mention.text.length;
          }
        },
      ),
    );
  });

  it("looks at the start of a text of a million characters only", () => {
    const text = `yesterday ${"2023 in May last ".repeat(60_000)}`;
    expect(timeMentions(text, { at: AT, timeZone: "UTC" })[0]?.text).toBe("yesterday");
    expect(timeMentions(`${"x ".repeat(1500)}yesterday`, { at: AT, timeZone: "UTC" })).toEqual([]);
    expect(timeMentions(`${"x ".repeat(1500)}yesterday`, { at: AT, timeZone: "UTC", maxLength: 5000 })).toHaveLength(1);
  });
});

it("tells days at both ends of time, and across a change of clocks", () => {
  const zone = "Europe/Berlin";
  expect(formatIsoDay(8_640_000_000_000_000, zone)).toBe("275760-09-13");
  expect(formatIsoDay(-8_640_000_000_000_000, zone)).toBe("-271821-04-20");
  // At the end of October 25th 2026 it is still that day for an hour more than UTC+2 says.
  expect(formatIsoDay(Date.UTC(2026, 9, 24, 22), zone)).toBe("2026-10-25");
  expect(formatIsoDay(Date.UTC(2026, 9, 25, 22, 59), zone)).toBe("2026-10-25");
  expect(formatIsoDay(Date.UTC(2026, 9, 25, 23), zone)).toBe("2026-10-26");
});
