/** Chooses whose memory is shown: a known user, or a new one by name. */

import { listUsers } from "keepsake";
import type { Desk } from "./desk.js";
import { el, fill, labelled } from "./dom.js";

/** Offered even before they have stored anything. */
const USERS = ["me", "guest"];

export class UserPicker {
  readonly #desk: Desk;
  readonly #select = el("select", { onchange: () => this.#switch(this.#select.value) });
  readonly #name = el("input", { type: "text", maxlength: 40, autocomplete: "off" });
  readonly element: HTMLElement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.element = el(
      "form",
      {
        class: "filters",
        onsubmit: (event) => {
          event.preventDefault();
          this.#switch(this.#name.value.trim());
        },
      },
      labelled("Memory of", this.#select),
      labelled("Or a new user", this.#name),
      el("button", { type: "submit" }, "Open"),
    );
    // Not only when the tab is opened: what lists the users is loaded on demand, and by then the page may be off line.
    void this.refresh().catch((error: unknown) => !desk.signal.aborted && desk.report(error));
  }

  async refresh(): Promise<void> {
    const { name, userId } = this.#desk.memory;
    const users = new Set([...USERS, userId, ...(await listUsers(name))]);
    fill(this.#select, ...[...users].map((user) => el("option", { value: user, selected: user === userId }, user)));
  }

  #switch(userId: string): void {
    if (userId !== "" && userId !== this.#desk.memory.userId) this.#desk.switchUser(userId);
  }
}
