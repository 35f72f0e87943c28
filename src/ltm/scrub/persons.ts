/** Whom the names mean that stand in texts which are sent together: "Jonas Weber", "Jonas" and "Weber" are one person. */

import type { KnownPerson } from "./known-names.js";
import { HONORIFICS, plainOf, stemsOf, wordToo } from "./name-forms.js";

/** Shorter ones are too often a part of something else. */
const MIN_LENGTH = 4;
/** Nobody has more of them; a run of capitals may. */
const MAX_WORDS = 6;
const HAN = /\p{Script=Han}/u;

/** The people that the memory knows and those whose names were guessed. A shorter name is the longer one that holds it, where only one
 * does: two people never become one.
 * @param guessed as they stand in the texts */
export function peopleOf(known: readonly KnownPerson[], guessed: readonly string[]): readonly KnownPerson[] {
  const names = new Set(guessed.map(keyOf).filter(isSure));
  for (const key of names) if (isInflected(key, names)) names.delete(key);
  if (names.size === 0) return known;
  const holders = holdersOf([...names]);
  const people: KnownPerson[] = [];
  const shorter = new Map<string, KnownPerson[]>();
  const place = (person: KnownPerson, key: string): boolean => {
    const [holder, ...others] = holders.get(key) ?? [];
    if (holder === undefined || others.length > 0) return false;
    push(shorter, holder, person);
    return true;
  };
  for (const person of known) if (!place(person, keyOf(person.name))) people.push(person);
  const told = new Set(people.map(({ name }) => keyOf(name)));
  const guesses = [...names].filter((key) => !told.has(key) && !place({ name: nameOf(key), isGuessed: true }, key));
  for (const key of guesses) {
    const others = shorter.get(key) ?? [];
    people.push({
      name: nameOf(key),
      isGuessed: true,
      otherNames: others.filter(({ isGuessed }) => !isGuessed).flatMap(({ name, otherNames = [] }) => [name, ...otherNames]),
      nicknames: others.flatMap(({ name, isGuessed, nicknames = [] }) => (isGuessed ? [name, ...nicknames] : nicknames)),
    });
  }
  return people;
}

/** What is the same for all spellings of a name that nobody told. */
export function identityOf(name: string): string {
  return plainOf(name).replace(/\s+/gu, " ");
}

/** The words of a name without a title, or its Chinese characters. */
function keyOf(name: string): string {
  const plain = plainOf(name.trim());
  if (HAN.test(plain)) return [...plain.replace(/\s/gu, "")].join(" ");
  const words = plain.split(/\s+/u);
  return (words.length > 1 ? words.filter((word) => !HONORIFICS.test(word)) : words).join(" ");
}

function nameOf(key: string): string {
  return HAN.test(key) ? key.replaceAll(" ", "") : key;
}

/** A word alone that is a word too is a name only where it was found. */
function isSure(key: string): boolean {
  const words = key.split(" ").length;
  return (words > 1 && words <= MAX_WORDS) || (words === 1 && key.length >= MIN_LENGTH && wordToo(key) === undefined);
}

/** Whether a name is the genitive of another that was guessed. */
function isInflected(key: string, names: ReadonlySet<string>): boolean {
  const at = key.lastIndexOf(" ") + 1;
  return stemsOf(key.slice(at)).some((stem) => !stem.isOwn && names.has(key.slice(0, at) + stem.plain));
}

/** By each name within another, the longest that hold it. */
function holdersOf(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const name of names) {
    const words = name.split(" ");
    const within = new Set<string>();
    if (HAN.test(name)) {
      // A given name of two characters.
      for (let from = 1; from + 2 <= words.length; from++) within.add(words.slice(from).join(" "));
    } else {
      for (let from = 0; from < words.length; from++)
        for (let to = from + 1; to <= words.length; to++) within.add(words.slice(from, to).join(" "));
      within.add(`${words[0]} ${words.at(-1)}`);
    }
    within.delete(name);
    for (const part of within) push(holders, part, name);
  }
  for (const [part, of] of holders) {
    const longest = of.filter((name) => !holders.has(name));
    holders.set(part, longest.length > 0 ? longest : of);
  }
  return holders;
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
