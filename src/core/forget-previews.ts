/** What was previewed to be forgotten, by a token, so that what goes in the end is what was shown and nothing else. */

import { MemoryError } from "../errors.js";
import type { Entry, EntryId, ForgetTarget, Turn, TurnId } from "../types.js";

/** Previews kept; who has not decided by then looks again. */
const MAX_PREVIEWS = 16;

export type PreviewedTarget = Exclude<ForgetTarget, { readonly preview: string }>;

export interface Preview {
  readonly target: PreviewedTarget;
  /** Entries that go, with the turns that they came from then: what is said again later was not shown. */
  readonly sources: ReadonlyMap<EntryId, ReadonlySet<TurnId>>;
  readonly turnIds: ReadonlySet<TurnId>;
}

export class ForgetPreviews {
  readonly #newId: () => string;
  readonly #kept = new Map<string, Preview>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** @returns the token */
  keep(target: PreviewedTarget, entries: readonly Entry[], turns: readonly Turn[]): string {
    const token = this.#newId();
    this.#kept.set(token, {
      target,
      sources: new Map(entries.map(({ id, sources }) => [id, new Set(sources.map(({ turnId }) => turnId))])),
      turnIds: new Set(turns.map(({ id }) => id)),
    });
    if (this.#kept.size > MAX_PREVIEWS) this.#kept.delete(this.#kept.keys().next().value as string);
    return token;
  }

  /** @throws MemoryError "not-found" */
  get(token: string): Preview {
    const found = this.#kept.get(token);
    if (!found) throw new MemoryError("not-found", "what was previewed is not known any more; preview it again");
    return found;
  }

  drop(token: string): void {
    this.#kept.delete(token);
  }
}
