/** A button that loads the sample conversation, with progress and a way to stop. */

import { loadSample } from "../sample-turns.js";
import type { Desk } from "./desk.js";
import { button, el } from "./dom.js";
import { plural } from "./format.js";

export class SampleLoader {
  readonly #desk: Desk;
  readonly #start: HTMLButtonElement;
  readonly #bar = el("progress", { max: 1, value: 0, "aria-label": "Loading the sample" });
  readonly #label = el("span", { class: "meta" });
  readonly #running = el("div", { class: "running", hidden: true }, this.#bar, this.#label);
  readonly element: HTMLElement;
  #loading: AbortController | undefined;

  /** @param className of the button that starts */
  constructor(desk: Desk, label: string, className = "") {
    this.#desk = desk;
    this.#start = button(label, () => void this.#load(), { class: className });
    this.#running.append(button("Stop", () => this.#loading?.abort()));
    this.element = el("div", { class: "loader" }, this.#start, this.#running);
  }

  async #load(): Promise<void> {
    const { conversation, report, reload, tell, signal } = this.#desk;
    const loading = new AbortController();
    this.#loading = loading;
    this.#start.hidden = true;
    this.#running.hidden = false;
    try {
      await loadSample(conversation, {
        signal: AbortSignal.any([loading.signal, signal]),
        onProgress: (done, total) => {
          this.#bar.max = total;
          this.#bar.value = done;
          this.#label.textContent = `${done} of ${total} turns`;
        },
      });
      tell(`The sample is loaded: ${plural(this.#bar.max, "turn", "turns")}.`);
    } catch (error) {
      if (!signal.aborted) report(error);
    } finally {
      this.#start.hidden = false;
      this.#running.hidden = true;
    }
    if (!signal.aborted) await reload().catch(report);
  }
}
