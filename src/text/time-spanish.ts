/** How Spanish speaks of time. Loaded only when asked for. */

import { DAY } from "./calendar.js";
import type { Reference, Rule, Season, Shift, Span, Tense, TenseCues, TimeGrammar, Unit } from "./time-span.js";
import {
  ago,
  calendarDay,
  day,
  dayRange,
  isoLabel,
  lasting,
  month,
  rounded,
  seasonNear,
  seasonOf,
  week,
  weekend,
  year,
  yearOfDay,
  yearOfMonth,
} from "./time-span.js";
import { weekday, weekdayOn } from "./time-weekday.js";

const MONTH = "(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)";
const WEEKDAY = "(lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo)";
/** "El sábado" before a date says nothing more. */
const WEEKDAY_LEAD = WEEKDAY.replace("(", "(?:");
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
  // "El próximo viernes" is the coming one, unless that would be called "mañana".
  if (shift > 0 && (weekdayNumber(word) - reference.weekday + 7) % 7 === 1) return day(reference.today + 8 * DAY);
  return weekday(reference, weekdayNumber(word), shift, tense);
}

const NAMED = `${PERIOD.slice(1, -1)}|${WEEKDAY.slice(1, -1)}|${SEASON.slice(1, -1)}`;

const RULES: readonly Rule[] = [
  {
    pattern: pattern("(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{4})"),
    resolve: (match) => calendarDay(Number(match[3]), Number(match[2]), Number(match[1])),
  },
  {
    pattern: pattern(
      `(?:(?:el )?${WEEKDAY_LEAD},? )?(?:el )?(\\d{1,2})(?:\\s?(?:-|–|al|a)\\s?(\\d{1,2}))? de ${MONTH}(?: (?:de|del) ${YEAR})?`,
    ),
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
    settled: true,
    resolve: (match, reference, tense) => named(lower(match[1]), shiftOf(match[2]), reference, tense()),
  },
  {
    pattern: pattern(`(?:el |la )?(pasad[oa]|próxim[oa]|proxim[oa]|est[ea]) (${NAMED})`),
    settled: true,
    resolve: (match, reference, tense) => named(lower(match[2]), shiftOf(match[1]), reference, tense()),
  },
  { pattern: pattern(`(?:en|desde|hasta|del año|en el año) ${YEAR}`), resolve: (match) => year(Number(match[1])) },
  {
    pattern: pattern(`hace (?:unos |unas |casi |como )?${COUNT} ${UNIT}`),
    resolve: (match, reference) => {
      const span = ago(reference, countOf(match[1]), unitOf(match[2]));
      return /^(?:un par|unos|unas|vari)/iu.test(match[1] ?? "") ? rounded(span) : span;
    },
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
    pattern: pattern(`(?:el )?${WEEKDAY},? (?:el )?(?:día )?(\\d{1,2})(?! ?(?:h|horas?|de la)(?!\\p{L}))`),
    resolve: (match, reference, tense) => weekdayOn(reference, weekdayNumber(match[1]), Number(match[2]), tense()),
  },
  {
    pattern: pattern(`el ${WEEKDAY}`),
    resolve: (match, reference, tense) =>
      weekday(reference, weekdayNumber(match[1]), 0, tense() === "future" ? "future" : "past"),
  },
];

const tensePattern = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, "giu");

const TENSE: TenseCues = {
  past: tensePattern(
    "fui|fue|fuimos|fueron|era|estuve|estuvo|tuve|tuvo|hice|hizo|dije|dijo|vi|vimos|vine|vino|puse|puso|(?!(?:cafés?|bebé|qué|josé|estamos|(?:\\p{L}+)ré)(?!\\p{L}))\\p{L}{2,}(?:é|ó|aron|ieron|amos|imos|aba|aban|ía|ían)|he|ha|hemos|han",
  ),
  future: tensePattern(
    "voy a|vas a|va a|vamos a|van a|\\p{L}{3,}(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos)|será|quier[oe]|queremos|planeo|pienso|(?:tengo|tiene|tenemos|tienen|hay) que|deb[oe]|puedo|puede|empie(?:zo|za)|viaj[oa]|salgo|sale|llega|llego|viene|vengo|recibe|termina|vence|toca|caduca",
  ),
  aheadOf:
    /(?<!\p{L})(?:(?:es|son|sigue siendo)(?: (?:ahora|ya|todavía|el|en|para))*|(?:aplazad|cambiad|pasad|movid)[oa] (?:al?|para(?: el)?)|(?:para|hasta)(?: el)?) $/iu,
  planned: tensePattern("cita|plazo|fecha límite|hasta|antes del?|próxim[oa]"),
  clause: /[,;:—–]\s|(?<!\p{L})(?:pero|porque|aunque|así que)(?!\p{L})/giu,
};

export const spanish: TimeGrammar = {
  language: "es",
  hint: /ayer|antier|anoche|hoy|mañana|hace|semana|finde|mes\b|meses|año|d[íi]as?\b|noche|tarde|enero|febrero|marzo|abril|mayo|junio|julio|agosto|tiembre|octubre|noviembre|diciembre|primavera|verano|otoño|invierno|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|\d{4}/iu,
  rules: RULES,
  rangeJoin: /^\s*(?:-|–|al?|hasta(?: el)?|y(?: el)?)\s*$/iu,
  tense: TENSE,
  labelText: isoLabel,
};
