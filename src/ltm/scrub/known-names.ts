/** Names of persons that the memory knows: speakers, people it has entries about, their nicknames. */

import { ENGLISH_STOP_WORDS } from "../../text/stopwords.js";
import { folded } from "./folded.js";
import type { IdentitySpan } from "./span.js";

export interface KnownPerson {
  /** As the memory spells it, in full where it is known in full. */
  readonly name: string;
  /** Nicknames and other spellings. */
  readonly otherNames?: readonly string[];
  /** Short forms, which count only where the text writes them as a name. */
  readonly nicknames?: readonly string[];
}

/** Given names that are words too: alone and in lower case they are taken for the word. */
const WORDS_TOO = new Set(
  "will mark may rose hope grace faith joy june april august summer dawn art bill rich chase jack pat sue ray rob drew frank grant guy dean jordan ivy lily olive daisy ruby pearl amber carol holly heather robin jay king prince price young long white black brown green gray grey stone wood woods hill field rivers love best day page cook baker smith miller mason hunter carter taylor sky star bear wolf fox".split(
    " ",
  ),
);
const PARTICLES = new Set("von van de der den del la le el da do dos di du of the and y zu".split(" "));
const HONORIFICS = /^(?:mr|mrs|ms|miss|dr|prof|sir|herr|frau|señor|señora|sr|sra|don|doña)\.?$/i;

const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
const FIRST = new RegExp(WORD.source, "u");
const COMPOUND = /-\p{L}+/uy;

interface Form {
  readonly plain: string;
  readonly identity: string;
  /** Counts only where the text writes it as a name. */
  readonly capitalised: boolean;
}

export class KnownNames {
  /** By their first word, or first Chinese character; the longest first. */
  readonly #forms = new Map<string, Form[]>();

  constructor(people: readonly KnownPerson[]) {
    const spelled = new Map<string, string>();
    for (const { name } of people) spelled.set(folded(name, { plain: true }).text, name);
    const owners = new Map<string, Set<string>>();
    const short = new Set<string>();
    const ownerOf = (name: string): string => spelled.get(folded(name, { plain: true }).text) ?? name;
    for (const { name, otherNames = [] } of people) {
      const owner = ownerOf(name);
      for (const form of [name, ...otherNames].flatMap(partsOf)) owners.set(form, (owners.get(form) ?? new Set()).add(owner));
    }
    for (const { name, nicknames = [] } of people)
      for (const form of nicknames.flatMap(partsOf)) {
        if (!owners.has(form)) short.add(form);
        if (short.has(form)) owners.set(form, (owners.get(form) ?? new Set()).add(ownerOf(name)));
      }
    const forms = [...owners]
      .map(([plain, of]): Form => {
        const [only] = of;
        // A name that two people bear tells neither: it is hidden as itself.
        const identity = of.size === 1 && only !== undefined ? only : plain;
        return { plain, identity, capitalised: short.has(plain) || WORDS_TOO.has(plain) || ENGLISH_STOP_WORDS.has(plain) };
      })
      .sort((a, b) => b.plain.length - a.plain.length);
    for (const form of forms) {
      const first = FIRST.exec(form.plain)?.[0] ?? "";
      const others = this.#forms.get(first);
      if (others) others.push(form);
      else this.#forms.set(first, [form]);
    }
  }

  find(text: string): IdentitySpan[] {
    const { text: plain, original } = folded(text, { plain: true });
    const spans: IdentitySpan[] = [];
    for (const { 0: word, index } of plain.matchAll(WORD)) {
      for (const form of this.#forms.get(word) ?? []) {
        const at = index - leadOf(form.plain);
        const end = at + form.plain.length;
        if (!plain.startsWith(form.plain, at) || !isWhole(plain, at, end)) continue;
        const start = original(at);
        if (form.capitalised && !/^\p{Lu}/u.test(text.slice(start, start + 2))) continue;
        COMPOUND.lastIndex = end;
        const compound = COMPOUND.exec(plain)?.[0] ?? "";
        spans.push({
          type: "PERSON",
          start,
          end: original(end + compound.length),
          // "Holt-Jansen" is another name than Holt's.
          identity: compound === "" ? form.identity : form.plain + compound,
        });
      }
    }
    return spans;
  }
}

/** A name and each word of it that names alone. */
function partsOf(name: string): string[] {
  const plain = folded(name.trim(), { plain: true }).text;
  const words = plain.split(/\s+/u).filter((word) => !HONORIFICS.test(word));
  const full = words.join(" ");
  if (/\p{Script=Han}/u.test(plain)) return [plain.replace(/\s/gu, "")].filter((form) => form.length > 1);
  const alone =
    words.length > 1 ? words.filter((word) => word.length > 2 && !PARTICLES.has(word) && !/^\p{L}\.$/u.test(word)) : [];
  return [...new Set([full, ...alone])].filter((form) => form.length > 1);
}

function isWhole(text: string, start: number, end: number): boolean {
  if (/\p{Script=Han}/u.test(text.slice(start, end))) return true;
  return !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2));
}

/** What stands before a name's first word, as a quotation mark. */
function leadOf(name: string): number {
  return FIRST.exec(name)?.index ?? 0;
}
