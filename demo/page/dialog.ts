/** A modal question over the page, on the browser's own dialog: it keeps the focus inside and gives it back. */

import { type Child, el, fill, focusOn, freshId } from "./dom.js";
import { describeFailure, isCancelled } from "./failure.js";

export interface Question {
  readonly title: string;
  readonly body: readonly Child[];
  /** Says what the button does. */
  readonly accept: string;
  /** The accepting button removes something for good, so it does not get the focus. */
  readonly dangerous?: boolean;
  /** What accepting does. The dialog stays until it is done; where it fails it says why, and keeps what was typed. */
  readonly act?: () => Promise<void>;
}

/** Resolves with true when the person accepts and `act` is done, with false when they cancel or press Escape, or when `signal` aborts. */
export function askPerson({ title, body, accept, dangerous = false, act }: Question, signal: AbortSignal): Promise<boolean> {
  const heading = freshId("dialog");
  const opener = document.activeElement;
  const cancel = el("button", { type: "submit", value: "cancel", autofocus: dangerous, formnovalidate: true }, "Cancel");
  const confirm = el("button", { type: "submit", value: "accept", class: dangerous ? "danger solid" : "primary" }, accept);
  const failure = el("div", { role: "alert" });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: heading }, title),
    ...body,
    failure,
    el("div", { class: "actions" }, cancel, confirm),
  );
  const dialog = el("dialog", { "aria-labelledby": heading }, form);
  let busy = false;

  const perform = async (): Promise<void> => {
    if (!act || busy) return;
    busy = true;
    cancel.disabled = confirm.disabled = true;
    form.setAttribute("aria-busy", "true");
    fill(failure);
    try {
      await act();
      busy = false;
      dialog.close("accept");
    } catch (error) {
      busy = false;
      const { happened, advice } = isCancelled(error) ? { happened: "Cancelled.", advice: "" } : describeFailure(error);
      fill(failure, el("p", { class: "failure" }, el("strong", {}, happened), ` ${advice}`));
      cancel.disabled = confirm.disabled = false;
      form.removeAttribute("aria-busy");
      cancel.focus();
    }
  };

  form.addEventListener("submit", (event) => {
    if (busy) event.preventDefault();
    if (!act || event.submitter === cancel) return;
    event.preventDefault();
    void perform();
  });
  // What was begun is not undone by leaving.
  dialog.addEventListener("cancel", (event) => busy && event.preventDefault());
  document.body.append(dialog);
  return new Promise((resolve) => {
    const close = () => dialog.close("cancel");
    signal.addEventListener("abort", close);
    dialog.addEventListener("close", () => {
      signal.removeEventListener("abort", close);
      dialog.remove();
      if (opener instanceof HTMLElement && !opener.isConnected) focusInPlaceOf(opener);
      resolve(dialog.returnValue === "accept");
    });
    dialog.showModal();
  });
}

/** The page was drawn anew below the dialog: the same control as it is now, else the panel that is shown. */
function focusInPlaceOf({ dataset: { key } }: HTMLElement): void {
  document.querySelector<HTMLElement>("[role=tabpanel]:not([hidden])")?.focus();
  if (key !== undefined) focusOn(key);
}
