/** How Spanish speaks of time. Loaded only when asked for. */

import { DAY } from "./calendar.js";
import type { Reference, Rule, Season, Shift, Span, Tense, TimeGrammar, Unit } from "./time-span.js";
import {
  ago,
  calendarDay,
  day,
  dayRange,
  isoLabel,
  lasting,
  month,
  seasonNear,
  seasonOf,
  week,
  weekday,
  weekend,
  year,
  yearOfDay,
  yearOfMonth,
} from "./time-span.js";

const MONTH = "(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)";
const WEEKDAY = "(lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo)";
const COUNT =
  "(\\d{1,3}|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|un par de|unos|unas|varios|varias|medio)";
const UNIT = "(hora|día|dia|semana|mes|año)(?:es|s)?";
const SEASON = "(primavera|verano|otoño|invierno)";
const YEAR = "(1[89]\\d\\d|20\\d\\d)";
const PERIOD = "(semana|fin de semana|finde|mes|año|noche)";
const LAST = "(pasad[oa]|anterior|próxim[oa]|proxim[oa]|que viene|que entra)";
const START = "(?<![\\p{L}\\d])";
const END = "(?![\\p{L}\\d])";

const MONTHS = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];
const WEEKDAYS = ["lu", "ma", "mi", "ju", "vi", "sá", "do"];
// biome-ignore format: a table
const COUNTS: Readonly<Record<string, number>> = {
  un: 1, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, nueve: 9, diez: 10, once: 11, doce: 12,
  "un par de": 2, unos: 3, unas: 3, varios: 4, varias: 4, medio: 0.5,
};
const UNITS: Readonly<Record<string, Unit>> = { hora: "hour", día: "day", dia: "day", semana: "week", mes: "month", año: "year" };
const SEASONS: Readonly<Record<string, Season>> = { primavera: "spring", verano: "summer", otoño: "autumn", invierno: "winter" };

const lower = (text: string | undefined): string => (text ?? "").toLowerCase();
const countOf = (text: string | undefined): number => COUNTS[lower(text)] ?? Number(text);
const monthOf = (text: string | undefined): number => MONTHS.indexOf(lower(text).replace("set", "sep").slice(0, 3)) + 1;
const weekdayNumber = (text: string | undefined): number => WEEKDAYS.indexOf(lower(text).replace("sab", "sáb").slice(0, 2));
const unitOf = (text: string | undefined): Unit => UNITS[lower(text)] ?? "day";
const shiftOf = (text: string | undefined): Shift =>
  /pasad|anterior/u.test(lower(text)) ? -1 : /pr[óo]xim|viene|entra/u.test(lower(text)) ? 1 : 0;
const pattern = (source: string): RegExp => new RegExp(`${START}(?:${source})${END}`, "giu");
const days =
  (back: number) =>
  (_match: RegExpExecArray, reference: Reference): Span =>
    day(reference.today - back * DAY);

function named(word: string, shift: Shift, reference: Reference, tense: Tense): Span {
  if (word === "semana") return week(reference, shift, tense);
  if (word === "fin de semana" || word === "finde") return weekend(reference, shift, tense);
  if (word === "mes") return month(reference.year, reference.month + shift);
  if (word === "año") return year(reference.year + shift);
  if (word === "noche") return day(reference.today + shift * DAY);
  if (word in SEASONS) return seasonNear(reference, SEASONS[word] ?? "summer", shift, tense);
  return weekday(reference, weekdayNumber(word), shift, tense);
}

const NAMED = `${PERIOD.slice(1, -1)}|${WEEKDAY.slice(1, -1)}|${SEASON.slice(1, -1)}`;

const RULES: readonly Rule[] = [
  {
    pattern: pattern("(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{4})"),
    resolve: (match) => calendarDay(Number(match[3]), Number(match[2]), Number(match[1])),
  },
  {
    pattern: pattern(`(?:el )?(\\d{1,2})(?:\\s?(?:-|–|al|a)\\s?(\\d{1,2}))? de ${MONTH}(?: (?:de|del) ${YEAR})?`),
    resolve: (match, reference, tense) => {
      const first = Number(match[1]);
      const value = match[4] === undefined ? yearOfDay(reference, monthOf(match[3]), first, tense()) : Number(match[4]);
      return dayRange(value, monthOf(match[3]), first, Number(match[2] ?? first));
    },
  },
  {
    pattern: pattern(
      `(?:en|desde|a principios de|a finales de|a mediados de|hasta) ${MONTH}(?: ${LAST}| (?:de|del) ${YEAR})?|${MONTH} (?:de|del) ${YEAR}`,
    ),
    resolve: (match, reference, tense) => {
      const name = monthOf(match[1] ?? match[4]);
      const told = shiftOf(match[2]) > 0 ? "future" : shiftOf(match[2]) < 0 ? "past" : tense();
      const value = match[3] ?? match[5];
      return month(value === undefined ? yearOfMonth(reference, name, told) : Number(value), name);
    },
  },
  {
    pattern: pattern(`(?:en el )?${SEASON} (?:de|del) ${YEAR}`),
    resolve: (match) => seasonOf(Number(match[2]), SEASONS[lower(match[1])] ?? "summer"),
  },
  {
    pattern: pattern(`(?:el |la |en el |en la )?(${NAMED}) ${LAST}`),
    resolve: (match, reference, tense) => named(lower(match[1]), shiftOf(match[2]), reference, tense()),
  },
  {
    pattern: pattern(`(?:el |la )?(pasad[oa]|próxim[oa]|proxim[oa]|est[ea]) (${NAMED})`),
    resolve: (match, reference, tense) => named(lower(match[2]), shiftOf(match[1]), reference, tense()),
  },
  { pattern: pattern(`(?:en|desde|hasta|del año|en el año) ${YEAR}`), resolve: (match) => year(Number(match[1])) },
  {
    pattern: pattern(`hace (?:unos |unas |casi |como )?${COUNT} ${UNIT}`),
    resolve: (match, reference) => ago(reference, countOf(match[1]), unitOf(match[2])),
  },
  {
    pattern: pattern(`(?:dentro de|en) ${COUNT} (día|dia|semana|mes|año)(?:es|s)?`),
    resolve: (match, reference, tense) => (tense() === "past" ? undefined : ago(reference, -countOf(match[1]), unitOf(match[2]))),
  },
  {
    pattern: pattern(`(?:en )?(?:los|las) (últimos|últimas|próximos|próximas) ${COUNT} ${UNIT}`),
    resolve: (match, reference) =>
      lasting(reference, countOf(match[2]) * (lower(match[1]).startsWith("p") ? -1 : 1), unitOf(match[3])),
  },
  { pattern: pattern("anteayer|antier|antes de ayer"), resolve: days(2) },
  { pattern: pattern("ayer(?: por la (?:mañana|tarde|noche))?|anoche"), resolve: days(1) },
  { pattern: pattern("hoy|esta (?:mañana|tarde|noche)"), resolve: days(0) },
  { pattern: pattern("pasado mañana"), resolve: days(-2) },
  { pattern: pattern("(?<!(?:la|una|esa|cada|de la|media) )mañana(?: por la (?:mañana|tarde|noche))?"), resolve: days(-1) },
  {
    pattern: pattern("el otro día"),
    resolve: (_match, reference) => ({
      from: reference.now - 7 * DAY,
      to: reference.now,
      label: { grain: "around", wall: reference.today - 3 * DAY },
    }),
  },
  {
    pattern: pattern(`el ${WEEKDAY}`),
    resolve: (match, reference, tense) =>
      weekday(reference, weekdayNumber(match[1]), 0, tense() === "future" ? "future" : "past"),
  },
];

export const spanish: TimeGrammar = {
  language: "es",
  hint: /ayer|antier|anoche|hoy|mañana|hace|semana|finde|mes\b|meses|año|d[íi]as?\b|noche|tarde|enero|febrero|marzo|abril|mayo|junio|julio|agosto|tiembre|octubre|noviembre|diciembre|primavera|verano|otoño|invierno|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|\d{4}/iu,
  rules: RULES,
  rangeJoin: /^\s*(?:-|–|al?|hasta(?: el)?|y(?: el)?)\s*$/iu,
  pastCue:
    /(?<!\p{L})(?:fui|fue|fuimos|fueron|era|estaba|estuve|estuvo|tuve|tuvo|hice|hizo|dije|dijo|vi|vimos|compré|\p{L}{2,}(?:é|ó|aron|ieron|amos|imos|aba|aban|ía|ían)|he|ha|hemos|han)(?!\p{L})/iu,
  futureCue:
    /(?<!\p{L})(?:voy a|vas a|va a|vamos a|van a|\p{L}{3,}(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos)|quiero|queremos|planeo|pienso|cita|tengo que|empiezo|empieza|viajo|salgo|llega)(?!\p{L})/iu,
  labelText: isoLabel,
};
