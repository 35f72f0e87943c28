/** Questions as the statements that would answer them. */

import { describe, expect, it } from "vitest";
import { toFirstPerson, toStatement } from "../../src/retrieve/rewrite.js";

describe("toStatement", () => {
  it.each([
    ["When did Ann go to Rome?", "Ann went to Rome."],
    ["How long has Bob lived in Kyiv?", "Bob has lived in Kyiv."],
    ["Where does my sister work?", "my sister works."],
    ["Which instruments does Ann play?", "Ann plays instruments."],
    ["Did Ann try pottery?", "Ann tried pottery."],
    ["Who fixed the roof?", "someone fixed the roof."],
    ["What is on the table?", "is on the table."],
    ["Wiebke?", "Wiebke."],
    ["", "."],
  ])("%s", (question, statement) => {
    expect(toStatement(question)).toBe(statement);
  });
});

describe("toFirstPerson", () => {
  it.each([
    ["What does Ann's dog eat?", "my dog eats."],
    ["Where has Ann been with her brother?", "I have been with my brother."],
    ["Is Ann married?", "I am married."],
  ])("%s", (question, statement) => {
    expect(toFirstPerson(question, ["Ann"])).toBe(statement);
  });
  it("reads a name as it is, whatever signs are in it", () => {
    expect(toFirstPerson("When did A.(x go home?", ["A.(x"])).not.toBe("");
  });
});
