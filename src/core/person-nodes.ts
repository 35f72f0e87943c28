/** Which nodes of general knowledge speak of somebody. A node is often in lower case, where no detector is sure, so what it rests on is
 * asked as well, which stands as it was written. */

import { hasPlaceholder } from "../ltm/identity-marks.js";
import { identitiesIn } from "../ltm/scrub/identities.js";
import type { KnownNames } from "../ltm/scrub/known-names.js";
import type { NameTagger } from "../ltm/scrub/name-tagger.js";
import { holds, namesWritten, plainWords } from "../ltm/written-names.js";

/** Shorter words of a name are initials. */
const MIN_PART = 3;
const PARTICLES: ReadonlySet<string> = new Set("von van der den del the and zur vom".split(" "));
const CHINESE = /\p{Script=Han}/u;

export interface NodeText {
  readonly name: string;
  readonly statement?: string | undefined;
}

export class PersonNodes {
  readonly #names: KnownNames;
  readonly #tagger: NameTagger | undefined;
  /** By the words of a source: what it names. */
  readonly #persons = new Map<string, readonly string[]>();
  readonly #written = new Map<string, readonly (readonly string[])[]>();

  /** @param tagger without it only what the memory knows by name is found */
  constructor(names: KnownNames, tagger: NameTagger | undefined) {
    this.#names = names;
    this.#tagger = tagger;
  }

  /** Whether a text names somebody or something of theirs, by every detector there is.
   * @param text a statement; or a name, and its statement in the line below */
  identifies(text: string): boolean {
    const [name = "", ...rest] = text.split("\n");
    return this.#identifies(text, textOf({ name, statement: rest.join("\n") }));
  }

  /** The same for a node, also as it would be written with capitals. */
  speaksOfSomebody({ name, statement = "" }: NodeText): boolean {
    const said = textOf({ name, statement });
    return this.#identifies(`${name}\n${statement}`, said) || this.#isTagged(said.replaceAll(name, capitalised(name)));
  }

  /** Whether what it rests on names somebody with its words. */
  comesFromName(node: NodeText, sources: readonly string[]): boolean {
    const text = `${node.name}\n${node.statement ?? ""}`;
    const words = new Set(plainWords(text));
    return sources.some((source) =>
      this.#personsOf(source).some((person) => (CHINESE.test(person) ? text.includes(person) : words.has(person))),
    );
  }

  /** Whether what it rests on writes it as a name: of the kind that stands with a capital where no sentence begins. A tagger knows
   * better; this is for where none is loaded. */
  isWrittenAsName({ name, statement = "" }: NodeText, sources: readonly string[]): boolean {
    const [called, words] = [plainWords(name), [...plainWords(name), "\n", ...plainWords(statement)]];
    const runs = sources.flatMap((source) => kept(this.#written, source, namesWritten));
    if (runs.some((run) => holds(words, run))) return true;
    // A part of a longer name is one, unless it stands there as a word as well.
    return runs.some((run) => holds(run, called)) && !sources.some((source) => source.includes(name));
  }

  /** A name above its statement looks like a given name above a family's, so both are read as the one sentence that they are. */
  #identifies(text: string, said: string): boolean {
    return hasPlaceholder(text) || identitiesIn(text, this.#names).length > 0 || this.#isTagged(said);
  }

  #isTagged(said: string): boolean {
    return this.#tagger !== undefined && identitiesIn(said, this.#names, this.#tagger).length > 0;
  }

  /** Words by which a text names persons. */
  #personsOf(source: string): readonly string[] {
    return kept(this.#persons, source, () =>
      identitiesIn(source, this.#names, this.#tagger).flatMap(({ type, start, end }) =>
        type === "PERSON" ? plainWords(source.slice(start, end)).filter(isPart) : [],
      ),
    );
  }
}

function kept<Found>(found: Map<string, Found>, source: string, find: (source: string) => Found): Found {
  const known = found.get(source) ?? find(source);
  found.set(source, known);
  return known;
}

/** A node as a person reads it: its statement mostly begins with its name. */
export function textOf({ name, statement = "" }: NodeText): string {
  if (statement === "") return name;
  return statement.includes(name) ? statement : `${name}: ${statement}`;
}

function isPart(word: string): boolean {
  return CHINESE.test(word) || (word.length >= MIN_PART && !PARTICLES.has(word));
}

function capitalised(name: string): string {
  return name.replace(/(?<![\p{L}\p{M}'’])\p{Ll}/gu, (letter) => letter.toUpperCase());
}
