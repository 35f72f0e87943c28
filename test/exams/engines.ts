/** Engines that sit an exam and differ: one that knows all answers, one that guesses, one that says what lite says. */

import { controllerItems } from "../../src/exams/controller-exam.js";
import { seededRandom } from "../../src/exams/seeded.js";
import { selectorItems } from "../../src/exams/selector-exam.js";
import { writerItems } from "../../src/exams/writer-exam.js";
import type { ContinuationScore, EngineMessage, SlmEngine } from "../../src/ports.js";

interface Answers {
  readonly complete: (prompt: string, kind: "plan" | "numbers" | "statements") => string;
  readonly score: (prompt: string, continuation: string) => number;
}

function engineOf(id: string, { complete, score }: Answers): SlmEngine {
  const text = (messages: readonly EngineMessage[]) => messages.map(({ content }) => content).join("\n");
  return {
    id: `exam/${id}`,
    capabilities: { schema: false, grammar: false, scores: true, contextTokens: 8_192, device: "cpu" },
    complete: async (messages) => {
      const prompt = text(messages);
      const kind = prompt.includes('"queries"') ? "plan" : prompt.includes('"numbers"') ? "numbers" : "statements";
      return { text: complete(prompt, kind), finish: "stop" };
    },
    score: async (prompt, continuations): Promise<ContinuationScore[]> =>
      continuations.map((one) => ({ logProbability: score(text(prompt), one), tokens: 1 })),
    close: async () => undefined,
  };
}

/** The items in the order in which `examine` makes them of this seed. */
function itemsOf(seed: number) {
  const random = seededRandom(seed);
  const plans = controllerItems(random);
  const { items: selections } = selectorItems(random);
  return { plans, selections, tellings: writerItems(random) };
}

const numbersIn = (prompt: string): number => (prompt.match(/^\d+\. /gm) ?? []).length;
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Knows every answer of the exam of this seed. @param share of the items that it knows; it guesses the others */
export function oracle(seed: number, share = 1): SlmEngine {
  const { plans, selections, tellings } = itemsOf(seed);
  const random = seededRandom(seed + 1);
  const knows = new Map<unknown, boolean>([...plans, ...selections, ...tellings].map((item) => [item, random() < share]));
  const guess = guesser(seed + 2);
  return engineOf("oracle", {
    complete(prompt, kind) {
      if (kind === "plan") {
        const item = plans.find(({ input }) => prompt.includes(`New message: "${quoted(input.text)}"`));
        if (!item || !knows.get(item)) return guess.complete(prompt, kind);
        const queries = [{ text: `${item.about.join(" ")} ${item.input.text}`, route: item.route, share: 5 }];
        return JSON.stringify({ queries, time: item.time });
      }
      if (kind === "numbers") {
        const item = selections.find(({ asked }) => prompt.includes(quoted(asked)));
        if (!item || !knows.get(item)) return guess.complete(prompt, kind);
        const at = prompt.split("\n").findIndex((line) => line.includes(quoted(item.answer)));
        const first = prompt.split("\n").indexOf("Memories:");
        return JSON.stringify({ numbers: at < 0 ? [] : [at - first] });
      }
      const item = tellings.find(({ input }) => prompt.includes(quoted(input.turns[0]?.text ?? "")));
      if (item && !knows.get(item)) return guess.complete(prompt, kind);
      const text = item?.input.turns[0]?.text
        .split(/(?<=\.) /)
        .filter((one) => item.kept.some((part) => one.toLowerCase().includes(part)));
      return JSON.stringify({ statements: [{ text: (text ?? []).join(" ") || "nothing", kind: "fact" }] });
    },
    score(prompt, continuation) {
      const plan = plans.find(({ input }) => prompt.includes(`New message: "${quoted(input.text)}"`));
      if (plan && !knows.get(plan)) return guess.score(prompt, continuation);
      if (plan) return plan.about.some((one) => continuation.toLowerCase().includes(one)) ? -1 : -20;
      const item = selections.find(({ asked }) => asked === continuation);
      if (item) return knows.get(item) ? (prompt.includes(quoted(item.answer)) ? -1 : -20) : guess.score(prompt, continuation);
      const telling = tellings.find(({ input }) => prompt.includes(quoted(input.turns[0]?.text ?? "-")));
      if (telling && !knows.get(telling)) return guess.score(prompt, continuation);
      return telling?.kept.some((part) => continuation.toLowerCase().includes(part)) ? -1 : -20;
    },
  });
}

function guesser(seed: number): Answers {
  const random = seededRandom(seed);
  return {
    complete(prompt, kind) {
      const one = () => 1 + Math.floor(random() * Math.max(1, numbersIn(prompt)));
      if (kind === "plan")
        return JSON.stringify({
          queries: [{ text: `something ${one()} else`, route: random() < 0.5 ? "mtm" : "ltm", share: 5 }],
          time: "",
        });
      if (kind === "numbers") return JSON.stringify({ numbers: [one(), one(), one()] });
      const words = prompt.slice(-200).match(/\w+/g) ?? [];
      return JSON.stringify({ statements: [{ text: words.filter(() => random() < 0.2).join(" ") || "nothing", kind: "fact" }] });
    },
    score: () => -20 * random(),
  };
}

export function guessing(seed: number): SlmEngine {
  return engineOf("guessing", guesser(seed));
}

/** Adds nothing to what lite does: it repeats the message, takes the candidates as they come, finds every text as likely as any, and
 * writes nothing down. */
export function likeLite(): SlmEngine {
  return engineOf("lite", {
    complete(prompt, kind) {
      if (kind === "plan") {
        const message = /New message: (".*")/.exec(prompt)?.[1] ?? '""';
        return JSON.stringify({ queries: [{ text: JSON.parse(message) as string, route: "both", share: 5 }], time: "" });
      }
      if (kind === "statements") return '{"statements":[]}';
      return JSON.stringify({ numbers: Array.from({ length: Math.min(20, numbersIn(prompt) - 1) }, (_, at) => at + 1) });
    },
    score: () => -5,
  });
}
