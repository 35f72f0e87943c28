/** What became of a memory since it was stored: edits, repetitions that were joined, what took its place or what it took the place
 * of, and the buttons that take a change back. */

import type { Entry, EntryChange, EntryId, StoredEntry } from "keepsake";
import type { Desk } from "./desk.js";
import { el } from "./dom.js";
import { day, shorten } from "./format.js";

/** Dates of its end, told or guessed; nothing for one that holds. */
export function endOf({ validTo, maybeUntil }: Entry): HTMLElement | undefined {
  if (validTo !== undefined) return el("span", { class: "ended" }, `until ${day(validTo)}`);
  return (
    maybeUntil &&
    el("span", { class: "ended", title: "A rule's guess: a newer memory may say otherwise." }, `until? ${day(maybeUntil.at)}`)
  );
}

/** The history of a memory as a list; undefined where nothing became of it. */
export function pastOf(
  desk: Desk,
  { supersedes = [], supersededBy, maybeUntil, amendedBy, changes = [] }: StoredEntry,
): HTMLElement | undefined {
  const lines = [
    ...changes.map(changeLine),
    supersededBy && pointer(desk, "Its place took", supersededBy),
    maybeUntil && pointer(desk, "May be outdated by", maybeUntil.by),
    amendedBy && pointer(desk, "A part of it was taken back by", amendedBy),
    ...supersedes.map((id) => pointer(desk, "Takes the place of", id)),
  ].filter((line) => line !== undefined);
  return lines.length > 0 ? el("ul", { class: "past-list" }, ...lines) : undefined;
}

function changeLine(change: EntryChange): HTMLElement {
  const on = `on ${day(change.at)}`;
  switch (change.kind) {
    case "edited":
      return el("li", {}, `Edited ${on}. It said: `, el("q", { dir: "auto" }, shorten(change.before.text)));
    case "merged":
      return el("li", {}, `Said again ${on}: `, el("q", { dir: "auto" }, shorten(change.said.text)));
    case "superseded":
      return el("li", {}, change.by === undefined ? `Taken back ${on}.` : `Corrected ${on}.`);
    case "marked":
      return el("li", {}, `Guessed ${on} to be outdated.`);
  }
}

/** Names another memory by its words, which are fetched. */
function pointer({ memory, signal }: Desk, label: string, id: EntryId): HTMLElement {
  const words = el("q", { dir: "auto" }, "…");
  void memory.get(id).then(
    (entry) => {
      words.textContent = entry ? shorten(entry.text) : "a memory that is gone";
    },
    (error: unknown) => {
      if (!signal.aborted) words.textContent = `a memory that could not be read: ${String(error)}`;
    },
  );
  return el("li", {}, `${label} `, words);
}

const UNDO: Readonly<Record<EntryChange["kind"], string>> = {
  edited: "Undo edit",
  merged: "Take apart",
  superseded: "Undo correction",
  marked: "It still holds",
};

/** What the button that takes back the last change is called; undefined where there is none. */
export function undoLabel({ changes }: Entry): string | undefined {
  const last = changes?.at(-1);
  return last && UNDO[last.kind];
}
