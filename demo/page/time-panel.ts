/** The Time tab: where the milliseconds of a recall went, and how far from the deadline it stayed. */

import type { Asked, Desk, Panel } from "./desk.js";
import { el, fill } from "./dom.js";
import { milliseconds } from "./format.js";

interface Step {
  readonly name: string;
  readonly ms: number;
}

/** Colours of the steps in the style sheet. */
const COLOURS = 8;

export class TimePanel implements Panel {
  readonly name = "Time";
  readonly element = el("div", { class: "panel" }, el("p", { class: "hint" }, "Ask something: the time it takes appears here."));
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  show({ text, recall: { trace }, elapsedMs }: Asked): void {
    const { deadlineMs } = this.#desk;
    const steps = withRest(trace.steps, trace.totalMs);
    fill(
      this.element,
      el("h2", { dir: "auto" }, text),
      el("p", { class: "figure" }, milliseconds(trace.totalMs)),
      el("p", { class: "meta" }, `in the memory; ${milliseconds(elapsedMs)} as the page saw it, there and back`),
      el("h3", {}, "Where it went"),
      stackedBar(steps),
      stepTable(steps),
      el("h3", {}, "Against the deadline"),
      deadlineBar(trace.totalMs, deadlineMs),
      el(
        "p",
        { class: "meta" },
        trace.totalMs <= deadlineMs
          ? `${milliseconds(deadlineMs - trace.totalMs)} before the deadline of ${milliseconds(deadlineMs)}`
          : `${milliseconds(trace.totalMs - deadlineMs)} after the deadline of ${milliseconds(deadlineMs)}`,
      ),
    );
  }
}

/** What no step accounts for is a step, too, so that the bar adds up. */
function withRest(steps: readonly Step[], totalMs: number): readonly Step[] {
  const rest = totalMs - steps.reduce((sum, { ms }) => sum + ms, 0);
  return rest > 0.05 ? [...steps, { name: "between the steps", ms: rest }] : steps;
}

function stackedBar(steps: readonly Step[]): HTMLElement {
  const sum = steps.reduce((total, { ms }) => total + ms, 0) || 1;
  return el(
    "div",
    { class: "stack", role: "img", "aria-label": steps.map(({ name, ms }) => `${name} ${milliseconds(ms)}`).join(", ") },
    ...steps.map(({ ms, name }, index) => {
      const part = el("span", { class: `step-${index % COLOURS}`, title: `${name}: ${milliseconds(ms)}` });
      part.style.width = `${(ms / sum) * 100}%`;
      return part;
    }),
  );
}

function stepTable(steps: readonly Step[]): HTMLElement {
  return el(
    "table",
    { class: "steps" },
    el(
      "thead",
      { class: "visually-hidden" },
      el("tr", {}, el("th", { scope: "col" }, "Step"), el("th", { scope: "col" }, "Time")),
    ),
    el(
      "tbody",
      {},
      ...steps.map(({ name, ms }, index) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, el("span", { class: `swatch step-${index % COLOURS}`, "aria-hidden": "true" }), name),
          el("td", { class: "number" }, milliseconds(ms)),
        ),
      ),
    ),
  );
}

function deadlineBar(totalMs: number, deadlineMs: number): HTMLElement {
  const end = Math.max(totalMs, deadlineMs) * 1.05;
  const used = el("span", { class: totalMs <= deadlineMs ? "used" : "used late" });
  used.style.width = `${(totalMs / end) * 100}%`;
  const mark = el("span", { class: "mark" });
  mark.style.left = `${(deadlineMs / end) * 100}%`;
  return el(
    "div",
    { class: "deadline", role: "img", "aria-label": `${milliseconds(totalMs)} of a deadline of ${milliseconds(deadlineMs)}` },
    used,
    mark,
  );
}
