/** Sentences with an identifier that has a form, in five locales, and whether anything of it would leave the device. */

import { base, de, en, en_GB, en_US, es, Faker, zh_CN } from "@faker-js/faker";
import { isChineseId, isGermanTaxId, isSpanishId } from "../../src/ltm/scrub/check-digits.js";
import { identitiesIn } from "../../src/ltm/scrub/identities.js";
import { KnownNames } from "../../src/ltm/scrub/known-names.js";
import { oddFormsOf } from "./odd-forms.js";

export const SENTENCES = 10_000;

const FAKERS = { "en-US": en_US, "en-GB": en_GB, "de-DE": de, "es-ES": es, "zh-CN": zh_CN } as const;
type LocaleName = keyof typeof FAKERS;

/** Where an identifier stands; those that only their cue tells have one. */
const FRAMES: Readonly<Record<string, readonly string[]>> = {
  en: [
    "{V}",
    "Please note {V} for later.",
    "It was {V}, I think.",
    "Use {V} from now on!",
    "Hi, {V} is the one that I mean.",
    "({V})",
  ],
  de: [
    "{V}",
    "Bitte merk dir {V} für später.",
    "Es war {V}, glaube ich.",
    "Nimm ab jetzt {V}!",
    "Hallo, ich meine {V}.",
    "({V})",
  ],
  es: ["{V}", "Apunta {V} para luego.", "Era {V}, creo.", "¡Usa {V} desde ahora!", "Hola, me refiero a {V}.", "({V})"],
  zh: ["{V}", "请记住{V}，以后要用。", "应该是{V}吧。", "从现在起用{V}！", "你好，我说的是 {V}。", "（{V}）"],
};
const CUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  phone: {
    en: ["My phone number is {V}.", "Call me at {V} tonight.", "Text {V} when you arrive.", "You can reach my mother at {V}."],
    de: ["Meine Nummer ist {V}.", "Ruf mich unter {V} an.", "Handy: {V}", "Telefonisch erreichst du mich unter {V}."],
    es: ["Mi número es {V}.", "Llámame al {V} esta noche.", "Mi móvil: {V}", "El teléfono de mi madre es {V}."],
    zh: ["我的电话是{V}。", "今晚打手机{V}找我。", "电话：{V}", "我妈妈的手机号码是{V}。"],
  },
  birthdate: {
    en: ["I was born on {V}.", "My date of birth is {V}.", "DOB: {V}"],
    de: ["Ich bin am {V} geboren.", "Mein Geburtsdatum ist {V}.", "geb. {V}"],
    es: ["Nací el {V}.", "Mi fecha de nacimiento es {V}."],
    zh: ["我出生于{V}。", "我的生日是{V}。", "出生日期：{V}"],
  },
  username: {
    en: ["My username is {V}.", "username: {V}", "Follow @{V} there."],
    de: ["Mein Benutzername ist {V}.", "Benutzername: {V}", "Folge @{V} dort."],
    es: ["Mi nombre de usuario es {V}.", "usuario: {V}", "Sigue a @{V}."],
    zh: ["我的用户名是{V}。", "用户名：{V}", "关注 @{V} 吧"],
  },
  // Eleven digits of Germany tell nobody what they are; of the others the form does.
  government: { de: ["Meine Steuer-ID ist {V}.", "Steuer-Identifikationsnummer: {V}", "Im Bescheid steht die Steuer-ID {V}."] },
  address: {
    en: ["I live at {V}.", "Send it to {V}, please.", "{V} is my address."],
    de: ["Ich wohne in der {V}.", "Meine Adresse: {V}", "Schick es an {V}, bitte."],
    es: ["Vivo en {V}.", "Mi dirección es {V}.", "Envíalo a {V}, por favor."],
    zh: ["我住在{V}。", "地址：{V}", "请寄到{V}。"],
  },
};

export interface Leak {
  readonly kind: string;
  readonly locale: LocaleName;
  readonly sentence: string;
}

export interface MadeSentence {
  readonly kind: string;
  readonly locale: LocaleName;
  readonly before: string;
  readonly value: string;
  readonly after: string;
}

/** The same for the same seed. */
export function* madeSentences(seed: number, count: number): Generator<MadeSentence> {
  const sources = (Object.keys(FAKERS) as LocaleName[]).map((locale, at) => {
    const faker = new Faker({ locale: [FAKERS[locale], en, base], seed: seed + at });
    return { locale, faker, kinds: Object.entries(identifiersOf(faker, locale)) };
  });
  for (let at = 0; at < count; at++) {
    const source = sources[at % sources.length];
    if (!source) continue;
    const { locale, faker, kinds } = source;
    const [kind, make] = faker.helpers.arrayElement(kinds);
    const value = make();
    const language = locale.slice(0, 2);
    const frame = faker.helpers.arrayElement(CUES[kind]?.[language] ?? FRAMES[language] ?? ["{V}"]);
    const [before = "", after = ""] = frame.split("{V}");
    yield { kind, locale, before, value, after };
  }
}

/** Whether no letter and no digit of a value stays.
 * @param value one of the ways to write it */
export function isHidden({ before, after }: MadeSentence, value: string): boolean {
  const spans = identitiesIn(before + value + after, NOBODY);
  let place = before.length;
  return [...value].every((character) => {
    const at = place;
    place += character.length;
    return !/[\p{L}\p{N}]/u.test(character) || spans.some((span) => span.start <= at && at < span.end);
  });
}

const NOBODY = new KnownNames([]);

/** @returns how many sentences of each kind there were, and those of which a letter or digit of the identifier stays */
export function leaksOf(seed: number): { readonly counts: ReadonlyMap<string, number>; readonly leaks: readonly Leak[] } {
  const counts = new Map<string, number>();
  const leaks: Leak[] = [];
  for (const made of madeSentences(seed, SENTENCES)) {
    const { kind, locale, before, value, after } = made;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (!isHidden(made, value)) leaks.push({ kind, locale, sentence: before + value + after });
  }
  return { counts, leaks };
}

/** Of as many sentences, what stays of the identifier in another form; each form in turn. */
export function oddLeaksOf(seed: number): readonly Leak[] {
  const leaks: Leak[] = [];
  let turn = 0;
  for (const made of madeSentences(seed, SENTENCES)) {
    const { kind, locale, before, value, after } = made;
    const forms = [...oddFormsOf(value, kind)];
    const [name, form] = forms[turn++ % forms.length] ?? ["", value];
    if (!isHidden(made, form)) leaks.push({ kind: `${kind}, ${name}`, locale, sentence: before + form + after });
  }
  return leaks;
}

function identifiersOf(faker: Faker, locale: LocaleName): Readonly<Record<string, () => string>> {
  const digits = (length: number): string => faker.string.numeric({ length, allowLeadingZeros: true });
  const checked = (head: () => string, tails: readonly string[], isSound: (text: string) => boolean): string => {
    for (;;) {
      const start = head();
      const tail = tails.find((one) => isSound(start + one));
      if (tail !== undefined) return start + tail;
    }
  };
  const country = { "en-US": "DE", "en-GB": "GB", "de-DE": "DE", "es-ES": "ES", "zh-CN": "FR" }[locale];
  const number = [..."0123456789"];
  const government: Readonly<Record<LocaleName, () => string>> = {
    "en-US": () =>
      `${faker.number.int({ min: 100, max: 665 })}-${faker.number.int({ min: 10, max: 99 })}-${faker.number.int({ min: 1000, max: 9999 })}`,
    "en-GB": () =>
      `${faker.helpers.arrayElement(["AB", "CE", "JK", "PR", "SX"])} ${digits(2)} ${digits(2)} ${digits(2)} ${faker.helpers.arrayElement(["A", "B", "C", "D"])}`,
    "de-DE": () => checked(() => faker.helpers.arrayElement(number.slice(1)) + digits(9), number, isGermanTaxId),
    "es-ES": () => checked(() => digits(8), [..."TRWAGMYFPDXBNJZSQVHLCKE"], isSpanishId),
    "zh-CN": () => {
      const born = faker.date.birthdate({ mode: "age", min: 18, max: 80 }).toISOString().slice(0, 10).replaceAll("-", "");
      return checked(
        () => `${faker.number.int({ min: 110_000, max: 659_000 })}${born}${digits(3)}`,
        [...number, "X"],
        isChineseId,
      );
    },
  };
  return {
    email: () => faker.internet.email(),
    phone: () =>
      locale === "zh-CN"
        ? `1${faker.helpers.arrayElement([..."3456789"])}${digits(9)}`
        : faker.phone.number({ style: faker.helpers.arrayElement(["national", "international", "human"] as const) }),
    iban: () => faker.finance.iban({ formatted: faker.datatype.boolean(), countryCode: country }),
    card: () =>
      faker.finance.creditCardNumber({ issuer: faker.helpers.arrayElement(["visa", "mastercard", "american_express"]) }),
    ip: () => (faker.datatype.boolean() ? faker.internet.ipv4() : faker.internet.ipv6()),
    url: () =>
      faker.helpers.arrayElement([
        () => `https://github.com/${faker.internet.username()}`,
        () => `https://${faker.internet.domainName()}/users/${faker.internet.username()}`,
        () => `https://${faker.internet.domainName()}/account?email=${faker.internet.email()}`,
      ])(),
    key: () =>
      faker.helpers.arrayElement([
        () => `sk-${faker.string.alphanumeric(40)}`,
        () => `ghp_${faker.string.alphanumeric(36)}`,
        () => `AKIA${faker.string.alphanumeric({ length: 16, casing: "upper" })}`,
      ])(),
    birthdate: () => {
      const born = faker.date.birthdate();
      const language = locale === "en-US" ? "en-US" : locale;
      return new Intl.DateTimeFormat(language, {
        dateStyle: faker.helpers.arrayElement(locale === "zh-CN" ? (["long"] as const) : (["long", "short"] as const)),
        timeZone: "UTC",
      }).format(born);
    },
    username: () => faker.internet.username(),
    government: () => government[locale](),
    address: () => addressOf(faker, locale),
  };
}

/** As people of the country write it: faker's own forms mix countries. */
function addressOf(faker: Faker, locale: LocaleName): string {
  const { location } = faker;
  const house = faker.number.int({ min: 1, max: 250 });
  switch (locale) {
    case "en-US":
      return `${location.streetAddress()}, ${location.city()}, ${location.state({ abbreviated: true })} ${location.zipCode("#####")}`;
    case "en-GB":
      return `${house} ${location.street()}, ${location.city()} ${faker.helpers.fromRegExp("[A-HJ-N][1-9] [1-9][A-Z]{2}")}`;
    case "de-DE":
      return `${location.street()} ${house}, ${location.zipCode("#####")} ${location.city()}`;
    case "es-ES":
      return `${location.street()} ${house}, ${location.zipCode("#####")} ${location.city()}`;
    case "zh-CN":
      return `${location.state()}${location.city()}${faker.person.lastName()}${faker.helpers.arrayElement(["家", "山", "河", "园"])}${faker.helpers.arrayElement(["路", "街", "大道"])}${house}号`;
  }
}
