/** The right-hand side: how the last recall came about, and what is stored. */

import { CandidatesPanel } from "./candidates-panel.js";
import { ContextPanel } from "./context-panel.js";
import type { Asked, Desk, Panel } from "./desk.js";
import { el } from "./dom.js";
import { KnowledgePanel } from "./knowledge-panel.js";
import { MemoriesPanel } from "./memories-panel.js";
import { ModelsPanel } from "./models-panel.js";
import { PlanPanel } from "./plan-panel.js";
import { RecallPanel } from "./recall-panel.js";
import { StoragePanel } from "./storage-panel.js";
import { Tabs } from "./tabs.js";
import { TimePanel } from "./time-panel.js";

export class Inspector {
  readonly #desk: Desk;
  readonly #panels: readonly Panel[];
  readonly #tabs: Tabs;
  readonly element: HTMLElement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#panels = [
      new RecallPanel(),
      new PlanPanel(),
      new CandidatesPanel(),
      new TimePanel(desk),
      new ContextPanel(desk),
      new MemoriesPanel(desk),
      new KnowledgePanel(desk),
      new ModelsPanel(desk),
      new StoragePanel(desk),
    ];
    this.#tabs = new Tabs("Inspector", this.#panels, () => void this.refresh().catch(this.#report));
    this.element = el("section", { class: "inspector", id: "inspector", "aria-label": "Inspector" }, this.#tabs.element);
  }

  /** Fills the panels about a recall; a question brings one of them to the front, a statement leaves the view alone. */
  show(asked: Asked): void {
    for (const panel of this.#panels) panel.show?.(asked);
    if (asked.question && !this.#panels[this.#tabs.selected]?.show) this.#tabs.select(0);
  }

  /** Reads the visible panel anew from the memory. */
  async refresh(): Promise<void> {
    await this.#panels[this.#tabs.selected]?.refresh?.();
  }

  readonly #report = (error: unknown): void => {
    if (!this.#desk.signal.aborted) this.#desk.report(error);
  };
}
