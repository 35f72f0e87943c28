import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerText } from "../../src/slm/engines/answer-text.js";

function told(pieces: readonly string[], stops?: readonly string[]) {
  const heard: string[] = [];
  const answer = new AnswerText(stops, (piece) => heard.push(piece));
  for (const piece of pieces) answer.add(piece);
  return { text: answer.end(), heard, stopped: answer.stopped };
}

describe("an answer", () => {
  test("is told as it comes where nothing stops it", () => {
    expect(told(["a", "", "bc"])).toEqual({ text: "abc", heard: ["a", "bc"], stopped: false });
  });

  test("ends before a stop that comes in pieces, of which none is told", () => {
    expect(told(["one E", "N", "D two", "three"], ["END"])).toEqual({ text: "one ", heard: ["one "], stopped: true });
  });

  test("tells late what only looked like a stop", () => {
    expect(told(["one E", "NTRY"], ["END"])).toEqual({ text: "one ENTRY", heard: ["one ", "ENTRY"], stopped: false });
    expect(told(["one EN"], ["END"])).toEqual({ text: "one EN", heard: ["one ", "EN"], stopped: false });
  });

  test("ends before the first of several stops that is whole", () => {
    expect(told(["ab", "cde"], ["de", "cd", "zz"]).text).toBe("ab");
    expect(told(["abc"], ["abc", "b"]).text).toBe("a");
  });

  test("is not stopped by nothing", () => {
    expect(told(["ab"], [""])).toEqual({ text: "ab", heard: ["ab"], stopped: false });
  });

  test("is the same however it is cut into pieces, and its pieces add up to it", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
    const stop = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), fc.array(stop, { maxLength: 3 }), (pieces, stops) => {
        const answer = told(pieces, stops);
        expect(answer).toMatchObject({ ...told([pieces.join("")], stops), heard: expect.anything() });
        expect(answer.heard.join("")).toBe(answer.text);
        expect(answer.stopped).toBe(stops.some((one) => pieces.join("").includes(one)));
        for (const one of stops) expect(answer.text).not.toContain(one);
      }),
      { seed: 11 },
    );
  });
});
