/** The Recall tab: the block as a model would get it, and each memory in it with its score and source. */

import type { RecallItem } from "keepsake";
import type { Asked, Panel } from "./desk.js";
import { el, fill } from "./dom.js";
import { day, isoTime, plural, span } from "./format.js";

const BEFORE = "Ask something: what is recalled for it appears here, as it would be put before a model.";

export class RecallPanel implements Panel {
  readonly name = "Recall";
  readonly element = el("div", { class: "panel" }, el("p", { class: "hint" }, BEFORE));

  show({ text, recall }: Asked): void {
    fill(
      this.element,
      el("h2", { dir: "auto" }, text),
      el(
        "p",
        { class: "meta" },
        `${plural(recall.items.length, "memory", "memories")}, ${plural(recall.tokens, "token", "tokens")}`,
      ),
      recall.items.length === 0 &&
        el("p", { class: "hint" }, "Nothing that is remembered supports this, so a model would be given nothing."),
      recall.items.length > 0 && el("ol", { class: "items" }, ...recall.items.map(itemCard)),
      recall.text !== "" && el("h3", {}, "The block"),
      recall.text !== "" && el("pre", { class: "block", dir: "auto", tabindex: 0, "aria-label": "Recalled block" }, recall.text),
    );
  }
}

function itemCard(item: RecallItem): HTMLElement {
  return el(
    "li",
    { class: "card" },
    el("p", { class: "said", dir: "auto" }, item.text),
    scoreBar(item.score),
    el(
      "p",
      { class: "meta" },
      el("span", { class: "kind" }, item.kind),
      el("time", { datetime: isoTime(item.saidAt) }, `said ${day(item.saidAt)}`),
      item.eventTime && el("span", {}, `dated ${span(item.eventTime)}`),
      item.validTo !== undefined && el("span", { class: "ended" }, `until ${day(item.validTo)}`),
      item.layer === "ltm" && el("span", {}, "long-term"),
      el("span", {}, plural(item.tokens, "token", "tokens")),
    ),
    ...item.sources.map(({ speaker, role, quote }) =>
      el("blockquote", { dir: "auto" }, el("span", { class: "speaker" }, `${speaker ?? role}: `), quote),
    ),
  );
}

/** @param score 0 to 1 */
function scoreBar(score: number): HTMLElement {
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("span", { class: "bar-fill" }));
  (bar.firstElementChild as HTMLElement).style.width = `${Math.max(0, Math.min(1, score)) * 100}%`;
  return el("p", { class: "score" }, bar, el("span", {}, el("span", { class: "visually-hidden" }, "Score "), score.toFixed(2)));
}
