/** Importing chat exports: choose or drop files, see how far it is, stop it, read what came of it. */

import type { ImportProgress, ImportReport } from "keepsake";
import type { Desk } from "./desk.js";
import { button, el, fill, freshId } from "./dom.js";
import { describeFailure, isCancelled } from "./failure.js";
import { bytes, plural, whole } from "./format.js";
import { reportOf } from "./import-report.js";

const FORMATS = "ChatGPT, Claude or Telegram (JSON), zipped or not, or JSON lines with role and content";

/** Shows the dialog; it closes by its button, by Escape, or with the view of this user. */
export function openImport(desk: Desk): void {
  new ImportDialog(desk).show();
}

class ImportDialog {
  readonly #desk: Desk;
  readonly #input = el("input", {
    type: "file",
    multiple: true,
    accept: ".json,.jsonl,.ndjson,.zip,.gz",
    onchange: () => void this.#take(this.#input.files),
  });
  readonly #drop: HTMLElement;
  readonly #bar = el("progress", { "aria-label": "Importing" });
  readonly #label = el("p", { class: "meta", role: "status" });
  readonly #running: HTMLElement;
  readonly #results = el("div", { class: "results", role: "status" });
  readonly #close = button("Close", () => this.#dialog.close());
  readonly #dialog: HTMLDialogElement;
  #importing: AbortController | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    const heading = freshId("dialog");
    this.#input.id = freshId("field");
    this.#drop = el(
      "div",
      {
        class: "drop",
        ondragover: (event) => this.#over(event as DragEvent, true),
        ondragleave: (event) => this.#over(event as DragEvent, false),
        ondrop: (event) => this.#dropped(event as DragEvent),
      },
      el("label", { for: this.#input.id }, "Choose an export, or drop it here"),
      this.#input,
      el("p", { class: "meta" }, `${FORMATS}. It is read on this machine and goes nowhere else.`),
    );
    this.#running = el(
      "div",
      { class: "running", hidden: true },
      this.#bar,
      button("Stop", () => this.#importing?.abort()),
      this.#label,
    );
    this.#dialog = el(
      "dialog",
      { "aria-labelledby": heading, class: "import" },
      el("h2", { id: heading }, "Import a chat export"),
      this.#drop,
      this.#running,
      this.#results,
      el("div", { class: "actions" }, this.#close),
    );
  }

  show(): void {
    const { signal } = this.#desk;
    const close = () => this.#dialog.close();
    signal.addEventListener("abort", close);
    this.#dialog.addEventListener("close", () => {
      signal.removeEventListener("abort", close);
      this.#importing?.abort();
      this.#dialog.remove();
    });
    // While it runs, only its own button stops it.
    this.#dialog.addEventListener("cancel", (event) => this.#importing && event.preventDefault());
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  #over(event: DragEvent, isOver: boolean): void {
    event.preventDefault();
    this.#drop.classList.toggle("over", isOver);
  }

  #dropped(event: DragEvent): void {
    this.#over(event, false);
    void this.#take(event.dataTransfer?.files ?? null);
  }

  async #take(files: FileList | null): Promise<void> {
    if (!files || files.length === 0 || this.#importing) return;
    const importing = new AbortController();
    this.#importing = importing;
    this.#show(true);
    fill(this.#results);
    try {
      for (const file of files) if (!importing.signal.aborted) await this.#import(file, importing.signal);
    } finally {
      this.#importing = undefined;
      this.#input.value = "";
      this.#show(false);
    }
    if (!this.#desk.signal.aborted) await this.#desk.reload().catch(this.#desk.report);
  }

  async #import(file: File, stopped: AbortSignal): Promise<void> {
    const { memory, signal } = this.#desk;
    let last: ImportProgress | undefined;
    this.#tell(file, last);
    try {
      const report = await memory.import(file, {
        signal: AbortSignal.any([stopped, signal]),
        onProgress: (progress) => {
          last = progress;
          this.#tell(file, progress);
        },
      });
      this.#result(file, reportOf(report));
      this.#desk.tell(summary(report));
    } catch (error) {
      if (signal.aborted) return;
      const safe =
        last && last.messages > 0
          ? ` ${plural(last.messages, "message is", "messages are")} safe; importing the file again goes on from there.`
          : "";
      const { happened, advice } = isCancelled(error) ? { happened: "Stopped.", advice: "" } : describeFailure(error);
      this.#result(file, el("p", {}, `${happened}${isCancelled(error) ? safe : ` ${advice}${safe}`}`));
    }
  }

  #result(file: File, content: HTMLElement): void {
    this.#results.append(el("section", {}, el("h3", {}, file.name), content));
  }

  #show(isRunning: boolean): void {
    this.#running.hidden = !isRunning;
    this.#drop.hidden = isRunning;
    this.#close.disabled = isRunning;
    if (!isRunning) this.#close.focus();
  }

  #tell(file: File, progress: ImportProgress | undefined): void {
    if (progress && progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = progress.done;
    } else this.#bar.removeAttribute("value");
    const read = progress ? `, ${bytes(progress.done)}${progress.total > 0 ? ` of ${bytes(progress.total)}` : ""}` : "";
    const messages = progress
      ? `: ${plural(progress.messages, "message", "messages")} from ${plural(progress.conversations, "conversation", "conversations")}`
      : "";
    this.#label.textContent = `${file.name}${messages}${read}`;
  }
}

function summary({ recorded, conversations }: ImportReport): string {
  return `${whole(recorded)} new messages from ${plural(conversations, "conversation", "conversations")} were imported.`;
}
