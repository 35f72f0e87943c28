/** A batch on its way into the graph as a card: where it stands, what left the device, and what came back. */

import type { ConsolidationJob } from "keepsake";
import { el } from "./dom.js";
import { clock, day, plural } from "./format.js";

const STATE: Readonly<Record<ConsolidationJob["state"], string>> = {
  queued: "waits for its turn",
  review: "waits for your word",
  sent: "sent",
  checked: "came back",
  waiting: "is tried again later",
  committed: "done",
  failed: "failed",
};

export function jobCard({
  id,
  state,
  consolidator,
  updatedAt,
  entryIds,
  outbound,
  returned,
  attempts,
  notBefore,
  done,
  refused,
  reason,
}: ConsolidationJob): HTMLElement {
  const refusals = Object.entries(refused ?? {}).map(([why, count]) => `${count} × ${why}`);
  return el(
    "div",
    { class: "card" },
    el(
      "p",
      { class: "meta" },
      el("span", { class: "kind" }, STATE[state]),
      el("span", {}, plural(entryIds.length, "memory", "memories")),
      el("span", {}, consolidator === "lite" ? "by rules" : `by ${consolidator}`),
      el("span", {}, `${day(updatedAt)}, ${clock(updatedAt)}`),
      attempts > 1 && el("span", {}, `${attempts} attempts`),
    ),
    reason !== undefined && el("p", {}, notBefore === undefined ? reason : `${reason} (not before ${clock(notBefore)})`),
    done !== undefined &&
      el(
        "p",
        {},
        `Came back: ${plural(done, "change", "changes")} made${refusals.length > 0 ? `, refused: ${refusals.join(", ")}` : ""}.`,
      ),
    outbound
      ? el(
          "details",
          { "data-key": `${id} outbound` },
          el("summary", {}, `What ${state === "review" || state === "queued" ? "would leave" : "left"} this device`),
          el("ul", {}, ...outbound.map((text) => el("li", {}, text))),
        )
      : el("p", { class: "meta" }, "Nothing left this device."),
    returned &&
      el(
        "details",
        { "data-key": `${id} returned` },
        el("summary", {}, "What came back, as it came"),
        el("ul", { class: "code" }, ...returned.map((line) => el("li", {}, line))),
      ),
  );
}
