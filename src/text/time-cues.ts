/** Tells by a few words which time grammars a text needs, so that only those are loaded. */

import { loadTimeLanguages, type TimeLanguage } from "./time.js";

/** Characters that are looked at. */
const READ = 4_000;

const CUES: readonly (readonly [TimeLanguage, RegExp])[] = [
  ["zh", /\p{Script=Han}/u],
  [
    "de",
    /(?<!\p{L})(?:heute|gestern|vorgestern|morgen|übermorgen|letzte[nmrs]?|vorige[nmrs]?|nächste[nmrs]?|kommende[nmrs]?|vor (?:\p{L}+|\d+) (?:tag|woche|monat|jahr)\p{L}*|jänner|januar|februar|märz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|sommer|herbst|frühling|frühjahr)(?!\p{L})/iu,
  ],
  [
    "es",
    /(?<!\p{L})(?:hoy|ayer|anteayer|anoche|mañana|hace (?:\p{L}+|\d+)|pasad[oa]s?|próxim[oa]s?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|verano|invierno|otoño|primavera)(?!\p{L})/iu,
  ],
];

const loaded = new Set<TimeLanguage>();

/** Loads what {@link timeMentions} needs for these texts; free once a language is there.
 * @throws what the import of a chunk throws when it cannot be fetched; English and what was loaded go on working */
export async function loadTimeLanguagesOf(texts: Iterable<string>): Promise<void> {
  const missing = CUES.filter(([language]) => !loaded.has(language));
  if (missing.length === 0) return;
  const needed = new Set<TimeLanguage>();
  for (const text of texts) {
    const read = text.slice(0, READ);
    for (const [language, cue] of missing) if (!needed.has(language) && cue.test(read)) needed.add(language);
    if (needed.size === missing.length) break;
  }
  if (needed.size === 0) return;
  await loadTimeLanguages([...needed]);
  for (const language of needed) loaded.add(language);
}
