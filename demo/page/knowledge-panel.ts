/** The Knowledge tab: the graph that memories have taught, one node of it from near, and the batches that made it. */

import type { Consolidation, KnowledgeNode, KnowledgePart } from "keepsake";
import { consolidateByModel } from "./consolidate-dialog.js";
import type { Desk, Panel } from "./desk.js";
import { button, el, fill, redraw } from "./dom.js";
import { plural } from "./format.js";
import type { Drawing } from "./knowledge-drawing.js";
import { jobCard } from "./knowledge-jobs.js";

/** Nodes that are drawn and listed at first; a picked one shows its neighbourhood. */
const SHOWN = 120;
/** Memories quoted of a node. */
const QUOTED = 5;

export class KnowledgePanel implements Panel {
  readonly name = "Knowledge";
  readonly #desk: Desk;
  readonly #canvas = el("div", { class: "graph", role: "img", "aria-label": "The graph; the list below says the same" });
  readonly #state = el("p", { class: "meta", role: "status" });
  readonly #node = el("div", {});
  readonly #list = el("ul", { class: "items nodes" });
  readonly #jobs = el("div", { class: "items" });
  readonly #consolidate: HTMLButtonElement;
  readonly #byModel: HTMLButtonElement;
  readonly #all: HTMLButtonElement;
  readonly #stop = button("Stop", () => this.#running?.abort(), { hidden: true });
  #running: AbortController | undefined;
  #drawing: Promise<Drawing | undefined> | undefined;
  #picked: string | undefined;
  #reading = 0;
  readonly element: HTMLElement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#consolidate = button("Consolidate now", () =>
      this.#do(() => this.#run(({ memory, signal }) => memory.consolidate({ signal }))),
    );
    this.#byModel = button("Let a model consolidate …", () => this.#do(() => this.#run(consolidateByModel)));
    this.#all = button("Show all", () => this.#do(() => this.#pick(undefined)), { hidden: true });
    this.element = el(
      "div",
      { class: "panel" },
      el("h2", {}, "Knowledge"),
      el(
        "p",
        { class: "hint" },
        "In idle time memories become a graph: kinds of things you do and have, and what is true beyond you. By itself only rules do it, and nothing leaves this device; a model adds to it where you let it, and the batches below show what it was told.",
      ),
      el("div", { class: "actions" }, this.#consolidate, this.#byModel, this.#stop, this.#all),
      this.#state,
      this.#canvas,
      this.#node,
      el("h3", {}, "Nodes"),
      this.#list,
      el("h3", {}, "Batches"),
      this.#jobs,
    );
    desk.signal.addEventListener("abort", () => void this.#drawing?.then((drawing) => drawing?.close()));
  }

  async refresh(): Promise<void> {
    const reading = ++this.#reading;
    const { knowledge } = this.#desk.memory;
    const picked = this.#picked;
    const [part, jobs] = await Promise.all([
      picked === undefined ? knowledge.nodes({ limit: SHOWN }) : knowledge.neighbours(picked),
      knowledge.jobs(),
    ]);
    const node = part.nodes.find(({ id }) => id === picked);
    const card = node && (await this.#card(node, part));
    if (reading !== this.#reading) return;
    this.#all.hidden = picked === undefined;
    this.#state.textContent =
      part.nodes.length === 0
        ? "Nothing yet: tell something, or load the sample, and consolidate."
        : `${plural(part.nodes.length, "node", "nodes")} and ${plural(part.edges.length, "edge", "edges")} ${picked === undefined ? "shown" : "around this one"}${part.next === undefined ? "" : ", and there are more"}.`;
    this.#canvas.hidden = part.nodes.length === 0;
    const byName = [...part.nodes].sort((one, other) => one.name.localeCompare(other.name));
    redraw(
      this.#list,
      ...byName.map((node) =>
        el(
          "li",
          {},
          button(node.name, () => this.#do(() => this.#pick(node.id)), { class: "link", "data-key": node.id }),
        ),
      ),
    );
    redraw(this.#jobs, ...[...jobs].reverse().map(jobCard));
    fill(this.#node, card);
    if (part.nodes.length > 0) (await this.#draw())?.draw(part);
  }

  async #run(consolidate: (desk: Desk) => Promise<Consolidation | undefined>): Promise<void> {
    const buttons = [this.#consolidate, this.#byModel];
    for (const one of buttons) one.disabled = true;
    this.#running = new AbortController();
    this.#stop.hidden = false;
    try {
      const done = await consolidate({ ...this.#desk, signal: AbortSignal.any([this.#desk.signal, this.#running.signal]) });
      if (done) this.#desk.tell(news(done));
    } finally {
      for (const one of buttons) one.disabled = false;
      this.#stop.hidden = true;
    }
    await this.refresh();
  }

  async #pick(id: string | undefined): Promise<void> {
    this.#picked = id;
    await this.refresh();
  }

  async #card({ id, name, statement, confidence, scope, type, entryIds }: KnowledgeNode, { nodes, edges }: KnowledgePart) {
    const entries = await Promise.all(entryIds.slice(0, QUOTED).map((entryId) => this.#desk.memory.get(entryId)));
    const nameOf = (of: string): string => nodes.find((node) => node.id === of)?.name ?? of;
    return el(
      "div",
      { class: "card" },
      el("p", { class: "said" }, name),
      statement !== undefined && el("p", {}, statement),
      el(
        "p",
        { class: "meta" },
        el("span", { class: "kind" }, type),
        el("span", {}, `sure to ${Math.round(confidence * 100)}%, less with every batch that does not speak of it`),
        el("span", {}, scope === "own" ? "yours alone" : "general"),
        el("span", {}, `rests on ${plural(entryIds.length, "memory", "memories")}`),
      ),
      ...edges
        .filter(({ from, to }) => from === id || to === id)
        .map(({ from, to, type: edge }) => el("p", { class: "meta" }, `${nameOf(from)} — ${edge} → ${nameOf(to)}`)),
      ...entries.map((entry) => entry && el("blockquote", {}, entry.text)),
    );
  }

  #draw(): Promise<Drawing | undefined> {
    this.#drawing ??= import("./knowledge-drawing.js")
      .then(({ createDrawing }) => createDrawing(this.#canvas, (id) => this.#do(() => this.#pick(id))))
      .catch((error: unknown) => {
        // Without WebGL the list says the same.
        this.#canvas.hidden = true;
        this.#desk.tell(`The graph cannot be drawn here: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      });
    return this.#drawing;
  }

  #do(act: () => Promise<void>): void {
    void act().catch((error: unknown) => {
      if (!this.#desk.signal.aborted) this.#desk.report(error);
    });
  }
}

function news({ entries, nodes, left }: Consolidation): string {
  const waits = left > 0 ? ` ${plural(left, "memory waits", "memories wait")}; the batches below say why.` : "";
  return `${plural(entries, "memory was", "memories were")} consolidated; the graph has ${plural(nodes, "node", "nodes")}.${waits}`;
}
