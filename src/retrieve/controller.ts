/** SLM-1 without a model: the plan of a recall by rules. */

import type { CallOptions, Controller, PlanInput } from "../ports.js";
import { timeMentions } from "../text/time.js";
import type { Plan, PlannedQuery, TimeWindow } from "../types.js";
import { answerTypeOf } from "./answer-types.js";
import { asksPresent, peopleIn, subjectOf } from "./question.js";
import { resolveReferences } from "./references.js";
import { toFirstPerson } from "./rewrite.js";

/** Share of the candidates that the user's own words get. With half of a plan's queries replaced by noise, recall stays what it was
 * only if own words get this much and score every candidate. */
export const OWN_WORDS_SHARE = 0.5;
/** Queries of a plan, own words among them. */
export const MAX_QUERIES = 4;
/** Characters of a question that are planned for; the rest still is searched. */
const LENGTH_READ = 2_000;

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A question about two people as one about each. */
function subQuestions(text: string, people: readonly string[]): string[] {
  if (people.length < 2) return [];
  return people.map((person) => {
    let question = text;
    for (const other of people) {
      if (other !== person)
        question = question.replace(new RegExp(`\\b(?:and )?${escape(other)}(?:['’]s)?(?: and)?\\b`, "g"), "");
    }
    return question
      .replace(/\bboth\b/gi, "")
      .replace(/\s+/g, " ")
      .trim();
  });
}

/** Gives own words half and the others the rest in equal parts. */
export function withShares(queries: readonly Omit<PlannedQuery, "share">[]): PlannedQuery[] {
  const kept = queries.slice(0, MAX_QUERIES);
  if (kept.length <= 1) return kept.map((query) => ({ ...query, share: 1 }));
  return kept.map((query, index) => ({
    ...query,
    share: index === 0 ? OWN_WORDS_SHARE : (1 - OWN_WORDS_SHARE) / (kept.length - 1),
  }));
}

export class LiteController implements Controller {
  async plan(input: PlanInput, options: CallOptions = {}): Promise<Plan> {
    options.signal?.throwIfAborted();
    return this.planSync(input);
  }

  /** {@link plan} without a promise: nothing in it waits. */
  planSync(input: PlanInput): Plan {
    const text = input.text.slice(0, LENGTH_READ);
    const resolved = resolveReferences(text, input.recent);
    const people = peopleIn(resolved ?? text, input.speakers);
    const queries: Omit<PlannedQuery, "share">[] = [{ text: input.text, purpose: "own-words", route: "both" }];
    const add = (query: string, purpose: PlannedQuery["purpose"]): void => {
      if (query !== "" && queries.every((other) => other.text !== query)) queries.push({ text: query, purpose, route: "both" });
    };
    if (resolved !== undefined) add(resolved, "resolved");
    // Every known name becomes I: whichever of two people says it, the sentence looks the same.
    if (people.length > 0) add(toFirstPerson(resolved ?? text, input.speakers), "first-person");
    for (const question of subQuestions(text, people)) add(question, "sub-question");
    const subject = subjectOf(text, people);
    return {
      queries: withShares(queries),
      windows: windowsOf(text, input),
      people,
      ...(subject !== undefined ? { subject } : {}),
      answerType: answerTypeOf(text),
      asksPresent: asksPresent(text),
    };
  }
}

/** The times that a question gives. One that only asks for a time ("when", "how long ago") gives none: the expression finder reads
 * expressions of time, not questions after it. */
function windowsOf(text: string, { now, timeZone }: PlanInput): TimeWindow[] {
  return timeMentions(text, { at: now, timeZone }).map((mention) => mention.window);
}
