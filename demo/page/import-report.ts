/** What came of an import, in words. */

import type { ImportReport, ImportSkip } from "keepsake";
import { type Child, el } from "./dom.js";
import { plural, whole } from "./format.js";

const FORMATS: Readonly<Record<ImportReport["format"], string>> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  telegram: "Telegram",
  messages: "Plain messages",
  backup: "Backup",
  locomo: "LoCoMo",
  longmemeval: "LongMemEval",
};

const SKIPPED: Readonly<Record<ImportSkip, string>> = {
  "already-recorded": "were recorded before",
  forgotten: "you had forgotten",
  "other-branch": "were replaced by an edit or another reply",
  hidden: "are hidden settings",
  system: "are instructions of the app",
  tool: "are what tools were told or said",
  reasoning: "are a model's reasoning",
  service: "are notices of the app",
  channel: "are posts to the public",
  attachment: "are pictures or files without words",
  empty: "are empty",
  unknown: "are of a kind that is not known",
};

export function reportOf(report: ImportReport): HTMLElement {
  const { format, conversations, emptyConversations, messages, recorded, entries, skipped, damaged, damages, undated } = report;
  const facts: readonly (readonly [string, string])[] = [
    ["Export of", FORMATS[format]],
    [
      "Conversations",
      `${whole(conversations)}${emptyConversations > 0 ? `, and ${whole(emptyConversations)} without a word` : ""}`,
    ],
    ["Messages", `${whole(messages)}, of which ${whole(recorded)} were recorded now`],
    ["New memories", whole(entries)],
  ];
  const left = Object.entries(skipped).map(([reason, count]) => `${whole(count)} ${SKIPPED[reason as ImportSkip]}`);
  return el(
    "div",
    {},
    el("dl", { class: "facts" }, ...facts.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
    ...listed("Left out", left),
    undated > 0 && el("p", { class: "meta" }, `${plural(undated, "message has", "messages have")} no date, and bear today's.`),
    ...listed(
      plural(damaged, "part could not be read", "parts could not be read"),
      damages.map(({ where, reason }) => `${where}: ${reason}`),
    ),
  );
}

function listed(title: string, lines: readonly string[]): Child[] {
  if (lines.length === 0) return [];
  return [
    el("h4", {}, title),
    el("ul", { class: "preview", tabindex: 0, "aria-label": title }, ...lines.map((line) => el("li", {}, line))),
  ];
}
