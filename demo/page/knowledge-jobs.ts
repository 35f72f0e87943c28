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

/** Who consolidates by itself, in the memory. */
const DEVICE = "lite";

export function jobCard(job: ConsolidationJob): HTMLElement {
  const { id, state, consolidator, updatedAt, entryIds, outbound, returned, attempts, notBefore, done, refused, reason, cause } =
    job;
  const refusals = Object.entries(refused ?? {}).map(([why, count]) => `${count} × ${why}`);
  // "Let a model consolidate" goes before what the device set itself.
  const when = cause === "asked-to-wait" ? "not before" : "by itself not before";
  return el(
    "div",
    { class: "card" },
    el(
      "p",
      { class: "meta" },
      el("span", { class: "kind" }, STATE[state]),
      el("span", {}, plural(entryIds.length, "memory", "memories")),
      el("span", {}, consolidator === DEVICE ? "by rules" : `by ${consolidator}`),
      el("span", {}, `${day(updatedAt)}, ${clock(updatedAt)}`),
      attempts > 1 && el("span", {}, `${attempts} attempts`),
    ),
    reason !== undefined && el("p", {}, notBefore === undefined ? reason : `${reason} (${when} ${clock(notBefore)})`),
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
          el("summary", {}, attempts === 0 ? "What would leave this device" : "What left this device"),
          el("ul", {}, ...outbound.map((text) => el("li", {}, text))),
        )
      : el("p", { class: "meta" }, withoutTexts(job)),
    returned &&
      el(
        "details",
        { "data-key": `${id} returned` },
        el("summary", {}, "What came back, as it came"),
        el("ul", { class: "code" }, ...returned.map((line) => el("li", {}, line))),
      ),
  );
}

/** What can be said of a job that keeps none of its texts. */
function withoutTexts({ consolidator, attempts, state }: ConsolidationJob): string {
  if (consolidator !== DEVICE && attempts > 0)
    return "What left this device is not kept any more, since a memory of it was forgotten or changed.";
  return consolidator === DEVICE || state === "failed" ? "Nothing left this device." : "Nothing has left this device yet.";
}
