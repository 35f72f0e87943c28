import { describe, expect, it } from "vitest";
import { holds, namesWritten, plainWords } from "../../src/ltm/written-names.js";

const written = (text: string) => namesWritten(text).map((run) => run.join(" "));

describe("a name as a sentence writes it", () => {
  it.each([
    ["Gudrun Pfeffer is a great dentist.", ["gudrun pfeffer", "pfeffer"]],
    ["We met doctors such as Priya Raman there.", ["priya raman"]],
    ["That is Anna’s dog, and O’Brien’s cat.", ["anna", "o'brien"]],
    ["Yesterday José came. Then I left for the Harz.", ["yesterday jose", "jose", "harz"]],
  ])("has capitals where no sentence begins: %s", (text, names) => {
    expect(written(text)).toEqual(names);
  });

  it.each([
    "Rebecca is a nurse.",
    "I think I’m tired, and I have a cold.",
    'He said: "Tea is good."',
    "It is a German shepherd, born on a Monday in June.",
    "My TV shows BBC.",
    "Der Hund ist ein Haustier, und die Katze auch.",
    "How To Brew Green Tea At Home",
    "",
  ])("is not what a sentence, a quotation, a headline or a language writes so: %s", (text) => {
    expect(written(text)).toEqual([]);
  });
});

it("is held by words in their order and together", () => {
  const words = plainWords("The knee surgery of Priya Raman’s");
  expect(words).toEqual(["the", "knee", "surgery", "of", "priya", "raman"]);
  expect([["priya", "raman"], ["raman", "priya"], ["of", "raman"], ["priy"], []].map((part) => holds(words, part))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
