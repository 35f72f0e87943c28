/** The Context tab: the conversation turn by turn, and what of it goes before the model under a budget. */

import type { ContextWindow, Message, TracedUnit } from "keepsake";
import { ContextRow } from "./context-panel-row.js";
import type { Desk, Panel } from "./desk.js";
import { el, fill, labelled } from "./dom.js";
import { plural, whole } from "./format.js";

/** Turns drawn; older ones are counted. */
const DRAWN = 1_000;
/** Tokens between two places of the slider. */
const STEP = 10;
const KINDS = [
  { reason: "pinned", name: "pinned", colour: 2 },
  { reason: "recent", name: "the newest turns", colour: 0 },
  { reason: "chosen", name: "older turns", colour: 6 },
] as const;

export class ContextPanel implements Panel {
  readonly name = "Context";
  readonly #desk: Desk;
  readonly #slider = el("input", { type: "range", min: 0, step: STEP, oninput: () => void this.#slide() });
  readonly #budget = el("span", { class: "budget-output", "aria-hidden": "true" });
  readonly #summary = el("p", { class: "meta", role: "status" });
  readonly #bar = el("div", { class: "stack", role: "img" });
  readonly #ledger = el("div");
  readonly #list = el("ol", {
    class: "context-units",
    "aria-label": "Turns",
    onkeydown: (event) => this.#key(event as KeyboardEvent),
    onfocusin: (event) => this.#focused(event.target),
  });
  readonly #hint = el("p", { class: "hint" }, "Tell something: what goes before the model appears here.");
  readonly #view: HTMLElement;
  readonly element: HTMLElement;
  /** What the slider was set to; the memory's own budget before that. */
  #wanted: number | undefined;
  #rows = new Map<string, ContextRow>();
  #reading = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#view = el(
      "div",
      { class: "context-view", hidden: true },
      el(
        "p",
        { class: "hint" },
        "What goes before the model when room is short. Draw the budget down to see what goes first; open a turn to see why.",
      ),
      el(
        "div",
        { class: "context-head" },
        el("div", { class: "budget" }, labelled("Budget", this.#slider), this.#budget),
        this.#bar,
        this.#summary,
      ),
      this.#ledger,
      this.#list,
    );
    this.element = el("div", { class: "panel" }, this.#hint, this.#view);
  }

  /** Reads the conversation and its context anew, under the budget that was chosen. */
  async refresh(): Promise<void> {
    const reading = ++this.#reading;
    const { conversation, signal } = this.#desk;
    const maxTokens = this.#wanted;
    const [history, context] = await Promise.all([
      conversation.history({ limit: DRAWN }),
      conversation.context({ trace: true, signal, ...(maxTokens !== undefined && { maxTokens }) }),
    ]);
    if (reading === this.#reading) this.#draw(history, context);
  }

  async #slide(): Promise<void> {
    this.#wanted = Number(this.#slider.value);
    this.#nameBudget(plural(this.#wanted, "token", "tokens"));
    try {
      await this.refresh();
    } catch (error) {
      if (!this.#desk.signal.aborted) this.#desk.report(error);
    }
  }

  #draw(history: readonly Message[], context: ContextWindow): void {
    const { trace } = context;
    const messages = new Map(history.flatMap((message) => (message.id === undefined ? [] : [[message.id, message]])));
    const units = (trace?.units ?? []).filter(({ turnId }) => messages.has(turnId));
    this.#hint.hidden = units.length > 0;
    this.#view.hidden = units.length === 0;
    if (!trace || units.length === 0) return;
    const all = trace.units.reduce((sum, { tokens }) => sum + tokens, 0);
    const most = Math.ceil(Math.max(all, this.#wanted ?? 0, 1) / STEP) * STEP;
    this.#slider.max = String(most);
    if (this.#wanted === undefined) this.#slider.value = String(Math.min(most, trace.budgetTokens));
    if (this.#wanted === undefined) this.#nameBudget(`${plural(trace.budgetTokens, "token", "tokens")}, the memory's own`);
    this.#summarise(trace.units, context);
    this.#drawRows(units, messages);
  }

  #nameBudget(words: string): void {
    this.#budget.textContent = words;
    this.#slider.setAttribute("aria-valuetext", words);
  }

  #summarise(units: readonly TracedUnit[], context: ContextWindow): void {
    const kept = units.filter((unit) => unit.kept);
    const tokensOf = (some: readonly TracedUnit[]): number => some.reduce((sum, { tokens }) => sum + tokens, 0);
    const shown = [
      ...KINDS.map(({ reason, ...kind }) => ({ ...kind, tokens: tokensOf(kept.filter((unit) => unit.reason === reason)) })),
      { name: "values of turns that went", colour: 1, tokens: context.tokens - tokensOf(kept) },
    ].filter(({ tokens }) => tokens > 0);
    const budget = Math.max(this.#wanted ?? context.trace?.budgetTokens ?? 0, context.tokens, 1);
    const words = shown.map(({ name, tokens }) => `${name} ${whole(tokens)}`).join(", ");
    const left = units.length - kept.length;
    this.#summary.textContent = `${plural(kept.length, "turn", "turns")} of ${whole(units.length)} kept, ${whole(left)} left out. ${plural(context.tokens, "token", "tokens")}${words === "" ? "" : `: ${words}`}.`;
    this.#bar.setAttribute(
      "aria-label",
      `${whole(context.tokens)} of ${whole(budget)} tokens used${words === "" ? "" : `: ${words}`}`,
    );
    fill(
      this.#bar,
      ...shown.map(({ name, tokens, colour }) => {
        const part = el("span", { class: `step-${colour}`, title: `${name}: ${plural(tokens, "token", "tokens")}` });
        part.style.width = `${(tokens / budget) * 100}%`;
        return part;
      }),
    );
    fill(
      this.#ledger,
      context.ledger.length > 0 && el("h3", {}, "Values that outlive their turns"),
      context.ledger.length > 0 &&
        el(
          "ul",
          { class: "ledger" },
          ...context.ledger.map(({ field, value }) => el("li", {}, `${field} `, el("code", {}, value))),
        ),
    );
  }

  #drawRows(units: readonly TracedUnit[], messages: ReadonlyMap<string, Message>): void {
    const before = this.#rows;
    this.#rows = new Map(
      units.map((unit) => {
        const row = before.get(unit.turnId) ?? new ContextRow(messages.get(unit.turnId) as Message);
        row.show(unit);
        return [unit.turnId, row];
      }),
    );
    const changed = before.size !== this.#rows.size || [...this.#rows.keys()].some((id) => !before.has(id));
    if (!changed) return;
    fill(this.#list, ...[...this.#rows.values()].map(({ element }) => element));
    const buttons = this.#buttons;
    if (!buttons.some(({ tabIndex }) => tabIndex === 0) && buttons[0]) buttons[0].tabIndex = 0;
  }

  get #buttons(): readonly HTMLButtonElement[] {
    return [...this.#rows.values()].map(({ button }) => button);
  }

  /** One stop for Tab; arrows go from turn to turn. */
  #key(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const last = buttons.length - 1;
    const to = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at - 1), Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  }

  #focused(target: EventTarget | null): void {
    for (const button of this.#buttons) button.tabIndex = button === target ? 0 : -1;
  }
}
