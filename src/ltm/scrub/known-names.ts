/** Names of persons that the memory knows: speakers, people it has entries about, their nicknames. */

import { folded } from "./folded.js";
import { HONORIFICS, isStopWord, type NamePart, partsOf, plainOf, stemsOf, WORD, wordsOf, wordToo } from "./name-forms.js";
import { isCalled } from "./names/word-classes.js";
import type { IdentitySpan } from "./span.js";

export interface KnownPerson {
  /** As the memory spells it, in full where it is known in full. */
  readonly name: string;
  /** Nicknames and other spellings. */
  readonly otherNames?: readonly string[];
  /** Short forms, which count only where the text writes them as a name. */
  readonly nicknames?: readonly string[];
  /** Nobody told the name: it counts only where the text writes it as one, too. */
  readonly isGuessed?: boolean;
}

export interface NameSpan extends IdentitySpan {
  readonly identity: string;
  /** A genitive or a plural: "Annas". */
  readonly isInflected: boolean;
}

/** Signs between the words of a name: "Anna_Smith", "Jörg-Uwe". */
const GAP = /^[\s._'’·-]{0,2}$/u;
const COMPOUND = /(?:-\p{L}+)+/uy;
const BEFORE_COMPOUND = /(?:\p{L}+-)+$/u;
/** Before a plural, which names more than one. */
const PLURAL = /^(?:the|los|las|die)$/u;
const COMPOUND_REACH = 40;

interface Form {
  readonly plain: string;
  readonly words: readonly string[];
  readonly identity: string;
  /** These two count only where the text writes them as a name, a word also where its neighbours tell one. */
  readonly word: ReturnType<typeof wordToo>;
  readonly isShort: boolean;
  readonly hasUmlaut: boolean;
}

interface Place {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export class KnownNames {
  readonly people: readonly KnownPerson[];
  /** By their first word, or first Chinese character. */
  readonly #forms = new Map<string, Form[]>();

  constructor(people: readonly KnownPerson[]) {
    this.people = people;
    const spelled = new Map<string, string>();
    for (const { name } of people) spelled.set(plainOf(name), name);
    const owners = new Map<string, Set<string>>();
    const short = new Set<string>();
    const umlauts = new Set<string>();
    const own = (form: string, owner: string): void => {
      owners.set(form, (owners.get(form) ?? new Set()).add(owner));
    };
    const ownerOf = (name: string): string => spelled.get(plainOf(name)) ?? name;
    for (const { name, isGuessed, otherNames = [] } of people)
      for (const { plain, isOwn, hasUmlaut } of (isGuessed ? otherNames : [name, ...otherNames]).flatMap(partsOf)) {
        if (hasUmlaut && !owners.has(plain)) umlauts.add(plain);
        else if (!hasUmlaut) umlauts.delete(plain);
        own(plain, isOwn ? plain : ownerOf(name));
      }
    const told = new Set(owners.keys());
    for (const { name, isGuessed, nicknames = [] } of people) {
      const guessed = isGuessed ? [name, ...nicknames].flatMap(guessedParts) : [];
      for (const { plain, isOwn, hasUmlaut } of [...guessed, ...(isGuessed ? [] : nicknames.flatMap(partsOf))]) {
        if (hasUmlaut) continue;
        if (!told.has(plain)) short.add(plain);
        // A nickname is made up, so it gives way to a name; a name that was guessed does not.
        if (isGuessed || short.has(plain)) own(plain, isOwn ? plain : ownerOf(name));
      }
    }
    for (const [plain, of] of owners) {
      const words = wordsOf(plain);
      const [only] = of;
      const form: Form = {
        plain,
        words,
        // A name that two people bear tells neither: it is hidden as itself.
        identity: of.size === 1 && only !== undefined ? only : plain,
        word: wordToo(plain),
        isShort: short.has(plain),
        hasUmlaut: umlauts.has(plain),
      };
      const first = words[0];
      if (first === undefined) continue;
      const others = this.#forms.get(first);
      if (others) others.push(form);
      else this.#forms.set(first, [form]);
    }
  }

  /** Whom a name means that is known to be one, in whatever case it stands.
   * @param plain without case and accents */
  identityOf(plain: string): string | undefined {
    const words = wordsOf(plain);
    return this.#forms.get(words[0] ?? "")?.find((form) => form.words.join(" ") === words.join(" "))?.identity;
  }

  find(text: string): NameSpan[] {
    const { text: plain, original } = folded(text, { plain: true });
    const places = [...plain.matchAll(WORD)].map(
      ({ 0: word, index }): Place => ({ word, start: index, end: index + word.length }),
    );
    const spans: NameSpan[] = [];
    places.forEach((place, at) => {
      const add = (form: Form, last: Place, isInflected: boolean, isOwn: boolean): void => {
        const start = original(place.start);
        if (form.hasUmlaut && !/[äöü]/iu.test(text.slice(start, original(last.end)).normalize("NFC"))) return;
        const [before, after] = [places[at - 1]?.word ?? "", places[at + form.words.length]?.word ?? ""];
        if (/^\p{Ll}/u.test(text.slice(start, start + 2))) {
          if (form.isShort || (isInflected && (form.word || form.plain.length < 3))) return;
          const isPossessor = /^['’]s(?!\p{L})/u.test(plain.slice(last.end, last.end + 3));
          if (form.word && !isPossessor && !isCalled(before, after, form.word === "auxiliary")) return;
        }
        const [lead, trail] = compoundAround(plain, place.start, last.end);
        const isOther = isOwn || lead + trail > 0 || (isInflected && (HONORIFICS.test(before) || PLURAL.test(before)));
        const [from, to] = [place.start - lead, last.end + trail];
        spans.push({
          type: "PERSON",
          start: original(from),
          end: original(to),
          // "Holt-Jansen" is another name than Holt's.
          identity: isOther ? plain.slice(from, to) : form.identity,
          isInflected: isInflected && !isOwn,
        });
      };
      for (const form of this.#forms.get(place.word) ?? []) {
        const last = lastOf(form, places, at, plain);
        if (last) add(form, last.place, last.isInflected, false);
      }
      for (const stem of stemsOf(place.word))
        for (const form of this.#forms.get(stem.plain) ?? [])
          if (form.words.length === 1 && !(form.isShort && stem.plain.length < 4)) add(form, place, true, stem.isOwn);
    });
    return spans;
  }
}

/** Of a guess only what can hardly be a word. */
function guessedParts(name: string): NamePart[] {
  if (/\p{Script=Han}/u.test(name)) return [{ plain: plainOf(name) }];
  return partsOf(name).filter(({ plain }) => !isStopWord(plain));
}

/** Where a name ends whose first word stands at a place. */
function lastOf(
  { words }: Form,
  places: readonly Place[],
  at: number,
  plain: string,
): { readonly place: Place; readonly isInflected: boolean } | undefined {
  for (let k = 1; k < words.length; k++) {
    const [before, here] = [places[at + k - 1], places[at + k]];
    if (!before || !here || !GAP.test(plain.slice(before.end, here.start))) return undefined;
    if (here.word === words[k]) continue;
    const isForm = k === words.length - 1 && stemsOf(here.word).some((stem) => stem.plain === words[k] && !stem.isOwn);
    return isForm ? { place: here, isInflected: true } : undefined;
  }
  const place = places[at + words.length - 1];
  return place && { place, isInflected: false };
}

/** How many letters before and after a name belong to the same compound. */
function compoundAround(plain: string, start: number, end: number): readonly [lead: number, trail: number] {
  COMPOUND.lastIndex = end;
  const lead = BEFORE_COMPOUND.exec(plain.slice(Math.max(0, start - COMPOUND_REACH), start))?.[0] ?? "";
  return [lead.length, COMPOUND.exec(plain)?.[0].length ?? 0];
}
