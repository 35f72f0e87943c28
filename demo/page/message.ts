/** Bubbles of the chat: a message, an answer with where it comes from, and what became of a statement. */

import type { Message, RecallItem, RefusalReason, Written } from "keepsake";
import type { Asked } from "./desk.js";
import { type Child, el } from "./dom.js";
import { clock, day, isoTime, milliseconds, plural } from "./format.js";

const REFUSED: Readonly<Record<RefusalReason, string>> = {
  question: "it is a question",
  "small-talk": "it is small talk",
  "repeats-recalled": "it repeats what was recalled",
  "already-recorded": "it was recorded before",
  forgotten: "you had it forgotten",
  empty: "it is empty",
  "not-salient": "it does not seem worth keeping",
  incognito: "the conversation is incognito",
  withdrawn: "it was taken back",
  secret: "it holds a password or a key, which was left out",
  "too-large": "it is too long",
};

export function dayMark(label: string): HTMLElement {
  return el("p", { class: "day" }, el("span", {}, label));
}

/** A message as it was said. */
export function messageBubble({ role, name, text, at }: Message): HTMLElement {
  const speaker = name ?? (role === "user" ? "You" : "Assistant");
  return el(
    "div",
    { class: `bubble ${role === "user" ? "mine" : "theirs"}` },
    el("span", { class: "visually-hidden" }, `${speaker}: `),
    el("p", { class: "said", dir: "auto" }, text),
    at !== undefined && el("time", { class: "at", datetime: isoTime(at) }, clock(at)),
  );
}

/** What the page replies: the best memory to a question, "Noted" to a statement; and what was written. */
export function answerBubble({ recall, question, elapsedMs }: Asked, written: Written): HTMLElement {
  const best = recall.items[0];
  return el(
    "div",
    { class: "bubble theirs answer" },
    el("span", { class: "visually-hidden" }, "Assistant: "),
    ...(question ? answer(best) : [el("p", { class: "said" }, reply(written))]),
    question && recall.text !== "" && recalledBlock(recall.text, recall.tokens, recall.items.length),
    writtenList(written, question),
    el(
      "p",
      { class: "meta" },
      `Recalled in ${milliseconds(elapsedMs)}`,
      el("a", { class: "below", href: "#inspector" }, "See how, below"),
    ),
  );
}

function answer(best: RecallItem | undefined): Child[] {
  if (!best) return [el("p", { class: "said" }, "I remember nothing about that yet.")];
  return [
    el("p", { class: "said", dir: "auto", "data-answer": true }, best.text),
    el(
      "p",
      { class: "meta" },
      best.subject === "assistant"
        ? "I said this on "
        : best.subject === "user"
          ? "You said this on "
          : `${best.subject} said this on `,
      el("time", { datetime: isoTime(best.saidAt) }, day(best.saidAt)),
      best.validTo !== undefined && `, and it held until ${day(best.validTo)}`,
    ),
  ];
}

function reply({ stored, merged }: Written): string {
  if (stored.length > 0) return "Noted.";
  return merged.length > 0 ? "I knew that already." : "I have kept nothing of that.";
}

function recalledBlock(text: string, tokens: number, items: number): HTMLElement {
  return el(
    "details",
    {},
    el(
      "summary",
      {},
      `What a model would be given: ${plural(items, "memory", "memories")}, ${plural(tokens, "token", "tokens")}`,
    ),
    el("pre", { class: "block", dir: "auto", tabindex: 0, "aria-label": "Recalled block" }, text),
  );
}

/** The fate of each sentence. Of a question only what was kept is told, since it is no news that a question is not. */
function writtenList({ stored, merged, superseded, marked, refused }: Written, question: boolean): HTMLElement | undefined {
  const lines = [
    ...stored.map(({ kind, text }) => fate("kept", `Kept as ${kind}`, text)),
    ...merged.map(({ text }) => fate("kept", "Joined with what was known", text)),
    ...superseded.map(() => fate("kept", "An older memory no longer holds")),
    ...marked.map(() => fate("kept", "An older memory may be outdated: see Memories")),
    ...(question ? [] : refused).map(({ text, reason }) => fate("left", `Not kept, ${REFUSED[reason]}`, text)),
  ];
  return lines.length > 0 ? el("ul", { class: "fates", "aria-label": "What was written" }, ...lines) : undefined;
}

function fate(outcome: "kept" | "left", verdict: string, text?: string): HTMLElement {
  return el("li", { class: outcome }, el("strong", {}, verdict), text !== undefined && el("span", { dir: "auto" }, text));
}
