/** What an empty memory shows: what this page is, and the way in. */

import type { Desk } from "./desk.js";
import { el } from "./dom.js";
import { SampleLoader } from "./sample-loader.js";

export function welcome(desk: Desk): HTMLElement {
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, "Nothing is remembered yet"),
    el(
      "p",
      {},
      "Tell it something below and ask for it later. Or load a sample: four months of somebody's life in Hamburg, in which dates move, codes are replaced and habits change.",
    ),
    new SampleLoader(desk, "Load the sample conversation", "primary").element,
    el(
      "p",
      { class: "meta" },
      "There is no language model on this page: a question is answered with the memory that fits it best, and the panel shows how it was found.",
    ),
  );
}
