/** The chat: what was said, the line to write in, and the loop recall → answer → record. */

import { isSampleText } from "../sample-turns.js";
import type { Desk } from "./desk.js";
import { button, el, fill } from "./dom.js";
import { longDay } from "./format.js";
import { answerBubble, dayMark, messageBubble } from "./message.js";
import { isQuestion } from "./question.js";
import { Suggestions } from "./suggestions.js";
import { welcome } from "./welcome.js";

/** Messages shown of the past. */
const HISTORY = 500;

export class Chat {
  readonly #desk: Desk;
  readonly #log = el("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: 0 });
  readonly #input = el("textarea", {
    id: "say",
    rows: 1,
    enterkeyhint: "send",
    autocomplete: "off",
    placeholder: "Ask or tell something",
    oninput: () => this.#grow(),
    onkeydown: (event) => this.#key(event as KeyboardEvent),
  });
  readonly #send = el("button", { type: "submit", class: "primary" }, "Send");
  readonly #suggestions: Suggestions;
  readonly element: HTMLElement;
  #lastDay = "";
  #busy = false;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#suggestions = new Suggestions((question) => void this.ask(question));
    const form = el(
      "form",
      { class: "composer", onsubmit: (event) => this.#submit(event) },
      el("label", { for: "say", class: "visually-hidden" }, "Message"),
      this.#input,
      this.#send,
    );
    this.element = el("section", { class: "chat", "aria-label": "Chat" }, this.#log, this.#suggestions.element, form);
  }

  /** Draws what the memory holds of the conversation. */
  async reload(): Promise<void> {
    const history = await this.#desk.conversation.history({ limit: HISTORY });
    // The past is not news: without this a screen reader would read all of it out.
    this.#log.setAttribute("aria-live", "off");
    requestAnimationFrame(() => this.#log.setAttribute("aria-live", "polite"));
    fill(this.#log);
    this.#lastDay = "";
    history.forEach((message, index) => {
      this.#markDay(message.at ?? Date.now());
      this.#log.append(messageBubble(message));
      const open = message.role === "user" && isQuestion(message.text) && history[index + 1]?.role !== "assistant";
      if (open) this.#log.append(button("Ask again", () => void this.ask(message.text), { class: "again" }));
    });
    if (history.length === 0) this.#log.append(welcome(this.#desk, (await this.#desk.memory.stats()).entries));
    this.#suggestions.element.hidden = !history.some(({ text }) => isSampleText(text));
    this.scrollToEnd();
  }

  scrollToEnd(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** Recalls, answers with the best memory where it is a question, and records both sides of the exchange. */
  async ask(text: string): Promise<void> {
    if (this.#busy) return;
    this.#setBusy(true);
    const { conversation, deadlineMs, signal } = this.#desk;
    const now = Date.now();
    this.#log.querySelector(".welcome")?.remove();
    this.#markDay(now);
    this.#log.append(messageBubble({ role: "user", text, at: now }));
    this.scrollToEnd();
    try {
      const start = performance.now();
      const recall = await conversation.recall(text, { deadlineMs, signal });
      const question = isQuestion(text);
      const asked = { text, recall, question, elapsedMs: performance.now() - start };
      this.#desk.inspect(asked);
      // An answer here is a memory read out. Recording it would make a copy that deleting the memory leaves behind.
      const written = await conversation.record({ user: text, at: now, recalled: recall }, { signal });
      this.#log.append(answerBubble(asked, written));
    } catch (error) {
      if (signal.aborted) return;
      this.#desk.report(error);
      this.#input.value ||= text;
    } finally {
      this.#setBusy(false);
      this.scrollToEnd();
    }
  }

  #submit(event: Event): void {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === "" || this.#busy) return;
    this.#input.value = "";
    this.#grow();
    void this.ask(text);
  }

  /** Enter sends and Shift+Enter breaks the line; while an input method is composing, Enter is its own. */
  #key(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#input.form?.requestSubmit();
  }

  #grow(): void {
    this.#input.style.height = "auto";
    this.#input.style.height = `${Math.min(this.#input.scrollHeight, 160)}px`;
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#send.disabled = busy;
    this.#log.setAttribute("aria-busy", String(busy));
  }

  #markDay(at: number): void {
    const label = longDay(at);
    if (label === this.#lastDay) return;
    this.#lastDay = label;
    this.#log.append(dayMark(label));
  }
}
