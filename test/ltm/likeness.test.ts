import { describe, expect, it } from "vitest";
import { differsInNumber, isAbout, isCalledAlike, saysSame } from "../../src/ltm/likeness.js";

const named = (name: string, statement = `what ${name} is`, terms: readonly string[] = []) => ({ name, statement, terms });

describe("two names", () => {
  it.each([
    ["green tea", "Green teas"],
    ["green tea", "tea that is green"],
    ["ice cream", "icecream"],
    ["the tea", "tea"],
  ])("“%s” and “%s” are of one thing", (one, other) => {
    expect(isCalledAlike(named(one), named(other))).toBe(true);
  });

  it.each([
    ["plum", "pear"],
    ["war", "peace"],
    ["dogs", "cats"],
    ["house boat", "boat house"],
    ["tea", "green tea"],
  ])("“%s” and “%s” are of two", (one, other) => {
    expect(isCalledAlike(named(one), named(other))).toBe(false);
  });

  it.each([
    ["chai", "Chai, also called tea, is a drink"],
    ["chai", "Chai is another name for tea"],
    ["chai", "Tee heißt auch Tea, das ist Chai"],
    ["té", "té, también llamado tea"],
  ])("are of one where “%s” says so: %s", (name, statement) => {
    expect(isCalledAlike(named(name, statement), named("tea"))).toBe(true);
    expect(isCalledAlike(named("tea"), named(name, statement))).toBe(true);
  });

  it("are of two where one only speaks of the other, or denies it", () => {
    expect(isCalledAlike(named("chai", "chai is a tea"), named("tea"))).toBe(false);
    expect(isCalledAlike(named("chai", "chai is not the same as tea"), named("tea"))).toBe(false);
    expect(isCalledAlike(named("Katzen", "Katzen mögen auch Hunde"), named("Hunde"))).toBe(false);
  });

  it("are of one where the one was merged with what was called so", () => {
    expect(isCalledAlike(named("tea", "a drink", ["tea", "chai"]), named("chai"))).toBe(true);
    expect(isCalledAlike(named("green tea", "a drink", ["green", "tea"]), named("tea"))).toBe(false);
  });
});

describe("two statements", () => {
  it("say the same in the same order alone", () => {
    expect(saysSame("dogs chase cats", "a dog chases the cats")).toBe(true);
    expect(saysSame("dogs chase cats", "cats chase dogs")).toBe(false);
    expect(saysSame("dogs chase cats", "dogs chase cats in the old town")).toBe(false);
  });

  it("differ in number where both have one", () => {
    expect(differsInNumber(named("tea", "for 3 minutes"), named("tea", "for 5 minutes"))).toBe(true);
    expect(differsInNumber(named("tea", "drei Minuten"), named("tea", "fünf Minuten"))).toBe(true);
    expect(differsInNumber(named("tea", "for 3 minutes"), named("tea", "a drink"))).toBe(false);
  });
});

describe("a new statement", () => {
  it.each([
    ["tea makes people calm", "tea keeps people awake", true],
    ["a drink for the night", "a red drink of South Africa", true],
    ["tea makes people calm", "coffee poisons thirteen dogs", false],
    ["tea makes people calm", "coffee makes people calm", false],
    ["a drink for the night", "dogs chase cats", false],
  ])("“%s” → “%s” is about its node: %s", (before, after, is) => {
    expect(isAbout(named("tea", before), after)).toBe(is);
  });

  it("names it in any language, or as what it was merged with", () => {
    expect(isAbout(named("Katzen", "Katzen sind Tiere"), "Die Katzen schlafen gerne und viel")).toBe(true);
    expect(isAbout(named("tea", "tea is a drink", ["tea", "chai"]), "chai comes with spices")).toBe(true);
  });
});
