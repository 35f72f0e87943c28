/** The Models tab: which small model is here, which roles it has earned and why, how fast it is, and which others there are. */

import type { MemoryStats, RoleState, SlmRole } from "keepsake";
import type { Desk, Panel } from "./desk.js";
import { button, el, fill } from "./dom.js";
import { plural, whole } from "./format.js";
import { ModelPicker } from "./model-picker.js";
import { FORM } from "./role-forms.js";

const ROLE: Readonly<Record<SlmRole, string>> = {
  controller: "Plans the search (SLM-1)",
  selector: "Selects memories (SLM-2)",
  writer: "Writes memories (SLM-3)",
};
/** How often the figures are read anew while the tab is open. */
const READ_MS = 1_000;

export class ModelsPanel implements Panel {
  readonly name = "Models";
  readonly #desk: Desk;
  readonly #picker: ModelPicker;
  readonly #model = el("dl", { class: "facts" });
  readonly #away = button("Take it away", () => this.#do(() => this.#detach()));
  /** Hidden rather than drawn anew, so that it keeps the focus. */
  readonly #actions = el("div", { class: "actions", hidden: true }, this.#away);
  readonly #roles = el("div", { class: "items" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly element: HTMLElement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#picker = new ModelPicker(desk, () => this.#read());
    this.element = el(
      "div",
      { class: "panel" },
      el("h2", {}, "Models"),
      el(
        "p",
        { class: "hint" },
        "Everything works without a model. A small one gets a role only where an exam shows that it does better than the rules: once for each model, in seconds where it is fast and minutes where it is slow. It runs on this device, and its weights come from the makers' servers when you press Load.",
      ),
      el("h3", {}, "Here now"),
      this.#model,
      this.#actions,
      this.#picker.underWay,
      el("h3", {}, "Roles"),
      this.#roles,
      el("h3", {}, "To choose from"),
      this.#picker.element,
    );
    desk.signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  async refresh(): Promise<void> {
    await this.#read();
    await this.#picker.refresh();
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    const { model, roles } = await this.#desk.memory.stats();
    fill(this.#model, ...facts(model).flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));
    this.#actions.hidden = !model;
    fill(this.#roles, ...(Object.keys(ROLE) as SlmRole[]).map((role) => roleCard(role, roles[role])));
    if (!model) return;
    this.#timer = setTimeout(() => {
      if (!this.element.hidden) this.#do(() => this.#read());
    }, READ_MS);
  }

  async #detach(): Promise<void> {
    const hadFocus = document.activeElement === this.#away;
    await this.#desk.memory.detachSlm();
    this.#picker.clear();
    await this.#read();
    if (hadFocus) this.element.focus();
  }

  #do(act: () => Promise<void>): void {
    void act().catch((error: unknown) => {
      if (!this.#desk.signal.aborted) this.#desk.report(error);
    });
  }
}

function facts(model: MemoryStats["model"]): [string, string][] {
  if (!model) return [["Model", "none"]];
  const { parsed, repaired, cut, retried, failed, asked } = model.structured;
  const speed = model.tokensPerSecond?.completion;
  return [
    ["Model", model.id],
    ["State", model.state === "ready" ? "ready" : "in its exam"],
    ["Runs on", model.device],
    ["Context", plural(model.contextTokens, "token", "tokens")],
    [
      "Speed",
      speed === undefined ? "not known yet" : `${speed < 100 ? speed.toFixed(1) : whole(Math.round(speed))} tokens a second`,
    ],
    ["Asked", `${plural(model.calls, "time", "times")}, ${plural(model.completionTokens, "token", "tokens")} written`],
    [
      "Since its exam",
      asked === 0
        ? "no answer yet"
        : `of ${plural(asked, "answer", "answers")}: ${parsed} as they were, ${repaired + cut} mended, ${retried} at the second try, ${failed} not to be read`,
    ],
    ["Memories in its words", `${whole(model.reworded)}, and ${whole(model.ungrounded)} refused for what nobody said`],
  ];
}

function roleCard(role: SlmRole, { form, reason, trials, answered, late, failed, resting }: RoleState): HTMLElement {
  return el(
    "div",
    { class: "card" },
    el("p", { class: "said" }, ROLE[role]),
    el("p", { class: "meta" }, el("span", { class: "kind" }, FORM[form])),
    el("p", {}, reason),
    resting !== undefined && el("p", {}, resting),
    ...trials.map((trial) =>
      el(
        "p",
        { class: "meta" },
        el("span", {}, `${FORM[trial.form]}: ${trial.model.toFixed(2)}, rules: ${trial.lite.toFixed(2)}`),
        el("span", {}, `${trial.items} items, ${Math.round(trial.msPerItem)} ms each`),
      ),
    ),
    answered + late + failed > 0 &&
      el("p", { class: "meta" }, `${whole(answered)} in time, ${whole(late)} too late, ${whole(failed)} failed`),
  );
}
