/** One stored memory in the list: what it says, since when and until when, where it comes from, and what can be done to it. */

import type { StoredEntry } from "keepsake";
import type { Desk } from "./desk.js";
import { type Attributes, button, el } from "./dom.js";
import { editMemory } from "./edit-dialog.js";
import { forgetMemory } from "./forget-dialog.js";
import { clock, day, isoTime, plural, shorten, span } from "./format.js";
import { endOf, pastOf, undoLabel } from "./memory-past.js";

export function memoryCard(desk: Desk, entry: StoredEntry): HTMLElement {
  const { memory } = desk;
  return el(
    "li",
    { class: entry.validTo === undefined ? "card" : "card past" },
    el("p", { class: "said", dir: "auto" }, entry.text),
    el(
      "p",
      { class: "meta" },
      el("span", { class: "kind" }, entry.kind),
      entry.pinned && el("span", { class: "pinned" }, "pinned"),
      el("span", {}, `about ${entry.subject === "user" ? "you" : entry.subject}`),
      el("time", { datetime: isoTime(entry.saidAt) }, `said ${day(entry.saidAt)}, ${clock(entry.saidAt)}`),
      entry.eventTime && el("span", {}, `dated ${span(entry.eventTime)}`),
      endOf(entry),
      entry.evidence > 1 && el("span", {}, `said ${entry.evidence} times`),
      ...entry.tags.map((tag) => el("span", {}, `#${tag}`)),
    ),
    sources(entry),
    past(desk, entry),
    el(
      "div",
      { class: "actions" },
      action(desk, entry, entry.pinned ? "Unpin" : "Pin", () => memory.pin(entry.id, !entry.pinned)),
      ...settling(desk, entry),
      action(desk, entry, "Edit", () => editMemory(desk, entry), { "aria-haspopup": "dialog" }),
      action(desk, entry, "Delete", () => forgetMemory(desk, entry), { "aria-haspopup": "dialog", class: "danger" }),
    ),
  );
}

function past(desk: Desk, entry: StoredEntry): HTMLElement | undefined {
  const list = pastOf(desk, entry);
  return list && el("details", { "data-key": `${entry.id} past` }, el("summary", {}, "What became of it"), list);
}

/** Takes the last change back; a guess can also be made certain. */
function settling(desk: Desk, entry: StoredEntry): HTMLElement[] {
  const { memory } = desk;
  const { id, maybeUntil } = entry;
  const undo = undoLabel(entry);
  return [
    ...(maybeUntil ? [action(desk, entry, "It is over", () => memory.update(id, { validTo: maybeUntil.at }))] : []),
    ...(undo ? [action(desk, entry, undo, () => memory.undo(id))] : []),
  ];
}

function sources({ id, sources, identifiers, usage, validFrom }: StoredEntry): HTMLElement {
  return el(
    "details",
    { "data-key": `${id} sources` },
    el("summary", {}, "Where it comes from"),
    ...sources.map(({ speaker, role, quote }) =>
      el("blockquote", { dir: "auto" }, el("span", { class: "speaker" }, `${speaker ?? role}: `), quote),
    ),
    identifiers.length > 0 &&
      el("p", { class: "meta" }, "Kept to the letter: ", ...identifiers.map((text) => el("code", {}, text))),
    el(
      "p",
      { class: "meta" },
      `Holds since ${day(validFrom)}. `,
      usage.accessCount > 0
        ? `Recalled ${plural(usage.accessCount, "time", "times")}, last on ${day(usage.lastAccessedAt)}.`
        : "Not recalled so far.",
    ),
  );
}

function action(
  desk: Desk,
  { id, text }: StoredEntry,
  label: string,
  act: () => Promise<unknown>,
  attributes: Attributes = {},
): HTMLButtonElement {
  return button(label, () => void act().catch((error: unknown) => !desk.signal.aborted && desk.report(error)), {
    ...attributes,
    "aria-label": `${label}: ${shorten(text)}`,
    "data-key": `${id} ${label === "Unpin" ? "Pin" : label}`,
  });
}
