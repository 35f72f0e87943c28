/** Chooses a small model: each with its size, its licence and whether it fits this device, which is looked up before any download. */

import type { SlmProvider } from "keepsake";
import { promptApi } from "keepsake/prompt-api";
import { type WebLlmModel, webllm, webllmModels } from "keepsake/webllm";
import type { Desk } from "./desk.js";
import { button, el, fill } from "./dom.js";
import { OFFERED, type OfferedModel } from "./model-list.js";

export class ModelPicker {
  readonly #desk: Desk;
  readonly #onChange: () => Promise<void>;
  readonly #rows = el("tbody");
  readonly #progress = el("p", { class: "meta", role: "status" });
  #loading: AbortController | undefined;
  #known: Promise<readonly WebLlmModel[]> | undefined;
  readonly element: HTMLElement;

  /** @param onChange a model came or went */
  constructor(desk: Desk, onChange: () => Promise<void>) {
    this.#desk = desk;
    this.#onChange = onChange;
    this.element = el(
      "div",
      {},
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-label": "Models to choose from" },
        el(
          "table",
          {},
          el("caption", { class: "visually-hidden" }, "Models"),
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ...["Model", "Download", "Licence", "On this device", ""].map((name) => el("th", { scope: "col" }, name)),
            ),
          ),
          this.#rows,
        ),
      ),
      this.#progress,
    );
    desk.memory.addEventListener(
      "progress",
      ({ detail }) => {
        if (detail.task !== "embed") this.#tell(detail.task, detail.done, detail.total);
      },
      { signal: desk.signal },
    );
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
    const own = await browsersModel();
    fill(this.#rows, ...OFFERED.map((offered) => this.#row(offered, known)), this.#browsersOwn(own));
  }

  /** @param known the models, or why they cannot be told */
  #row(offered: OfferedModel, known: readonly WebLlmModel[] | string): HTMLElement {
    const { model, name, licence, downloadMB } = offered;
    const record = typeof known === "string" ? undefined : known.find((one) => one.model === model);
    const misfit = typeof known === "string" ? known : record ? record.misfit : "WebLLM does not know it any more";
    const memory = record?.memoryMB === undefined ? "" : `, ${Math.round(record.memoryMB)} MB of graphics memory`;
    const fit = misfit ?? `${record?.isCached ? "here already" : "fits"}${memory}`;
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, `${downloadMB} MB`),
      el("td", {}, licence),
      el("td", {}, fit),
      el(
        "td",
        {},
        this.#load(name, () => webllm({ model }), misfit !== undefined),
      ),
    );
  }

  #browsersOwn(fit: string | undefined): HTMLElement {
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, "The browser's own"),
      el("td", {}, "by the browser"),
      el("td", {}, "the browser's terms"),
      el("td", {}, fit ?? "this browser has none for this device"),
      el(
        "td",
        {},
        this.#load("the browser's own model", () => promptApi(), fit === undefined),
      ),
    );
  }

  #load(name: string, provider: () => SlmProvider, disabled: boolean): HTMLButtonElement {
    return button("Load", () => void this.#take(name, provider()), { disabled, "aria-label": `Load ${name}` });
  }

  async #take(name: string, slm: SlmProvider): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    fill(
      this.#progress,
      `Loading ${name} … `,
      button("Cancel", () => loading.abort()),
    );
    try {
      await this.#desk.memory.attach({ slm }, { signal: AbortSignal.any([loading.signal, this.#desk.signal]) });
      fill(this.#progress, `${name} is here. Its exam begins when nothing else is to do.`);
    } catch (error) {
      fill(this.#progress);
      if (loading.signal.aborted)
        this.#progress.textContent = `${name} was not loaded. What came of it is kept for the next time.`;
      else if (!this.#desk.signal.aborted) this.#desk.report(error);
    }
    if (!this.#desk.signal.aborted) await this.#onChange();
  }

  #tell(task: string, done: number, total: number): void {
    const share = total > 0 ? `${Math.round((100 * done) / total)}%` : "";
    const cancel = this.#progress.querySelector("button");
    fill(
      this.#progress,
      task === "exam" ? `Exam: ${share} ` : `${task}: ${share} `,
      task !== "exam" && cancel ? cancel : undefined,
    );
    if (task === "exam" && done === total) void this.#onChange().catch((error: unknown) => this.#desk.report(error));
  }
}

/** @returns how the browser's own model stands, or undefined where there is none */
async function browsersModel(): Promise<string | undefined> {
  const { LanguageModel } = globalThis as { readonly LanguageModel?: { availability(): Promise<string> } };
  const stands = await LanguageModel?.availability().catch(() => "unavailable");
  return stands === undefined || stands === "unavailable"
    ? undefined
    : stands === "available"
      ? "here already"
      : "can be downloaded";
}
