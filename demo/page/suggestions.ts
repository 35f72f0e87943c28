/** The sample's questions as buttons, each with what makes it hard. */

import { SAMPLE_QUESTIONS } from "../sample.js";
import { button, el } from "./dom.js";

export class Suggestions {
  readonly element: HTMLElement;

  constructor(ask: (question: string) => void) {
    this.element = el(
      "div",
      { class: "suggestions", role: "group", "aria-label": "Questions to try", tabindex: 0, hidden: true },
      ...SAMPLE_QUESTIONS.map(({ question, tests }) => button(question, () => ask(question), { class: "chip", title: tests })),
    );
  }
}
