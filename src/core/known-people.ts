/** Whoever a memory knows by name: speakers with their nicknames, those whom it has entries about, and those whom somebody named. */

import type { KnownPerson } from "../ltm/scrub/known-names.js";
import { namesTold, nicknamesOf } from "../ltm/scrub/told-names.js";
import type { Entry } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";

/** Entries read for the first time between two pauses. */
const SLICE = 64;
const ROLES = ["user", "assistant"];

export class KnownPeople {
  readonly #index: () => MemoryIndex;
  /** An entry that changes is another object. */
  readonly #told = new WeakMap<Entry, readonly string[]>();

  constructor(index: () => MemoryIndex) {
    this.#index = index;
  }

  async all(): Promise<readonly KnownPerson[]> {
    const { table } = this.#index();
    const speakers = new Set(table.speakers());
    const others = new Set<string>();
    let read = 0;
    for (const entry of [...table]) {
      others.add(entry.subject);
      let told = this.#told.get(entry);
      if (!told) {
        if (++read % SLICE === 0) await pause();
        this.#told.set(entry, (told = namesTold(entry.indexText)));
      }
      for (const name of told) others.add(name);
    }
    for (const role of ROLES) others.delete(role);
    return [
      ...[...speakers].map((name) => ({ name, nicknames: nicknamesOf(name) })),
      ...[...others].filter((name) => !speakers.has(name)).map((name) => ({ name })),
    ];
  }
}
