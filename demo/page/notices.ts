/** The strip under the header: failures, which stay until closed, and short news, which is also read aloud. */

import { button, el, fill } from "./dom.js";
import { describeFailure, isCancelled } from "./failure.js";

/** Long enough to read two lines. */
const NEWS_MS = 6_000;

export class Notices {
  readonly #failures = el("div", { role: "alert", class: "failures" });
  readonly #news = el("div", { role: "status", class: "news" });
  readonly element = el("div", { class: "notices" }, this.#failures, this.#news);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows what went wrong; cancelling is only told as news. */
  readonly report = (error: unknown): void => {
    if (isCancelled(error)) return this.tell("Cancelled.");
    const { happened, advice } = describeFailure(error);
    const note = el("div", { class: "failure" }, el("p", {}, el("strong", {}, happened), ` ${advice}`));
    note.append(button("Close", () => note.remove(), { class: "quiet", "aria-label": "Close this message" }));
    fill(this.#failures, note);
  };

  readonly tell = (text: string): void => {
    clearTimeout(this.#timer);
    fill(this.#news, el("p", {}, text));
    this.#timer = setTimeout(() => fill(this.#news), NEWS_MS);
  };
}
