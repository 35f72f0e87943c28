/** Replaces identities by placeholders before a text leaves the device, and puts them back into what returns. */

import { MemoryError } from "../../errors.js";
import { identitiesOf } from "./identities.js";
import { KnownNames, type KnownPerson } from "./known-names.js";
import type { NameTagger } from "./name-tagger.js";
import { PLACEHOLDER, placeholderOf } from "./placeholder.js";
import type { IdentityType } from "./span.js";

/** Placeholder to the words that it stands for. Stays on the device. */
export type Labels = ReadonlyMap<string, string>;

export interface Scrubbed {
  readonly texts: readonly string[];
  readonly labels: Labels;
  /** How many places of each type were replaced. */
  readonly counts: Readonly<Partial<Record<IdentityType, number>>>;
}

export interface ScrubberParts {
  /** HMAC with SHA-256, made on this device for this user. */
  readonly key: CryptoKey;
  readonly people: readonly KnownPerson[];
  /** Finds names that the memory does not know; without it only known ones are replaced. */
  readonly tagger?: NameTagger;
}

export class Scrubber {
  readonly #key: CryptoKey;
  readonly #names: KnownNames;
  readonly #tagger: NameTagger | undefined;

  constructor({ key, people, tagger }: ScrubberParts) {
    this.#key = key;
    this.#names = new KnownNames(people);
    this.#tagger = tagger;
  }

  /** The same texts always give the same result, so its labels need not be stored.
   * @throws MemoryError "conflict" when two identities would share a placeholder (once in 20,000 users of ten thousand identities) */
  async scrub(texts: readonly string[]): Promise<Scrubbed> {
    const labels = new Map<string, string>();
    const counts: Partial<Record<IdentityType, number>> = {};
    const scrubbed: string[] = [];
    const identities = identitiesOf(texts, this.#names, this.#tagger);
    for (const [at, text] of texts.entries()) {
      let result = "";
      let from = 0;
      for (const span of identities[at] ?? []) {
        const words = text.slice(span.start, span.end);
        const label = await placeholderOf(this.#key, span, words);
        const known = labels.get(label);
        if (known !== undefined && known !== words)
          throw new MemoryError("conflict", `two names would share the placeholder ${label}: send them in different batches`);
        labels.set(label, words);
        counts[span.type] = (counts[span.type] ?? 0) + 1;
        result += text.slice(from, span.start) + label;
        from = span.end;
      }
      scrubbed.push(result + text.slice(from));
    }
    return { texts: scrubbed, labels, counts };
  }

  /** A placeholder that the labels do not hold stays as it is; a form of a name that they do not hold becomes the name. */
  restore(text: string, labels: Labels): string {
    return text.replace(PLACEHOLDER, (label) => labels.get(label) ?? labels.get(label.replace(/:.*\]$/, "]")) ?? label);
  }
}
