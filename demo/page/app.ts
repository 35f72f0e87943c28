/** The page as a whole: opens a user's memory, lays out chat and inspector, and takes them down for another user. */

import { type Memory, openMemory } from "keepsake";
import { Chat } from "./chat.js";
import type { Asked, Desk } from "./desk.js";
import { button, el, fill } from "./dom.js";
import { describeFailure } from "./failure.js";
import { plural } from "./format.js";
import { Inspector } from "./inspector.js";
import { Notices } from "./notices.js";

export const DATABASE = "keepsake-demo";
const CONVERSATION = "chat";
/** What the memory would take by itself; the Time tab draws it. */
const DEADLINE_MS = 150;
/** Changes come in bursts while the sample is loaded. */
const REDRAW_MS = 120;

export class App {
  readonly #root: HTMLElement;
  #memory: Memory | undefined;
  #view = new AbortController();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Shows a user's memory in the place of the one that was shown. */
  async open(userId: string): Promise<void> {
    this.#view.abort();
    this.#view = new AbortController();
    const { signal } = this.#view;
    const before = this.#memory;
    this.#memory = undefined;
    try {
      await before?.close();
      const memory = await openMemory({ name: DATABASE, userId, deadlineMs: DEADLINE_MS, signal });
      this.#memory = memory;
      await this.#show(memory, signal);
    } catch (error) {
      if (!signal.aborted) this.#showFailure(error, userId);
    }
  }

  async #show(memory: Memory, signal: AbortSignal): Promise<void> {
    const notices = new Notices();
    const count = el("span", { class: "count" });
    const desk: Desk = {
      memory,
      conversation: memory.conversation(CONVERSATION),
      deadlineMs: DEADLINE_MS,
      signal,
      report: notices.report,
      tell: notices.tell,
      inspect: (asked: Asked) => inspector.show(asked),
      reload: async () => {
        await chat.reload();
        await redraw();
      },
      switchUser: (userId) => void this.#switchUser(userId),
    };
    const inspector = new Inspector(desk);
    const chat = new Chat(desk);
    const redraw = async () => {
      const { entries } = await memory.stats();
      count.textContent = plural(entries, "memory", "memories");
      await inspector.refresh();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    memory.addEventListener(
      "change",
      () => {
        clearTimeout(timer);
        timer = setTimeout(() => void redraw().catch((error: unknown) => !signal.aborted && notices.report(error)), REDRAW_MS);
      },
      { signal },
    );
    memory.addEventListener(
      "degraded",
      ({ detail }) => notices.tell(`The ${detail.part} runs in a lesser form: ${detail.reason}`),
      { signal },
    );
    signal.addEventListener("abort", () => clearTimeout(timer));
    await chat.reload();
    await redraw();
    fill(this.#root, header(memory, count), notices.element, el("main", {}, chat.element, inspector.element));
    chat.scrollToEnd();
  }

  async #switchUser(userId: string): Promise<void> {
    const address = new URL(location.href);
    address.searchParams.set("user", userId);
    history.replaceState(null, "", address);
    fill(this.#root, el("p", { class: "opening", role: "status" }, `Opening the memory of ${userId} …`));
    await this.open(userId);
    // The control that was used is gone; this says whose memory is shown now.
    this.#root.querySelector<HTMLElement>(".whose")?.focus();
  }

  #showFailure(error: unknown, userId: string): void {
    const { happened, advice } = describeFailure(error);
    fill(
      this.#root,
      el(
        "div",
        { class: "opening", role: "alert" },
        el("h1", {}, "The memory could not be opened"),
        el("p", {}, happened),
        el("p", {}, advice),
        button("Try again", () => void this.open(userId), { class: "primary" }),
      ),
    );
  }
}

function header(memory: Memory, count: HTMLElement): HTMLElement {
  return el(
    "header",
    { class: "top" },
    el("h1", {}, "Keepsake"),
    el(
      "p",
      { class: "tagline" },
      el("span", { class: "long" }, "Memory for assistants that live in the browser. "),
      "Nothing you type leaves this machine.",
    ),
    el("p", { class: "whose", tabindex: -1 }, el("span", { class: "user" }, memory.userId), count),
  );
}
