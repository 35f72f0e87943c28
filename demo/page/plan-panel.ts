/** The Plan tab: what was made of the question before anything was searched. */

import type { AnswerType, Plan, QueryPurpose } from "keepsake";
import type { Asked, Panel } from "./desk.js";
import { type Child, el, fill } from "./dom.js";
import { span } from "./format.js";
import { FORM } from "./role-forms.js";

const PURPOSE: Readonly<Record<QueryPurpose, string>> = {
  "own-words": "your own words",
  "first-person": "as the person would say it",
  statement: "as a statement",
  "sub-question": "a part of the question",
  resolved: "with pronouns resolved",
  hypothetical: "a possible answer",
};
const ROUTE = { mtm: "personal memories", ltm: "concepts", both: "both layers" } as const;
const ANSWER: Readonly<Record<AnswerType, string>> = {
  when: "a time",
  duration: "a duration",
  number: "a number",
  who: "a person",
  where: "a place",
  why: "a reason",
  what: "a thing or a fact",
};

export class PlanPanel implements Panel {
  readonly name = "Plan";
  readonly element = el(
    "div",
    { class: "panel" },
    el("p", { class: "hint" }, "Ask something: the plan of the search appears here."),
  );

  show({ text, recall: { trace } }: Asked): void {
    const { plan, roles, fallbacks } = trace;
    fill(
      this.element,
      el("h2", { dir: "auto" }, text),
      el("h3", {}, "Searches"),
      el("ol", { class: "items" }, ...plan.queries.map(queryCard)),
      el("h3", {}, "What it looks for"),
      el("dl", { class: "facts" }, ...facts(plan)),
      el("h3", {}, "Who did it"),
      el(
        "dl",
        { class: "facts" },
        el("dt", {}, "Planned by"),
        el("dd", {}, FORM[roles.controller]),
        el("dt", {}, "Selected by"),
        el("dd", {}, FORM[roles.selector]),
      ),
      ...(fallbacks.length > 0 ? [el("h3", {}, "Fell back")] : []),
      ...fallbacks.map(({ role, reason }) => el("p", {}, `The ${role} was played without a model: ${reason}`)),
    );
  }
}

function queryCard({ text, purpose, route, share }: Plan["queries"][number]): HTMLElement {
  return el(
    "li",
    { class: "card" },
    el("p", { class: "said", dir: "auto" }, text),
    el(
      "p",
      { class: "meta" },
      el("span", { class: "kind" }, PURPOSE[purpose]),
      el("span", {}, `in ${ROUTE[route]}`),
      el("span", {}, `${Math.round(share * 100)}% of the candidates`),
    ),
  );
}

function facts(plan: Plan): HTMLElement[] {
  const rows: readonly (readonly [string, Child])[] = [
    ["Times", plan.windows.length > 0 ? plan.windows.map(span).join("; ") : "none named"],
    ["People", plan.people.length > 0 ? plan.people.join(", ") : "none named"],
    ["Whose words answer", plan.subject ?? "nobody in particular"],
    ["Answer", ANSWER[plan.answerType]],
    ["Kinds", plan.kinds ? plan.kinds.join(", ") : "any"],
    ...(plan.budget === undefined ? [] : [["Memories needed", String(plan.budget)] as const]),
    ["About the present", plan.asksPresent ? "yes: of two values the newer goes first" : "not necessarily"],
  ];
  return rows.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]);
}
