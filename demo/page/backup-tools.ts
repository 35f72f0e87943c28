/** Saving all of a person's memory as one file, and restoring it, with progress and a way to stop. */

import { type ImportReport, isMemoryError } from "keepsake";
import type { Desk } from "./desk.js";
import { button, el, fill, labelled } from "./dom.js";
import { bytes, plural } from "./format.js";

export class BackupTools {
  readonly #desk: Desk;
  readonly #password = el("input", { type: "password", autocomplete: "off", maxlength: 200 });
  readonly #save: HTMLButtonElement;
  readonly #restore: HTMLButtonElement;
  readonly #file = el("input", { type: "file", accept: ".keepsake,.gz", hidden: true, "aria-label": "Backup file" });
  readonly #bar = el("progress", { max: 1, value: 0 });
  readonly #label = el("span", { class: "meta" });
  readonly #running = el("div", { class: "running", hidden: true }, this.#bar, this.#label);
  readonly #damaged = el("div", { class: "damaged", role: "alert" });
  readonly element: HTMLElement;
  #work: AbortController | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#save = button("Save a backup", () => void this.#run("Saving", (signal) => this.#saved(signal)));
    this.#restore = button("Restore a backup", () => this.#file.click());
    this.#file.addEventListener("change", () => {
      const [file] = this.#file.files ?? [];
      this.#file.value = "";
      if (file) this.#restoreFrom(file, false);
    });
    this.#running.append(button("Stop", () => this.#work?.abort()));
    this.element = el(
      "div",
      { class: "backup" },
      labelled("Password (optional)", this.#password),
      el("p", { class: "meta" }, "Without one, whoever has the file can read it. A lost password cannot be replaced."),
      el("div", { class: "actions" }, this.#save, this.#restore, this.#file),
      this.#running,
      this.#damaged,
    );
  }

  async #saved(signal: AbortSignal): Promise<void> {
    const { memory, tell } = this.#desk;
    const stream = memory.export({
      ...this.#given,
      signal,
      onProgress: ({ done, total }) => this.#show(done, total, `${done} of ${plural(total, "row", "rows")}`),
    });
    const file = await blobOf(stream);
    const address = URL.createObjectURL(file);
    const link = el("a", { href: address, download: fileName(memory.userId) });
    link.click();
    // The download has begun by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    tell(`The backup is saved: ${bytes(file.size)}${this.#given.password === undefined ? "" : ", encrypted"}.`);
  }

  #restoreFrom(file: File, partial: boolean): void {
    void this.#run("Restoring", async (signal) => {
      const { memory, tell, reload } = this.#desk;
      try {
        const report = await memory.import(file, {
          ...this.#given,
          partial,
          signal,
          onProgress: ({ done, total }) => this.#show(done, total, `${bytes(done)} of ${bytes(total)}`),
        });
        tell(restored(report));
      } catch (error) {
        if (!isMemoryError(error, "backup-damaged") || partial) throw error;
        this.#offerPart(file, `${error.message.split(" (pass")[0]}.`);
      }
      await reload();
    });
  }

  #offerPart(file: File, reason: string): void {
    const take = button("Restore what comes before", () => this.#restoreFrom(file, true));
    const leave = button("Leave it", () => fill(this.#damaged));
    fill(this.#damaged, el("p", {}, reason), el("div", { class: "actions" }, take, leave));
    take.focus();
  }

  async #run(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { report, signal } = this.#desk;
    this.#work = new AbortController();
    fill(this.#damaged);
    this.#busy(true);
    this.#bar.setAttribute("aria-label", what);
    this.#show(0, 0, `${what} …`);
    try {
      await work(AbortSignal.any([this.#work.signal, signal]));
    } catch (error) {
      if (!signal.aborted) report(error);
    } finally {
      this.#busy(false);
    }
  }

  /** @param total 0 while it is not known */
  #show(done: number, total: number, text: string): void {
    if (total > 0) {
      this.#bar.max = total;
      this.#bar.value = done;
    } else this.#bar.removeAttribute("value");
    this.#label.textContent = text;
  }

  #busy(isBusy: boolean): void {
    this.#running.hidden = !isBusy;
    this.#save.disabled = isBusy;
    this.#restore.disabled = isBusy;
  }

  get #given(): { readonly password?: string } {
    return this.#password.value === "" ? {} : { password: this.#password.value };
  }
}

/** A `Response` would do, but it tells a failure in words of its own. */
async function blobOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = stream.getReader();
  const chunks: BlobPart[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value as BlobPart);
  return new Blob(chunks);
}

function restored({ format, recorded, entries, skipped, damaged }: ImportReport): string {
  if (format !== "backup") return `The file was a chat export: ${plural(recorded, "message", "messages")} came in.`;
  const known = skipped["already-recorded"] ?? 0;
  const forgotten = skipped.forgotten ?? 0;
  const came = `${plural(entries, "memory", "memories")} and ${plural(recorded, "message", "messages")} came back`;
  const others = [
    ...(known > 0 ? [`${plural(known, "message was", "messages were")} here already`] : []),
    ...(forgotten > 0 ? [`${plural(forgotten, "message stays", "messages stay")} forgotten`] : []),
    ...(damaged > 0 ? ["the rest of the file is damaged"] : []),
  ];
  return `${[came, ...others].join("; ")}.`;
}

function fileName(userId: string): string {
  const name = userId.replaceAll(/[^\p{L}\p{N}-]+/gu, "-").slice(0, 40);
  return `memory-of-${name}-${new Date().toISOString().slice(0, 10)}.keepsake`;
}
