/** Lets the person correct a memory; what was said stays as its source. */

import type { EntryKind, StoredEntry } from "keepsake";
import type { Desk } from "./desk.js";
import { askPerson } from "./dialog.js";
import { el, labelled } from "./dom.js";
import { KINDS } from "./kinds.js";

export async function editMemory({ memory, tell, signal }: Desk, entry: StoredEntry): Promise<void> {
  const text = el("textarea", { rows: 4, required: true, dir: "auto" });
  text.value = entry.text;
  const kind = el("select", {}, ...KINDS.map((name) => el("option", { value: name, selected: name === entry.kind }, name)));
  const tags = el("input", { type: "text", value: entry.tags.join(", "), autocomplete: "off" });
  const accepted = await askPerson(
    {
      title: "Correct this memory",
      body: [
        labelled("What it says", text),
        labelled("Kind", kind),
        labelled("Tags, with commas between them", tags),
        el("p", { class: "meta" }, "What was said stays with it as its source."),
      ],
      accept: "Save",
      act: async () => {
        await memory.update(entry.id, {
          text: text.value.trim(),
          kind: kind.value as EntryKind,
          tags: tags.value
            .split(",")
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ""),
        });
      },
    },
    signal,
  );
  if (accepted) tell("Saved.");
}
