/** The Storage tab: figures of the store, its upkeep, whose memory this is, and the end of it. */

import type { MemoryStats } from "keepsake";
import { BackupTools } from "./backup-tools.js";
import type { Desk, Panel } from "./desk.js";
import { button, el, fill } from "./dom.js";
import { forgetEverything } from "./forget-dialog.js";
import { bytes, milliseconds, whole } from "./format.js";
import { openImport } from "./import-dialog.js";
import { SampleLoader } from "./sample-loader.js";
import { UserPicker } from "./user-picker.js";

const INDEX: Readonly<Record<MemoryStats["index"]["vector"], string>> = {
  "flat-wasm": "exact scan, WebAssembly",
  "flat-js": "exact scan, JavaScript",
  hnsw: "approximate graph (HNSW)",
};

export class StoragePanel implements Panel {
  readonly name = "Storage";
  readonly #desk: Desk;
  readonly #facts = el("dl", { class: "facts" });
  readonly #quota = el("div", { class: "quota" });
  readonly #persist = button("Ask the browser to keep it", () => this.#do(() => this.#askToPersist()), { hidden: true });
  readonly #users: UserPicker;
  readonly element: HTMLElement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#users = new UserPicker(desk);
    const rebuild = button("Rebuild indexes", () => this.#do(() => this.#rebuild(rebuild)));
    this.element = el(
      "div",
      { class: "panel" },
      el("h2", {}, "Storage"),
      this.#facts,
      this.#quota,
      el("div", { class: "actions" }, this.#persist, rebuild),
      el("h3", {}, "Sample"),
      el("p", { class: "meta" }, "Loading it a second time adds nothing: each message has an id and is recorded once."),
      new SampleLoader(desk, "Load the sample").element,
      el("h3", {}, "Chat exports"),
      el(
        "p",
        { class: "meta" },
        "Brings in what you said elsewhere, with the dates of then. The same export twice changes nothing.",
      ),
      button("Import a chat export", () => openImport(desk), { "aria-haspopup": "dialog" }),
      el("h3", {}, "Backup"),
      el(
        "p",
        { class: "meta" },
        `One file with all memories and messages of “${desk.memory.userId}”. Restoring adds what is missing, here or on another device.`,
      ),
      new BackupTools(desk).element,
      el("h3", {}, "User"),
      el("p", { class: "meta" }, "Every user has a memory of their own in the same database, and none sees another's."),
      this.#users.element,
      el("h3", {}, "Erase"),
      el("p", { class: "meta" }, `Removes all memories and messages of “${desk.memory.userId}” from this machine.`),
      button("Erase everything", () => this.#do(() => forgetEverything(desk)), { class: "danger", "aria-haspopup": "dialog" }),
    );
  }

  async refresh(): Promise<void> {
    const [stats] = await Promise.all([this.#desk.memory.stats(), this.#users.refresh()]);
    fill(this.#facts, ...rows(stats).flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));
    fill(this.#quota, quotaBar(stats.storage));
    this.#persist.hidden = stats.storage.persisted !== false;
  }

  async #askToPersist(): Promise<void> {
    const kept = await navigator.storage.persist();
    await this.refresh();
    this.#desk.tell(
      kept
        ? "The browser will not remove this memory when space runs short."
        : "The browser does not promise it yet; it may after you have used the page more, or after a bookmark.",
    );
  }

  async #rebuild(pressed: HTMLButtonElement): Promise<void> {
    pressed.disabled = true;
    try {
      const start = performance.now();
      await this.#desk.memory.rebuild({ signal: this.#desk.signal });
      this.#desk.tell(`The indexes were rebuilt in ${milliseconds(performance.now() - start)}.`);
    } finally {
      pressed.disabled = false;
    }
    await this.refresh();
  }

  #do(act: () => Promise<void>): void {
    void act().catch((error: unknown) => {
      if (!this.#desk.signal.aborted) this.#desk.report(error);
    });
  }
}

function rows({
  entries,
  turns,
  vectors,
  revision,
  embedder,
  reembedding,
  index,
  storage,
  worker,
  degraded,
}: MemoryStats): [string, string][] {
  return [
    ["Memories", whole(entries)],
    ["Messages", whole(turns)],
    ["Vectors", `${whole(vectors)}, ${embedder.dimension} numbers each`],
    ["Embedder", embedder.id],
    ...(reembedding
      ? [["Being embedded", `${whole(reembedding.done)} of ${whole(reembedding.total)} memories are done`] as [string, string]]
      : []),
    ["Vector index", INDEX[index.vector]],
    ["Indexed words", whole(index.terms)],
    ["Revision", whole(revision)],
    ["Kept in", storage.backend === "indexeddb" ? "IndexedDB" : "SQLite"],
    ["Runs in", worker ? "a worker" : "the page's thread"],
    ["Persistent", storage.persisted === undefined ? "the browser does not say" : storage.persisted ? "yes" : "not promised"],
    ...degraded.map(({ part, reason }): [string, string] => [`Lesser form: ${part}`, reason]),
  ];
}

function quotaBar({ usageBytes, quotaBytes }: MemoryStats["storage"]): HTMLElement | undefined {
  if (usageBytes === undefined || quotaBytes === undefined) return undefined;
  const text = `${bytes(usageBytes)} of ${bytes(quotaBytes)} used by this site`;
  return el("p", { class: "meta" }, el("meter", { min: 0, max: quotaBytes, value: usageBytes, "aria-label": text }), ` ${text}`);
}
