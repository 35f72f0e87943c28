import { describe, expect, it } from "vitest";
import { faultsOf, holds } from "../../../eval/cases/match.js";
import { zoneOf } from "../../../eval/cases/stage.js";

describe("what a case asks for", () => {
  it("ignores case and the form of accents in a plain string", () => {
    expect(holds(["Caf\u0065\u0301 at nine"], "CAFÉ")).toBe(true);
  });

  it("takes either of two", () => {
    expect(holds(["on March 11"], "11 March||March 11")).toBe(true);
    expect(holds(["on 12 March"], "11 March||March 11")).toBe(false);
  });

  it("minds case after an equals sign", () => {
    expect(holds(["iLl0-O0o"], "=iLl0-O0o")).toBe(true);
    expect(holds(["ILL0-o0o"], "=iLl0-O0o")).toBe(false);
  });

  it("runs a pattern on each text by itself", () => {
    expect(holds(["a dog", "and a cat"], "re:dog.*cat")).toBe(false);
    expect(holds(["Übung"], "re:^\\p{Lu}bung$")).toBe(true);
  });

  it("sees half a character", () => {
    expect(holds(["ok \ud83d"], "re:[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])")).toBe(true);
    expect(holds(["ok 😀"], "re:[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])")).toBe(false);
    expect(faultsOf({ structure: ["wellFormedUtf16"] }, ["ok \ud83d"])).toEqual(["half a character"]);
  });

  it("counts only the texts that match", () => {
    const texts = ["basil in pot A", "basil in pot B", "mint"];
    expect(faultsOf({ match: "basil", entriesAtMost: 2 }, texts)).toEqual([]);
    expect(faultsOf({ entriesAtMost: 2 }, texts)).toHaveLength(1);
  });

  it("fails on an invariant that it does not know", () => {
    expect(faultsOf({ structure: ["everythingIsFine"] }, [])).toHaveLength(1);
  });
});

describe("the zone of a case", () => {
  it("is that of the offset", () => {
    expect(zoneOf("2026-03-12T18:30:00+01:00")).toBe("Etc/GMT-1");
    expect(zoneOf("2026-03-12T18:30:00-08:00")).toBe("Etc/GMT+8");
    expect(zoneOf("2026-03-12T18:30:00+00:00")).toBe("UTC");
    expect(zoneOf(undefined)).toBe("UTC");
  });
});
