import { expect, it } from "vitest";
import { isHidden, madeSentences } from "../../../eval/scrub/identifiers.js";
import { oddFormsOf } from "../../../eval/scrub/odd-forms.js";
import { identitiesIn } from "../../../src/ltm/scrub/identities.js";
import { KnownNames } from "../../../src/ltm/scrub/known-names.js";

it("no identifier stays, whatever its spaces, dashes, widths, cases and groups, and whatever is hidden in it", {
  timeout: 60_000,
}, () => {
  const leaks: string[] = [];
  for (const made of madeSentences(11, 600))
    for (const [name, form] of oddFormsOf(made.value, made.kind))
      if (!isHidden(made, form)) leaks.push(`${made.kind}, ${name}: ${made.before}${form}${made.after}`);
  expect(leaks).toEqual([]);
});

it.each([
  "Aa-",
  "Aa ",
  "1-",
  "1 a ",
  "Aa.-",
  "中",
  "中路1",
  "a@",
  "(at)",
  "Am Aa ",
  "calle a ",
  "wohne a ",
  "DE89 ",
  "4111.",
  "e\u0301",
])("reads a long run of %j in time", (piece) => {
  expect(Array.isArray(identitiesIn(piece.repeat(20_000 / piece.length), new KnownNames([])))).toBe(true);
});
