/** Tabs after the ARIA pattern: arrows move between them, the panel shown follows the focus. */

import { el, freshId } from "./dom.js";

export interface Tab {
  readonly name: string;
  readonly element: HTMLElement;
}

export class Tabs {
  readonly #tabs: readonly Tab[];
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #onSelect: (index: number) => void;
  readonly element: HTMLElement;
  selected = 0;

  /** @param label names the row of tabs for a screen reader */
  constructor(label: string, tabs: readonly Tab[], onSelect: (index: number) => void) {
    this.#tabs = tabs;
    this.#onSelect = onSelect;
    this.#buttons = tabs.map(({ name, element }, index) => {
      element.id ||= freshId("panel");
      const tab = el(
        "button",
        { type: "button", role: "tab", id: freshId("tab"), "aria-controls": element.id, onclick: () => this.select(index) },
        name,
      );
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", tab.id);
      element.tabIndex = 0;
      return tab;
    });
    const row = el(
      "div",
      { role: "tablist", "aria-label": label, onkeydown: (event) => this.#key(event as KeyboardEvent) },
      ...this.#buttons,
    );
    this.element = el("div", { class: "tabs" }, row, ...tabs.map(({ element }) => element));
    this.#draw();
  }

  select(index: number, { focus = false }: { readonly focus?: boolean } = {}): void {
    this.selected = index;
    this.#draw();
    if (focus) this.#buttons[index]?.focus();
    this.#buttons[index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#onSelect(index);
  }

  #key(event: KeyboardEvent): void {
    const last = this.#tabs.length - 1;
    const to = {
      ArrowRight: this.selected === last ? 0 : this.selected + 1,
      ArrowLeft: this.selected === 0 ? last : this.selected - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.select(to, { focus: true });
  }

  #draw(): void {
    this.#buttons.forEach((tab, index) => {
      const chosen = index === this.selected;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      const panel = this.#tabs[index]?.element;
      if (panel) panel.hidden = !chosen;
    });
  }
}
