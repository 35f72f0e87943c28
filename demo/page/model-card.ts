/** A model to choose: its size, its licence, whether it fits this device, whether it is kept there, and what can be done with it. */

import type { SlmProvider } from "keepsake";
import { promptApi } from "keepsake/prompt-api";
import { type WebLlmModel, webllm } from "keepsake/webllm";
import { button, type Child, el } from "./dom.js";
import { whole } from "./format.js";
import type { OfferedModel } from "./model-list.js";

export interface CardActs {
  /** @param offered absent for the browser's own */
  readonly load: (name: string, slm: SlmProvider, offered?: OfferedModel) => void;
  readonly remove: (offered: OfferedModel) => void;
}

/** @param known the models of WebLLM, or why they cannot be told */
export function offeredCard(
  offered: OfferedModel,
  known: readonly WebLlmModel[] | string,
  { load, remove }: CardActs,
): HTMLElement {
  const { model, name, licence, downloadMB } = offered;
  const record = typeof known === "string" ? undefined : known.find((one) => one.model === model);
  const isKept = record?.isCached === true;
  return card(
    name,
    [`${downloadMB} MB to download`, licence],
    [
      el("p", {}, record ? fitOf(record) : typeof known === "string" ? known : "WebLLM does not know it any more."),
      isKept && el("p", { class: "kept" }, `On this device, about ${downloadMB} MB.`),
    ],
    [
      loadButton(name, model, record !== undefined && record.misfit === undefined, () => load(name, webllm({ model }), offered)),
      isKept &&
        button("Remove from this device", () => remove(offered), {
          class: "danger",
          "aria-haspopup": "dialog",
          "aria-label": `Remove ${name} from this device`,
          "data-key": `remove ${model}`,
        }),
    ],
  );
}

function fitOf({ model, memoryMB, misfit }: WebLlmModel): string {
  // The reason begins with the model's name, which stands above.
  if (misfit !== undefined) return `Does not fit this device: ${misfit.replace(model, "it")}.`;
  const memory = memoryMB === undefined ? "" : `, with ${whole(Math.round(memoryMB))} MB of graphics memory`;
  return `Fits this device${memory}.`;
}

export async function browsersCard({ load }: CardActs): Promise<HTMLElement> {
  const name = "the browser's own model";
  const fit = await browsersModel();
  return card(
    "The browser's own",
    ["fetched by the browser", "under the browser's terms"],
    [el("p", {}, fit ?? "This browser has none for this device.")],
    [loadButton(name, "browser", fit !== undefined, () => load(name, promptApi()))],
  );
}

function card(name: string, meta: readonly string[], fit: readonly Child[], actions: readonly Child[]): HTMLElement {
  return el(
    "li",
    { class: "card" },
    el("p", { class: "said" }, name),
    el("p", { class: "meta" }, ...meta.map((one) => el("span", {}, one))),
    ...fit,
    el("div", { class: "actions" }, ...actions),
  );
}

function loadButton(name: string, key: string, isFit: boolean, act: () => void): HTMLElement {
  return button("Load", act, { disabled: !isFit, "aria-label": `Load ${name}`, "data-key": `load ${key}` });
}

/** @returns how the browser's own model stands, or undefined where there is none */
async function browsersModel(): Promise<string | undefined> {
  const { LanguageModel } = globalThis as { readonly LanguageModel?: { availability(): Promise<string> } };
  const stands = await LanguageModel?.availability().catch(() => "unavailable");
  return stands === undefined || stands === "unavailable"
    ? undefined
    : stands === "available"
      ? "Here already."
      : "Can be downloaded.";
}
