/** Deleting: first what would go with it, then the deed and its proof. */

import type { ForgetTarget, Forgotten, StoredEntry } from "keepsake";
import type { Desk } from "./desk.js";
import { askPerson, type Question } from "./dialog.js";
import { type Child, el } from "./dom.js";
import { clock, day, plural, whole } from "./format.js";

/** Deletes one memory, after showing which others and which messages go with it. */
export async function forgetMemory(desk: Desk, { id }: StoredEntry): Promise<void> {
  const { memory, signal } = desk;
  const target = { entryIds: [id] };
  const { entries, turns } = await memory.forget(target, { preview: true, signal });
  await askAndForget(
    {
      title: "Delete this memory?",
      body: [
        el("p", {}, "It goes for good, together with the messages that it comes from."),
        ...named(
          "Memories",
          entries.map(({ text }) => text),
        ),
        ...named(
          "Messages",
          turns.map(({ text, at }) => `${day(at)}, ${clock(at)}: ${text}`),
        ),
      ],
      accept: "Delete",
    },
    desk,
    target,
  );
}

/** Deletes all that is stored of this user, after a warning. */
export async function forgetEverything(desk: Desk): Promise<void> {
  const { memory } = desk;
  const { entries, turns } = await memory.stats();
  await askAndForget(
    {
      title: "Erase everything?",
      body: [
        el(
          "p",
          {},
          `${plural(entries, "memory", "memories")} and ${plural(turns, "message", "messages")} of “${memory.userId}” go for good. Other users keep theirs.`,
        ),
      ],
      accept: "Erase everything",
    },
    desk,
    { everything: true },
  );
}

/** Asks, and then forgets `target` and tells the proof. */
export async function askAndForget(
  question: Pick<Question, "title" | "body" | "accept">,
  { memory, tell, reload, signal }: Desk,
  target: ForgetTarget | (() => ForgetTarget),
): Promise<void> {
  let proof: Forgotten | undefined;
  const act = async () => {
    proof = await memory.forget(typeof target === "function" ? target() : target, { signal });
    await reload();
  };
  if ((await askPerson({ ...question, dangerous: true, act }, signal)) && proof) tell(proven(proof));
}

function proven({ entryIds, turnIds, remaining, scanned }: Forgotten): string {
  const gone = `${plural(entryIds.length, "memory", "memories")} and ${plural(turnIds.length, "message", "messages")} are gone`;
  return `${gone}; a search of all ${whole(scanned.rows)} stored rows afterwards found ${remaining === 0 ? "nothing of them" : `their words in ${remaining} other place${remaining === 1 ? "" : "s"}, which stay`}.`;
}

function named(title: string, lines: readonly string[]): Child[] {
  if (lines.length === 0) return [];
  return [
    el("h3", {}, `${title} (${lines.length})`),
    el("ul", { class: "preview", tabindex: 0, "aria-label": title }, ...lines.map((line) => el("li", { dir: "auto" }, line))),
  ];
}
