/** The plan that rules make of a question. */

import { describe, expect, it } from "vitest";
import type { RecentTurn } from "../../src/ports.js";
import { LiteController } from "../../src/retrieve/controller.js";
import type { Plan } from "../../src/types.js";
import { at } from "./entries.js";

const NOW = at("2026-06-10T12:00:00Z");
const plan = (text: string, speakers: readonly string[] = [], recent: readonly RecentTurn[] = []): Plan =>
  new LiteController().planSync({ text, recent, speakers, now: NOW, timeZone: "Europe/Berlin" });
const said = (text: string): RecentTurn => ({ role: "user", text, at: NOW });
const queryOf = (p: Plan, purpose: string): string | undefined => p.queries.find((query) => query.purpose === purpose)?.text;

describe("queries", () => {
  it("always have the user's own words first, with half of the candidates", () => {
    const { queries } = plan("When did Ann and Bob both go hiking?", ["Ann", "Bob"]);
    expect(queries[0]).toMatchObject({ text: "When did Ann and Bob both go hiking?", purpose: "own-words", share: 0.5 });
    expect(queries.reduce((sum, query) => sum + query.share, 0)).toBeCloseTo(1);
    expect(queries.length).toBeLessThanOrEqual(4);
  });
  it("are the own words alone when there is nothing to add", () => {
    expect(plan("What did I buy?").queries).toEqual([{ text: "What did I buy?", purpose: "own-words", route: "both", share: 1 }]);
  });
  it("say it as the person named would", () => {
    expect(queryOf(plan("When did Ann go to Rome?", ["Ann", "Bob"]), "first-person")).toBe("I went to Rome.");
    expect(queryOf(plan("What books has Ann read?", ["Ann"]), "first-person")).toBe("I have read books.");
  });
  it("ask about each of two people by themselves", () => {
    const questions = plan("What do Ann and Bob both like?", ["Ann", "Bob"]).queries.filter(
      (query) => query.purpose === "sub-question",
    );
    expect(questions.map((query) => query.text)).toEqual(["What do Ann like?", "What do Bob like?"]);
  });
});

describe("what a question points at", () => {
  it.each([
    ["How much did it cost?", "I bought a second-hand kayak yesterday.", "second-hand kayak"],
    ["Who leads that project?", "The Falcon project starts on Monday.", "Falcon project"],
    ["What does she like?", "I had lunch with Ottilie today.", "Ottilie"],
    ["And the price?", "We stayed at the Bergblick hotel.", "Bergblick"],
    ["那个多少钱？", "我买了一辆自行车。", "自行车"],
  ])("is put in: %s", (question, before, expected) => {
    expect(queryOf(plan(question, [], [said("Good morning."), said(before)]), "resolved")).toContain(expected);
  });
  it.each([
    ["What did I promise her?", "I had lunch with Ottilie today.", "What did I promise Ottilie?"],
    ["What is her cat called?", "I had lunch with Ottilie today.", "What is Ottilie's cat called?"],
    ["How much was that?", "I bought a kayak.", "How much was kayak?"],
    ["Who wrote it?", "I read “Cash $& Carry” again.", "Who wrote Cash $& Carry?"],
  ])("takes the place of the pointer alone, word for word: %s", (question, before, expected) => {
    expect(queryOf(plan(question, [], [said(before)]), "resolved")).toBe(expected);
  });
  it("is left alone when the question points at nothing or nothing was said", () => {
    expect(queryOf(plan("Where did I park the car?", [], [said("I bought a kayak.")]), "resolved")).toBeUndefined();
    expect(queryOf(plan("How much did it cost?"), "resolved")).toBeUndefined();
  });
});

describe("subject", () => {
  it.each([
    ["What does Ann eat?", ["Ann", "Bob"], "Ann"],
    ["What does Mel eat?", ["Melanie"], "Melanie"],
    ["What do Ann and Bob eat?", ["Ann", "Bob"], undefined],
    ["Which book did you recommend?", [], "assistant"],
    ["Where do I live?", [], "user"],
    ["What is the capital of France?", [], undefined],
    ["Was it announced?", ["Ann"], undefined],
  ])("of %s", (question, speakers, subject) => {
    expect(plan(question, speakers).subject).toBe(subject);
  });
});

describe("answer type", () => {
  it.each([
    ["When did I move?", "when"],
    ["How long did it take?", "duration"],
    ["How many cats do I have?", "number"],
    ["Who fixed the roof?", "who"],
    ["Which city did I visit?", "where"],
    ["Why did I leave?", "why"],
    ["What do I like?", "what"],
    ["Wo wohnt Anna?", "where"],
    ["¿Cuándo es mi cita?", "when"],
    ["我什么时候搬家的？", "when"],
  ])("of %s", (question, type) => {
    expect(plan(question).answerType).toBe(type);
  });
});

describe("times", () => {
  it("give windows in the person's zone", () => {
    const [window] = plan("What did I do on 3 May?").windows;
    expect(window).toEqual({ from: at("2026-05-03T00:00:00+02:00"), to: at("2026-05-04T00:00:00+02:00") });
  });
  it("that are only asked for give none", () => {
    expect(plan("When did I go hiking?").windows).toEqual([]);
    expect(plan("How long ago did I move?").windows).toEqual([]);
  });
});

describe("the present", () => {
  it.each([
    ["Where do I work now?", true],
    ["What is my address?", true],
    ["Where did I work?", false],
    ["What was my first address?", false],
  ])("%s", (question, present) => {
    expect(plan(question).asksPresent).toBe(present);
  });
});

describe("bad input", () => {
  it("is planned as it is", async () => {
    for (const text of ["", "🎉", "\ud800", "?".repeat(100_000), "(".repeat(50)])
      expect(plan(text, ["A(nn", "[Bob"]).queries[0]?.text).toBe(text);
    await expect(
      new LiteController().plan(
        { text: "x", recent: [], speakers: [], now: NOW, timeZone: "UTC" },
        { signal: AbortSignal.abort("stop") },
      ),
    ).rejects.toBe("stop");
  });
});
