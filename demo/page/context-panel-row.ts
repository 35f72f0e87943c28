/** A turn in the Context tab: its score, whether it goes before the model, and, when opened, what spoke for it and against it. */

import type { Message, TracedUnit } from "keepsake";
import { featureWords, REASONS } from "./context-panel-words.js";
import { el, fill, freshId } from "./dom.js";
import { plural } from "./format.js";

export class ContextRow {
  readonly #share = el("span", { class: "bar-fill" });
  readonly #number = el("span", { class: "probability" });
  readonly #reason = el("span", { class: "reason" });
  readonly #terms = el("div", { class: "terms", id: freshId("terms"), hidden: true });
  readonly #tokens = el("span");
  readonly button: HTMLButtonElement;
  readonly element: HTMLElement;
  #unit: TracedUnit | undefined;

  constructor({ role, name, text }: Message) {
    this.button = el(
      "button",
      {
        type: "button",
        class: "unit",
        "aria-expanded": "false",
        "aria-controls": this.#terms.id,
        tabindex: -1,
        onclick: () => this.#toggle(),
      },
      el("span", { class: "unit-text", dir: "auto" }, el("span", { class: "speaker" }, `${name ?? role}: `), text),
      el("span", { class: "score" }, el("span", { class: "bar", "aria-hidden": "true" }, this.#share), this.#number),
      el("span", { class: "meta" }, this.#reason, this.#tokens),
    );
    this.element = el("li", { class: "context-row" }, this.button, this.#terms);
  }

  show(unit: TracedUnit): void {
    this.#unit = unit;
    this.#share.style.width = `${unit.probability * 100}%`;
    this.#number.textContent = unit.probability.toFixed(2);
    this.#reason.textContent = REASONS[unit.reason];
    this.#tokens.textContent = plural(unit.tokens, "token", "tokens");
    this.element.classList.toggle("left", !unit.kept);
    if (!this.#terms.hidden) this.#drawTerms();
  }

  #toggle(): void {
    this.#terms.hidden = !this.#terms.hidden;
    this.button.setAttribute("aria-expanded", String(!this.#terms.hidden));
    if (!this.#terms.hidden) this.#drawTerms();
  }

  #drawTerms(): void {
    const { features = [], score = 0 } = this.#unit ?? {};
    const most = Math.max(...features.map(({ term }) => Math.abs(term)), 0.01);
    fill(
      this.#terms,
      el("p", { class: "meta" }, `Score ${signed(score)}. What spoke for it (+) and against it (−), strongest first:`),
      el(
        "table",
        { class: "steps" },
        el(
          "thead",
          { class: "visually-hidden" },
          el("tr", {}, el("th", { scope: "col" }, "Feature"), el("th", { scope: "col" }, "Say"), el("th", {}, "")),
        ),
        el("tbody", {}, ...features.map(({ feature, term }) => termRow(feature, term, most))),
      ),
    );
  }
}

const signed = (value: number): string => `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;

function termRow(feature: string, term: number, most: number): HTMLElement {
  const fillOf = el("span", { class: term > 0 ? "term for" : "term against" });
  fillOf.style.width = `${(Math.abs(term) / most) * 50}%`;
  return el(
    "tr",
    {},
    el("th", { scope: "row", title: feature }, featureWords(feature)),
    el("td", { class: "number" }, signed(term)),
    el("td", { class: "term-cell", "aria-hidden": "true" }, el("span", { class: "term-box" }, fillOf)),
  );
}
