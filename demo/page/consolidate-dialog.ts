/** A model on this machine as consolidator: the person names its server, sees every text before it goes, and may stop at each batch. */

import type { Consolidation } from "keepsake";
import { openaiConsolidator } from "keepsake/openai-consolidator";
import type { Desk } from "./desk.js";
import { askPerson } from "./dialog.js";
import { el, labelled } from "./dom.js";
import { plural } from "./format.js";

/** What was typed last; a key stays in this page alone. */
const last = { baseURL: "http://localhost:11434/v1", model: "", apiKey: "" };

/** @returns undefined where the person thought better of it */
export async function consolidateByModel({ memory, signal }: Desk): Promise<Consolidation | undefined> {
  const baseURL = el("input", { type: "url", required: true, value: last.baseURL, autocomplete: "off" });
  const model = el("input", { type: "text", required: true, value: last.model, placeholder: "llama3.2", autocomplete: "off" });
  const apiKey = el("input", { type: "password", value: last.apiKey, autocomplete: "off" });
  const accepted = await askPerson(
    {
      title: "Let a model consolidate",
      body: [
        labelled("Server on this machine (Ollama, llama.cpp, LM Studio …)", baseURL),
        labelled("Its name of the model", model),
        labelled("Key, if it wants one", apiKey),
        el(
          "p",
          {},
          "It is sent your memories in the third person, with identifiers and names replaced. Names that the memory has not heard may be missed, about one in ten, so you see each batch before it goes.",
        ),
      ],
      accept: "Agree, and show me the first",
    },
    signal,
  );
  if (!accepted) return undefined;
  Object.assign(last, { baseURL: baseURL.value, model: model.value.trim(), apiKey: apiKey.value });
  const consolidator = openaiConsolidator({
    baseURL: last.baseURL,
    model: last.model,
    ...(last.apiKey !== "" && { apiKey: last.apiKey }),
  });
  return memory.consolidate({ consolidator, optedIn: true, signal, review: (outbound) => letGo(outbound, signal) });
}

function letGo(outbound: readonly string[], signal: AbortSignal): Promise<boolean> {
  return askPerson(
    {
      title: `Send ${plural(outbound.length, "text", "texts")}?`,
      body: [
        el("p", {}, "Of your memories, and of what they have taught, this leaves the page, word for word:"),
        el(
          "ul",
          { class: "preview", tabindex: 0, "aria-label": "What would be sent" },
          ...outbound.map((text) => el("li", { dir: "auto" }, text)),
        ),
      ],
      accept: "Send",
    },
    signal,
  );
}
