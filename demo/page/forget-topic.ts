/** Forgetting a topic: the person names it, sees all that would go, takes out what shall stay, and gets the proof. */

import type { ForgetPreview } from "keepsake";
import type { Desk } from "./desk.js";
import { askPerson } from "./dialog.js";
import { type Child, el, labelled } from "./dom.js";
import { askAndForget } from "./forget-dialog.js";
import { clock, day, plural } from "./format.js";

export async function forgetTopic(desk: Desk): Promise<void> {
  const { memory, tell, signal } = desk;
  const query = await askTopic(signal);
  if (query === undefined) return;
  const preview = await memory.forget({ query }, { preview: true, signal });
  if (preview.entries.length === 0 && preview.turns.length === 0) return tell(`Nothing is remembered about “${query}”.`);
  const keep = new Set<ForgetPreview["entries"][number]["id"]>();
  await askAndForget({ title: `Forget “${query}”?`, body: body(preview, keep), accept: "Forget" }, desk, () => ({
    preview: preview.token,
    except: [...keep],
  }));
}

async function askTopic(signal: AbortSignal): Promise<string | undefined> {
  const field = el("input", {
    type: "text",
    required: true,
    autocomplete: "off",
    autofocus: true,
    placeholder: "my knee and the physiotherapy",
  });
  const accepted = await askPerson(
    {
      title: "Forget a topic",
      body: [labelled("What shall be forgotten?", field), el("p", { class: "meta" }, "First you see everything that would go.")],
      accept: "Show",
    },
    signal,
  );
  const topic = field.value.trim();
  return accepted && topic !== "" ? topic : undefined;
}

function body({ entries, turns, stripped }: ForgetPreview, keep: Set<ForgetPreview["entries"][number]["id"]>): Child[] {
  const choices = entries.map(({ id, text }) => {
    const box = el("input", {
      type: "checkbox",
      checked: true,
      onchange: (event) => ((event.target as HTMLInputElement).checked ? keep.delete(id) : keep.add(id)),
    });
    return el("li", { dir: "auto" }, el("label", {}, box, ` ${text}`));
  });
  return [
    el("p", {}, "All of this goes for good, and no import brings it back. Untick what shall stay."),
    ...(choices.length > 0
      ? [el("h3", {}, `Memories (${choices.length})`), el("ul", { class: "preview choices" }, ...choices)]
      : []),
    ...(turns.length > 0
      ? [
          el("h3", {}, `Messages (${turns.length})`),
          el(
            "ul",
            { class: "preview", tabindex: 0, "aria-label": "Messages" },
            ...turns.map(({ text, at }) => el("li", { dir: "auto" }, `${day(at)}, ${clock(at)}: ${text}`)),
          ),
        ]
      : []),
    stripped.length > 0 &&
      el(
        "p",
        { class: "meta" },
        `${plural(stripped.length, "memory stays and loses", "memories stay and lose")} what was said of it there, or the words beside it.`,
      ),
  ];
}
