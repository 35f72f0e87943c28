import { describe, expect, it } from "vitest";
import { CreditLog, contentStems, reuseLabels } from "../../src/lre/labels.js";

const LOG = [
  "We adopted a greyhound called Pixel in June.",
  "Nice weather again, isn't it?",
  "Pixel ate my sandwich, the whole sandwich, while I answered the door.",
  "June was so hot this year.",
  "My cousin plays the cello in a small orchestra.",
];
const log = (): CreditLog => {
  const credit = new CreditLog();
  for (const text of LOG) credit.add(text);
  return credit;
};
const QUESTION = { question: "What is the dog that you adopted called?", answer: "A greyhound called Pixel" };

describe("soft credit", () => {
  it("goes to the turn that an answer rests on, and sums to at most one a question", () => {
    const { labels, evidence } = log().labels([QUESTION]);
    expect(evidence).toBe(1);
    expect(labels.indexOf(Math.max(...labels))).toBe(0);
    expect(labels.reduce((sum, label) => sum + label, 0)).toBeLessThanOrEqual(1);
    expect(labels[0]).toBeGreaterThan(0.7);
  });

  it("adds up over questions, and never to certainty", () => {
    const { labels } = log().labels(Array.from({ length: 50 }, () => QUESTION));
    expect(labels[0]).toBeGreaterThan(0.99);
    expect(labels[0]).toBeLessThanOrEqual(1);
    expect(labels[1]).toBe(0);
  });

  it("gives nothing for answers that no turn covers, or that hold no content", () => {
    const { labels, evidence } = log().labels([
      { question: "Who sang?", answer: "Nobody I know" },
      { question: "Is it?", answer: "It is." },
      { question: "Why?", answer: "" },
    ]);
    expect(evidence).toBe(0);
    expect([...labels]).toEqual([0, 0, 0, 0, 0]);
  });

  it("works on Chinese", () => {
    const credit = new CreditLog();
    for (const text of ["我上个月搬到了成都。", "今天天气不错。", "我妹妹对花生过敏。"]) credit.add(text);
    const { labels } = credit.labels([{ question: "你妹妹对什么过敏？", answer: "花生" }]);
    expect(labels.indexOf(Math.max(...labels))).toBe(2);
  });
});

describe("the paper's overlap label", () => {
  it("marks every turn that holds two fifths of an answer's words, whatever the question", () => {
    const { labels } = log().labels([QUESTION], { label: "overlap" });
    expect([...labels]).toEqual([1, 0, 0, 0, 0]);
    const { labels: short } = log().labels([{ question: "When?", answer: "June" }], { label: "overlap" });
    expect([...short]).toEqual([1, 0, 0, 1, 0]);
  });
});

describe("reuse labels", () => {
  it("mark the unit that introduced what three later units use, and none before", () => {
    const identifiers = [["A1"], ["B2", "A1"], ["A1"], ["B2"], ["A1"], []];
    expect([...reuseLabels(identifiers).labels]).toEqual([1, 0, 0, 0, 0, 0]);
    expect([...reuseLabels(identifiers, 1).labels]).toEqual([1, 1, 0, 0, 0, 0]);
    expect([...reuseLabels(identifiers, 4).labels]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("count a unit that repeats an identifier once", () => {
    expect([...reuseLabels([["A1"], ["A1", "A1", "A1"]]).labels]).toEqual([0, 0]);
  });
});

describe("content stems", () => {
  it("bring the forms of a word together and leave out what every text holds", () => {
    expect(contentStems("The dogs were running; a dog runs.")).toEqual(["dog", "run", "dog", "run"]);
  });
});
