/** `npm run eval -- scrub`: persons' names that the tagger finds, what it takes for one in clean sentences, and identifiers that leak. */

import { readFile } from "node:fs/promises";
import { allLocales } from "@faker-js/faker";
import { NameTagger } from "../../src/ltm/scrub/name-tagger.js";
import { findData } from "../find-data.js";
import { Figures } from "../lre/figures.js";
import type { EvalOptions } from "../options.js";
import type { Findings } from "../report.js";
import { lossesOf } from "./clean.js";
import { leaksOf, oddLeaksOf, SENTENCES } from "./identifiers.js";
import { namesInDialogues } from "./speakers.js";
import { TEMPLATES, UNLISTED } from "./templates.js";

const NAMES = 320;

export async function runScrub({ seed, data }: EvalOptions): Promise<Findings> {
  const figures = new Figures(seed);
  const tagger = await NameTagger.open(new Uint8Array(await readFile(new URL("../../workers/names.bin", import.meta.url))));
  let state = seed >>> 0 || 1;
  const pick = <T>(list: readonly T[]): T => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)] as T;
  };
  for (const locale of ["en", "de", "es", "zh"] as const) {
    const person = (locale === "zh" ? allLocales.zh_CN : allLocales[locale]).person;
    const given = strings(person?.first_name);
    const family = strings(person?.last_name);
    const listed = (): string =>
      locale === "zh" ? pick(family) + pick(given) : pick([0, 1]) === 0 ? pick(given) : `${pick(given)} ${pick(family)}`;
    figures.add(`scrub.names.${locale}`, sample(locale, listed));
    if (locale !== "zh") figures.add(`scrub.names.${locale}.lower`, sample(locale, listed, true));
    if (locale === "zh") continue;
    const rare = UNLISTED[locale].flatMap((names) => names.split(" "));
    const unlisted = (): string => {
      const at = Math.floor(pick([...rare.keys()]) / 2) * 2;
      return pick([0, 1]) === 0 ? (rare[at] as string) : `${rare[at]} ${rare[at + 1]}`;
    };
    figures.add(`scrub.names.${locale}.unlisted`, sample(locale, unlisted));
    if (locale === "en") figures.add("scrub.names.en.unlisted.lower", sample(locale, unlisted, true));
  }
  figures.add("scrub.clean.lost", lossesOf(tagger, data));
  for (const dataset of await findData(data))
    if (dataset.name === "locomo") {
      const found = await namesInDialogues(tagger, dataset);
      figures.add("scrub.locomo.speakers.found", found.speakers);
      figures.add("scrub.locomo.speakers.found.known", found.knownSpeakers);
      figures.add("scrub.locomo.gold.found", found.gold);
      figures.add("scrub.locomo.gold.found.known", found.knownGold);
    }
  const { counts, leaks } = leaksOf(seed);
  figures.set("scrub.identifiers.leaks", leaks.length);
  const odd = oddLeaksOf(seed);
  figures.set("scrub.identifiers.odd.leaks", odd.length);
  for (const [kind, count] of counts)
    figures.set(`scrub.identifiers.${kind}.hidden`, 1 - leaks.filter((leak) => leak.kind === kind).length / count);
  return {
    ...figures.findings,
    notes: [
      ...[...leaks, ...odd].map(({ kind, locale, sentence }) => `Leaked (${kind}, ${locale}): ${sentence}`),
      `${SENTENCES} sentences with an identifier of eleven kinds in five locales, made with faker: a leak is one of which a letter or digit stays.`,
      "Odd leaks: of as many sentences, each with another space, dash, unseen sign, width, case or grouping in the identifier.",
      "Of LoCoMo's speakers, and of all names that three conversations mention (read by hand, pets and nicknames too), each place counts; " +
        "known: the memory knows who speaks.",
      `${NAMES} names a row, in sentences that are kept from training; found is a name of which nothing is left. ` +
        "Listed names come from faker's lists, unlisted ones are made up or rare.",
    ],
  };

  /** For each name whether all of it was found. */
  function sample(locale: keyof typeof TEMPLATES, name: () => string, isLower = false): number[] {
    return Array.from({ length: NAMES }, () => {
      const template = pick(TEMPLATES[locale]);
      const start = template.indexOf("{N}");
      const chosen = name();
      const sentence = template.replace("{N}", () => chosen);
      const spans = tagger.find(isLower ? sentence.toLowerCase() : sentence);
      const covered = [...chosen].every(
        (character, at) => character === " " || spans.some((span) => span.start <= start + at && start + at < span.end),
      );
      return covered ? 1 : 0;
    });
  }
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}
