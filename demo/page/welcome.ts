/** What an empty memory shows: what this page is, and the way in. */

import type { Desk } from "./desk.js";
import { button, el } from "./dom.js";
import { plural } from "./format.js";
import { openImport } from "./import-dialog.js";
import { SampleLoader } from "./sample-loader.js";

/** @param entries memories that are kept of elsewhere */
export function welcome(desk: Desk, entries: number): HTMLElement {
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, entries === 0 ? "Nothing is remembered yet" : "Nothing was said here yet"),
    el(
      "p",
      {},
      entries === 0
        ? "Tell it something below and ask for it later. Or load a sample: four months of somebody's life in Hamburg, in which dates move, codes are replaced and habits change. Or bring in what you said elsewhere."
        : `${plural(entries, "memory is", "memories are")} kept of elsewhere: ask for one below.`,
    ),
    new SampleLoader(desk, "Load the sample conversation", entries === 0 ? "primary" : "").element,
    el(
      "div",
      { class: "loader" },
      button("Import a chat export", () => openImport(desk), { "aria-haspopup": "dialog" }),
    ),
    el(
      "p",
      { class: "meta" },
      "There is no language model on this page: a question is answered with the memory that fits it best, and the panel shows how it was found.",
    ),
  );
}
