/** Makes the sentences that the tagger learns from: own templates and real sentences with names put in. */

import { readFileSync } from "node:fs";
import { LATIN, type Locale } from "./inputs.js";
import { ALSO_WORDS, AMBIGUOUS, BRANDS, CALENDAR, CAPITALISED, GERMAN, type Pools } from "./pools.js";

export interface Sentence {
  readonly text: string;
  readonly locale: Locale;
  readonly names: readonly (readonly [start: number, end: number])[];
}

/** Numbers from 0 to below 1 (xorshift). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

interface Templates {
  readonly slots: Readonly<Record<string, readonly string[]>>;
  readonly named: readonly string[];
  readonly nameless: readonly string[];
}

const OPEN = "\u0001";
const CLOSE = "\u0002";
const MARKED = new RegExp(`${OPEN}[^${CLOSE}]*${CLOSE}`, "g");
const FIRST_LETTER = new RegExp(`^([${OPEN}¿¡]*)(\\p{Ll})`, "u");
const CALLS: Readonly<Record<(typeof LATIN)[number], readonly string[]>> = {
  en: "Hey|Hi|Thanks|Hello|Ok|Thank you|Wow|Yeah|Yes|No|Oh|Sure|Great|Cool|Awesome|Congrats|Sorry|Bye|Good morning|Absolutely|Well|Right|Haha|Nice|Please|Listen|Look|So|And|But".split(
    "|",
  ),
  de: "Hallo|Hey|Hi|Danke|Na|Moin|Servus|Ja|Nein|Klar|Ach|Oh|Super|Genau|Stimmt|Sorry|Tschüss|Guten Morgen|Okay|Mensch|Bitte|Du|Komm|Toll|Und|Also|Gute Nacht".split(
    "|",
  ),
  es: "Hola|Oye|Gracias|Sí|No|Claro|Ay|Oh|Vale|Genial|Perdón|Adiós|Buenos días|Bueno|Mira|Por favor|Venga|Vaya|Felicidades|Buenas noches|Hombre|Pues|Y".split(
    "|",
  ),
};
const PHRASE: Readonly<Record<Locale, RegExp>> = {
  en: /\b(?:the|my|a|an|our|this|his|her|some|your) [a-z]{3,}(?= (?:is|was|has|had|and|or|to|in|at|on|for|with|that|who|will|would|could|can|about|if|when|because|so|but|did|does|just|really|said|wants?|needs?|likes?|gave|got|told|came|went|made)\b|[.,?!:;]|$)|\b(?:him|her)\b(?= (?:to|about|that|for|at|on|in|if|with)\b|[.,?!])|\b(?:someone|somebody|everyone|friends|family)\b/gi,
  de: /\b(?:der|die|das|dem|den|mein|meine|meiner|meinem|dein|deine|ein|eine|einen|einem|einer|Ihr|Ihre) \p{Lu}[\p{L}-]{2,}(?= \p{Ll}|[.,?!:;]|$)/giu,
  es: /(?<!\p{L})(?:el|la|los|las|un|una|mi|tu|su|este|esta|mis) \p{Ll}{3,}(?= (?:es|está|ha|se|y|o|a|en|con|para|por|que|no|si|fue|tiene|puede|me|te|lo|le|como)(?!\p{L})|[.,?!:;]|$)/giu,
  zh: /(?:他|她|你|您|我|用户|自己|大家)(?![们家己国])/g,
};

/** @param share of the sentences that a whole training has */
export function trainingSentences(pools: Pools, random: () => number, share: number): Sentence[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const result: Sentence[] = [];
  const latin = (locale: (typeof LATIN)[number]): string => latinName(pools, locale, random, pick);
  const nameOf = (locale: Locale): string =>
    locale === "zh" ? (random() < 0.08 ? (latin("en").split(" ")[0] ?? "") : chineseName(pools, random, pick)) : latin(locale);
  const marked = (locale: Locale): string => OPEN + nameOf(locale) + CLOSE;
  const push = (text: string, locale: Locale): void => {
    result.push(unmarked(cased(text, locale, random()), locale));
  };
  const put = (text: string, locale: Locale): string | undefined => {
    const places = [...text.matchAll(PHRASE[locale])];
    if (places.length === 0) return undefined;
    const { index, 0: phrase } = pick(places);
    return text.slice(0, index) + marked(locale) + text.slice(index + phrase.length);
  };
  const call = (text: string, locale: (typeof LATIN)[number]): string =>
    random() < 0.7
      ? (random() < 0.3 ? "" : pick(CALLS[locale]) + (random() < 0.3 ? ", " : " ")) +
        marked(locale) +
        pick([", ", "! ", " "]) +
        text
      : text.replace(/[.!?]?$/, (end) => `, ${marked(locale)}${end}`);

  const carriers = pools.users.flatMap((text) => carrier(text, pools) ?? []);
  for (let k = 0; k < share * 70_000; k++) {
    const text = pick(carriers).replaceAll("\u0003", () => marked("en"));
    const r = random();
    push((r < 0.45 ? put(text, "en") : r < 0.56 ? call(text, "en") : undefined) ?? text, "en");
  }
  for (const locale of [...LATIN, "zh"] as const) {
    const file = new URL(`./carriers/${locale}.json`, import.meta.url);
    const { slots, named, nameless } = JSON.parse(readFileSync(file, "utf8")) as Templates;
    const fill = (template: string, name = () => marked(locale)): string =>
      template.replace(/\{(\w)\}/g, (_, slot: string) => (slot === "N" ? name() : pick(slots[slot] ?? [""])));
    const words = (
      locale === "zh" ? pools.chinese.words.slice(0, 12_000).map(({ word }) => word) : pools.ranked[locale].slice(300, 15_000)
    ).filter((word) => (locale === "zh" ? word.length > 1 : word.length > 3) && !pools.allGiven.has(word));
    const noName = (): string => {
      if (locale === "zh") return pick(words);
      if (random() < 0.3) return pick(pools.places);
      const word = pick(words);
      return random() < (locale === "de" ? 0.7 : 0.25) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    };
    const stop = locale === "zh" ? "。" : ". ";
    for (let k = 0; k < share * 26_000; k++) {
      let text = fill(pick(named));
      if (random() < 0.3) text += stop + fill(pick(random() < 0.5 ? nameless : named));
      push(text, locale);
    }
    for (let k = 0; k < share * 14_000; k++) push(fill(pick(nameless)), locale);
    for (let k = 0; k < share * 9_000; k++) push(fill(pick(named), noName), locale);
    const lines = pools.text[locale];
    for (let k = 0; k < share * 18_000; k++) {
      const text = pick(lines);
      const r = random();
      push((r < 0.5 ? put(text, locale) : undefined) ?? (locale !== "zh" && r < 0.6 ? call(text, locale) : text), locale);
    }
  }
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other] as Sentence, result[at] as Sentence];
  }
  return result;
}

/** A real sentence, its names taken out; none where it may hold one that cannot be told. */
function carrier(text: string, pools: Pools): string | undefined {
  let isUnsure = false;
  const result = text.replace(
    /(?<![\p{L}.])(\p{Lu}[\p{L}-]+)((?: \p{Lu}[\p{L}-]*\.?)*)/gu,
    (all, first: string, rest: string) => {
      const isName = (word: string): boolean =>
        pools.allGiven.has(word) &&
        !AMBIGUOUS.has(word) &&
        !ALSO_WORDS.has(word) &&
        !CAPITALISED.has(word) &&
        !CALENDAR.has(word) &&
        !BRANDS.has(word) &&
        !pools.top.has(word);
      const others = rest.trim().split(" ").filter(Boolean);
      if (!isName(first.toLowerCase())) {
        if (others.some((word) => isName(word.toLowerCase()))) isUnsure = true;
        return all;
      }
      if (
        others.length > 2 ||
        others.some((word) => pools.top.has(word.toLowerCase()) && !pools.allFamily.has(word.toLowerCase()))
      )
        isUnsure = true;
      return "\u0003";
    },
  );
  return isUnsure ? undefined : result;
}

function cased(text: string, locale: Locale, r: number): string {
  if (r < 0.24) return text.toLowerCase();
  if (r < 0.27) return text.toUpperCase();
  if (r < 0.37) return text.replace(MARKED, (name) => name.toLowerCase());
  if (r < 0.87 && locale !== "zh")
    return text.replace(FIRST_LETTER, (_, before: string, letter: string) => before + letter.toUpperCase());
  return text;
}

function unmarked(marked: string, locale: Locale): Sentence {
  const names: [number, number][] = [];
  let text = "";
  let start = 0;
  for (const character of marked) {
    if (character === OPEN) start = text.length;
    else if (character === CLOSE) names.push([start, text.length]);
    else text += character;
  }
  return { text, locale, names };
}

type Pick = <T>(list: readonly T[]) => T;
/** Shares of German names that are made of their parts. */
const MADE = { given: 0.2, family: 0.4 } as const;

export function germanName(kind: keyof typeof GERMAN, pick: Pick): string {
  const [heads, tails] = GERMAN[kind];
  return pick(heads) + pick(tails);
}

const INITIALS = "ABCDEFGHJKLMNPRSTW".split("");

function latinName(pools: Pools, locale: (typeof LATIN)[number], random: () => number, pick: Pick): string {
  const own = random() < 0.65 ? pools.ofLocale[locale] : pools;
  const made = (kind: keyof typeof GERMAN): string => germanName(kind, pick);
  const given = (): string => {
    if (random() < 0.06) return pick(pools.wordNames);
    if (locale === "de" && random() < MADE.given) return made("given");
    return pick(random() < 0.9 ? own.given : pools.given);
  };
  const family = (): string => (locale === "de" && random() < MADE.family ? made("family") : pick(own.family));
  const r = random();
  if (r < 0.5) return given();
  if (r < 0.8) return `${given()} ${family()}`;
  if (r < 0.84) return `${given()} ${pick(INITIALS)}.${random() < 0.7 ? ` ${family()}` : ""}`;
  if (r < 0.89) return locale === "es" ? `${given()} ${family()} ${family()}` : `${given()} ${given()}`;
  if (r < 0.92) return `${given()}-${given()}`;
  if (r < 0.94) return `${given()} ${family()}-${family()}`;
  if (r < 0.96)
    return `${given()} ${pick({ en: ["van", "de", "von"], de: ["von", "zu", "van"], es: ["de", "de la", "del"] }[locale])} ${family()}`;
  return r < 0.98 ? family() : `${pick(INITIALS)}. ${family()}`;
}

const PET = ["小", "老", "阿", "大"];

function chineseName({ chinese }: Pools, random: () => number, pick: Pick): string {
  const skewed = <T>(list: readonly T[], power: number): T => list[Math.floor(random() ** power * list.length)] as T;
  const family = (): string => {
    const r = random();
    return r < 0.03 ? pick(chinese.doubleFamily) : r < 0.13 ? pick(chinese.rareFamily) : skewed(chinese.family, 1.7);
  };
  const character = (): string => skewed(chinese.givenCharacters, 1.6);
  const given = (): string => {
    if (random() >= 0.55)
      for (let k = 0; k < 20; k++) {
        const name = random() < 0.25 ? character() : character() + character();
        if (chinese.isOwn(name)) return name;
      }
    return pick(chinese.given);
  };
  const r = random();
  if (r < 0.66) return family() + given();
  if (r < 0.78) {
    const name = given();
    if (name.length === 2) return name;
  }
  if (r < 0.86) return pick(PET) + (random() < 0.5 ? family().charAt(0) : character());
  if (r < 0.89) return character().repeat(2);
  if (r < 0.91) return `阿${character()}`;
  if (r < 0.95) return pick(chinese.foreign) + (random() < 0.2 ? `·${pick(chinese.foreign)}` : "");
  return r < 0.97 ? pick(PET) + family().charAt(0) : family() + pick(["哥", "姐", "总", "叔", "姨"]);
}
