/** Whoever a memory knows by name: speakers with their nicknames, those whom it has entries about, and those whom somebody named. */

import type { KnownPerson } from "../ltm/scrub/known-names.js";
import { namesTold, nicknamesOf } from "../ltm/scrub/told-names.js";
import type { Entry } from "../types.js";
import type { MemoryIndex } from "./memory-index.js";
import { pause } from "./pause.js";

/** Entries read between two pauses. */
const SLICE = 2_000;
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
    for (const [at, entry] of [...table].entries()) {
      if (at % SLICE === SLICE - 1) await pause();
      others.add(entry.subject);
      const told = this.#told.get(entry) ?? namesTold(entry.indexText);
      this.#told.set(entry, told);
      for (const name of told) others.add(name);
    }
    for (const role of ROLES) others.delete(role);
    return [
      ...[...speakers].map((name) => ({ name, nicknames: nicknamesOf(name) })),
      ...[...others].filter((name) => !speakers.has(name)).map((name) => ({ name })),
    ];
  }
}
