/** The Candidates tab: every memory that was weighed, with its features, and why it was taken or left. */

import type { TracedCandidate } from "keepsake";
import type { Asked, Panel } from "./desk.js";
import { el, fill } from "./dom.js";
import { plural } from "./format.js";
import { type Column, sortableTable } from "./sortable-table.js";

const BASE: readonly Column<TracedCandidate>[] = [
  { name: "Rank", value: ({ rank }) => rank + 1, descendingFirst: false },
  { name: "Score", value: ({ score }) => score, digits: 3 },
  { name: "Taken", value: ({ selected }) => (selected ? "yes" : "no") },
  { name: "Memory", value: ({ text }) => text, wide: true },
  { name: "Why", value: ({ reason }) => reason, wide: true },
];

export class CandidatesPanel implements Panel {
  readonly name = "Candidates";
  readonly element = el(
    "div",
    { class: "panel" },
    el("p", { class: "hint" }, "Ask something: what was considered appears here."),
  );

  show({ text, recall: { trace } }: Asked): void {
    const { candidates } = trace;
    const taken = candidates.filter(({ selected }) => selected).length;
    // The score has a column of its own.
    const features = [...new Set(candidates.flatMap(({ features }) => Object.keys(features)))].filter((name) => name !== "score");
    const columns = [
      ...BASE,
      ...features.map((name): Column<TracedCandidate> => ({ name, value: ({ features }) => features[name] ?? 0, digits: 3 })),
    ];
    fill(
      this.element,
      el("h2", { dir: "auto" }, text),
      el("p", { class: "meta" }, `${plural(candidates.length, "candidate", "candidates")}, ${taken} taken`),
      candidates.length > 0 && sortableTable("Candidates", columns, candidates, ({ selected }) => (selected ? "taken" : "")),
    );
  }
}
