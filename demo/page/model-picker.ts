/** Chooses a small model: the list of those there are, and what is under way with one of them. */

import type { SlmProvider } from "keepsake";
import { type WebLlmModel, webllmModels } from "keepsake/webllm";
import type { Desk } from "./desk.js";
import { button, el, fill, redraw } from "./dom.js";
import { browsersCard, type CardActs, offeredCard } from "./model-card.js";
import { OFFERED, type OfferedModel } from "./model-list.js";
import { askAndRemove } from "./model-removal.js";

export class ModelPicker {
  readonly #desk: Desk;
  readonly #onChange: () => Promise<void>;
  readonly #progress = el("p", { class: "meta", role: "status" });
  readonly #actions = el("div", { class: "actions" });
  readonly element = el(
    "ul",
    { class: "items", "aria-label": "Models to choose from" },
    el("li", { class: "hint" }, "Looking at what this device can run …"),
  );
  /** How a load or an exam goes on, and the way back. */
  readonly underWay = el("div", { class: "under-way" }, this.#progress, this.#actions);
  #loading: AbortController | undefined;
  #known: Promise<readonly WebLlmModel[]> | undefined;

  /** @param onChange a model came, or its exam is over */
  constructor(desk: Desk, onChange: () => Promise<void>) {
    this.#desk = desk;
    this.#onChange = onChange;
    desk.memory.addEventListener("progress", ({ detail }) => this.#tell(detail.task, detail.done, detail.total), {
      signal: desk.signal,
    });
    desk.signal.addEventListener("abort", () => this.#loading?.abort());
  }

  /** Looks once at what this device can run. */
  async refresh(): Promise<void> {
    this.#known ??= webllmModels({ signal: this.#desk.signal });
    const known = await this.#known.catch((error: unknown) => {
      this.#known = undefined;
      this.#desk.signal.throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    });
    const acts: CardActs = {
      load: (name, slm, offered) => this.#do(() => this.#take(name, slm, offered)),
      remove: (offered) => this.#do(() => this.#remove(offered)),
    };
    redraw(this.element, ...OFFERED.map((offered) => offeredCard(offered, known, acts)), await browsersCard(acts));
  }

  /** Takes back what was told of a model that is gone. */
  clear(): void {
    if (!this.#loading) this.#say("");
  }

  async #take(name: string, slm: SlmProvider, offered: OfferedModel | undefined): Promise<void> {
    const { memory, signal, report } = this.#desk;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#say(
      `Loading ${name} …`,
      button("Cancel", () => loading.abort()),
    );
    this.underWay.scrollIntoView({ block: "center" });
    let outcome: readonly [string, HTMLElement?] = [`Loaded: ${name}. It sits an exam once, while nothing else is to do.`];
    try {
      await memory.attach({ slm }, { signal: AbortSignal.any([loading.signal, signal]) });
    } catch (error) {
      if (signal.aborted) return;
      outcome = loading.signal.aborted ? this.#cancelled(name, offered) : [""];
      if (!loading.signal.aborted) report(error);
    }
    // Whatever was chosen meanwhile has the word.
    if (this.#loading === loading) {
      this.#loading = undefined;
      this.#say(...outcome);
    }
    await this.#onChange();
    if (offered) await this.#lookAnew();
  }

  #cancelled(name: string, offered: OfferedModel | undefined): readonly [string, HTMLElement?] {
    if (!offered) return [`Not loaded: ${name}.`];
    const remove = button("Remove what came", () => this.#do(() => this.#remove(offered)));
    return [`Not loaded: ${name}. What came of it is kept for the next time.`, remove];
  }

  async #remove(offered: OfferedModel): Promise<void> {
    if (!(await askAndRemove(offered, this.#desk, () => this.#lookAnew()))) return;
    this.clear();
    this.#desk.tell(`${offered.name} is no longer on this device.`);
  }

  async #lookAnew(): Promise<void> {
    this.#known = undefined;
    await this.refresh();
  }

  #tell(task: string, done: number, total: number): void {
    const share = total > 0 ? ` ${Math.round((100 * done) / total)}%` : "";
    if (task === "exam") {
      const isOver = done === total;
      if (!this.#loading) this.#say(isOver ? "The exam is over: the roles below say how it went." : `Exam:${share}`);
      if (isOver) this.#do(this.#onChange);
    } else if (this.#loading && /^(?:load|download)\b/.test(task)) this.#progress.textContent = `Loading:${share}`;
  }

  /** @param action what can be done about it */
  #say(text: string, action?: HTMLElement): void {
    const hadFocus = this.#actions.contains(document.activeElement);
    this.#progress.textContent = text;
    fill(this.#actions, action);
    if (hadFocus) this.underWay.closest<HTMLElement>("[role=tabpanel]")?.focus();
  }

  #do(act: () => Promise<void>): void {
    void act().catch((error: unknown) => {
      if (!this.#desk.signal.aborted) this.#desk.report(error);
    });
  }
}
