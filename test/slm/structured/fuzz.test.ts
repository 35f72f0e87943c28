/** Hostile answers to every role by the thousand: what is read of them, and that nothing else comes through.
 *
 * `FUZZ_ANSWERS=100000 npx vitest run --project node test/slm/structured/fuzz.test.ts` takes a hundred thousand (30 s of a core). */

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { controllerAnswer } from "../../../src/slm/prompts/controller.js";
import { selectorAnswer } from "../../../src/slm/prompts/selector.js";
import { writerAnswer } from "../../../src/slm/prompts/writer.js";
import { StructuredAsker } from "../../../src/slm/structured/ask.js";
import { parseAnswer } from "../../../src/slm/structured/parse.js";
import { scriptedEngine } from "../scripted-engine.js";
import { ENDLESS, hostileAnswers } from "./hostile.js";

const FORMS = { controller: controllerAnswer, selector: selectorAnswer, writer: writerAnswer } as const;
const ANSWERS = Number(process.env.FUZZ_ANSWERS ?? 12_000);

describe("hostile answers", { timeout: 300_000 }, () => {
  test.each(["controller", "selector", "writer"] as const)(
    "to the %s are read as what its form allows, or not at all",
    async (role) => {
      const next = hostileAnswers(20_261_201);
      const schema = FORMS[role];
      let answers = 0;
      const complete = async () => {
        answers++;
        return { text: next(role), finish: "stop" as const };
      };
      const asker = new StructuredAsker({ ...scriptedEngine({}), complete });
      while (answers < ANSWERS / 3) {
        const answer = await asker.ask({ messages: [], schema, maxTokens: 100 });
        if (answer.ok && !v.is(schema, answer.value)) expect.fail(JSON.stringify(answer.value));
      }
      const { asked, ...counts } = asker.counts;
      const shares = Object.entries(counts).map(([name, count]) => `${name} ${((100 * count) / asked).toFixed(1)}%`);
      console.info(`${role}: ${answers} answers to ${asked} questions: ${shares.join(", ")}`);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(asked);
      for (const name of ["parsed", "repaired", "retried", "failed"] as const)
        expect(counts[name] / asked, name).toBeGreaterThan(0.02);
    },
  );

  test.each(ENDLESS)("of %j without end are not read for more than what was whole", (piece) => {
    for (const pieces of [300, 20_000, 1_000_000]) {
      const read = (start: string) => parseAnswer(start + piece.repeat(pieces), selectorAnswer);
      expect(read("").ok).toBe(false);
      const [begun, one] = [read('{"numbers":['), read('{"numbers":[1],"x":')];
      if (begun.ok) expect(new Set(begun.value.numbers)).toEqual(new Set([1]));
      if (one.ok) expect(one.value).toEqual({ numbers: [1] });
    }
  });
});
