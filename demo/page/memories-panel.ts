/** The Memories tab: everything that is stored, to search, pin, correct and delete. */

import type { EntryFilter, EntryKind, StoredEntry } from "keepsake";
import type { Desk, Panel } from "./desk.js";
import { button, el, labelled, redraw } from "./dom.js";
import { forgetTopic } from "./forget-topic.js";
import { KINDS } from "./kinds.js";
import { memoryCard } from "./memory-card.js";

const PAGE = 40;
/** Long enough to type two letters. */
const SEARCH_MS = 150;

export class MemoriesPanel implements Panel {
  readonly name = "Memories";
  readonly #desk: Desk;
  readonly #search = el("input", {
    type: "search",
    placeholder: "Words in the text",
    autocomplete: "off",
    oninput: () => this.#later(),
  });
  readonly #kind = el(
    "select",
    { onchange: () => this.#now() },
    el("option", { value: "" }, "every kind"),
    ...KINDS.map((kind) => el("option", { value: kind }, kind)),
  );
  readonly #pinned = el("input", { type: "checkbox", onchange: () => this.#now() });
  readonly #list = el("ul", { class: "items", "aria-label": "Memories" });
  readonly #status = el("p", { class: "meta", role: "status" });
  readonly #more = button("Show more", () => void this.#next().catch(this.#report), { hidden: true });
  readonly element: HTMLElement;
  #rows: AsyncGenerator<StoredEntry> | undefined;
  #shown = 0;
  #wanted = PAGE;
  #reading = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.element = el(
      "div",
      { class: "panel" },
      el(
        "div",
        { class: "filters" },
        labelled("Search", this.#search),
        labelled("Kind", this.#kind),
        labelled("Pinned only", this.#pinned, { class: "field check" }),
        button("Forget a topic", () => void forgetTopic(desk).catch(this.#report), {
          class: "danger",
          "aria-haspopup": "dialog",
        }),
      ),
      this.#status,
      this.#list,
      this.#more,
    );
  }

  /** Reads the list anew, as far as it was shown. */
  async refresh(): Promise<void> {
    const reading = ++this.#reading;
    const rows = this.#desk.memory.entries(this.#filter(), { signal: this.#desk.signal });
    const cards: HTMLElement[] = [];
    const done = await take(rows, this.#wanted, (entry) => cards.push(memoryCard(this.#desk, entry)));
    if (reading !== this.#reading) return;
    this.#rows = rows;
    this.#shown = cards.length;
    if (!redraw(this.#list, ...cards)) this.#search.focus();
    this.#end(done);
  }

  async #next(): Promise<void> {
    if (!this.#rows) return;
    this.#wanted += PAGE;
    const done = await take(this.#rows, PAGE, (entry) => {
      this.#list.append(memoryCard(this.#desk, entry));
      this.#shown += 1;
    });
    this.#end(done);
  }

  #end(done: boolean): void {
    this.#more.hidden = done;
    const filtered = Object.keys(this.#filter()).length > 0;
    this.#status.textContent =
      this.#shown > 0
        ? `${done ? "All" : "The newest"} ${this.#shown}${filtered ? " that match" : ""}, newest first`
        : filtered
          ? "Nothing matches. Try fewer words or every kind."
          : "Nothing is stored yet. Tell something in the chat, or load the sample.";
  }

  #filter(): EntryFilter {
    const text = this.#search.value.trim();
    return {
      ...(text !== "" && { text }),
      ...(this.#kind.value !== "" && { kinds: [this.#kind.value as EntryKind] }),
      ...(this.#pinned.checked && { pinned: true }),
    };
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), SEARCH_MS);
  }

  #now(): void {
    this.#wanted = PAGE;
    void this.refresh().catch(this.#report);
  }

  readonly #report = (error: unknown): void => {
    if (!this.#desk.signal.aborted) this.#desk.report(error);
  };
}

/** @returns whether the rows came to their end, which is only known after one row too many; that row is not lost: a
 * full page counts as not done, and the next may turn out empty */
async function take<T>(rows: AsyncGenerator<T>, limit: number, each: (row: T) => void): Promise<boolean> {
  for (let taken = 0; taken < limit; taken += 1) {
    const { done, value } = await rows.next();
    if (done) return true;
    each(value);
  }
  return false;
}
