/** A modal question over the page, on the browser's own dialog: it keeps the focus inside and gives it back. */

import { type Child, el, freshId } from "./dom.js";

export interface Question {
  readonly title: string;
  readonly body: readonly Child[];
  /** Says what the button does. */
  readonly accept: string;
  /** The accepting button removes something for good, so it does not get the focus. */
  readonly dangerous?: boolean;
}

/** Resolves with true when the person accepts, with false when they cancel or press Escape, or when `signal` aborts. */
export function askPerson({ title, body, accept, dangerous = false }: Question, signal: AbortSignal): Promise<boolean> {
  const heading = freshId("dialog");
  const cancel = el("button", { type: "submit", value: "cancel", autofocus: dangerous, formnovalidate: true }, "Cancel");
  const confirm = el("button", { type: "submit", value: "accept", class: dangerous ? "danger solid" : "primary" }, accept);
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: heading }, title),
    ...body,
    el("div", { class: "actions" }, cancel, confirm),
  );
  const dialog = el("dialog", { "aria-labelledby": heading }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    const close = () => dialog.close("cancel");
    signal.addEventListener("abort", close);
    dialog.addEventListener("close", () => {
      signal.removeEventListener("abort", close);
      dialog.remove();
      resolve(dialog.returnValue === "accept");
    });
    dialog.showModal();
  });
}
