/** What a question may point at, put in its place. */

import { describe, expect, it } from "vitest";
import type { RecentTurn } from "../../src/ports.js";
import { possibleReadings } from "../../src/retrieve/possible-readings.js";
import { at } from "./entries.js";

const turns = (...texts: readonly string[]): RecentTurn[] =>
  texts.map((text) => ({ role: "user", text, at: at("2026-04-30T10:00:00Z") }));

describe("the readings of a question", () => {
  it.each([
    ["Did she give it back?", "I saw that Tom lent his drill to Maria.", ["Did Tom give it back?", "Did Maria give it back?"]],
    ["What is her cat called?", "Ruth visited us.", ["What is Ruth's cat called?"]],
    ["What did I promise her?", "Ruth visited us.", ["What did I promise Ruth?"]],
    ["When did that project begin?", "We discussed Falcon with the lawyers.", ["When did Falcon begin?"]],
    ["How much was that?", "I bought a kayak.", ["How much was kayak?"]],
    ["And the price?", "We stayed at the Bergblick hotel.", ["And the price? Bergblick"]],
  ])("put in what the last turns name: %s", (question, before, readings) => {
    expect(possibleReadings(question, turns(before))).toEqual(expect.arrayContaining(readings));
  });

  it("hold names that begin a sentence, and no function words that do", () => {
    const readings = possibleReadings("What did she do before?", turns("Greta starts at a bakery.", "How exciting!"));
    expect(readings).toEqual(["What did Greta do before?", "What did bakery do before?"]);
  });

  it("begin with what was named last, and are eight at most", () => {
    const many = turns(...Array.from({ length: 9 }, (_, n) => `We met Person${n}a and Person${n}b.`));
    const readings = possibleReadings("Where does he live?", many);
    expect(readings).toHaveLength(8);
    expect(readings[0]).toBe("Where does Person8a live?");
  });

  it("leave out what the question names itself", () => {
    expect(possibleReadings("Did Maria like it?", turns("I gave Maria a kayak."))).toEqual(["Did Maria like kayak?"]);
  });

  it("are none where it points at nothing, or nothing was said", () => {
    expect(possibleReadings("Where did I park the car?", turns("We met Maria."))).toEqual([]);
    expect(possibleReadings("How much did it cost?", [])).toEqual([]);
  });

  it("put in a title word for word, whatever it holds", () => {
    expect(possibleReadings("Who wrote it?", turns("I read “Cash $& Carry” again."))).toContain("Who wrote Cash $& Carry?");
  });
});
