/** How German speaks of time. Loaded only when asked for. */

import { DAY } from "./calendar.js";
import type { Reference, Rule, Season, Shift, Span, TenseCues, TimeGrammar, Unit } from "./time-span.js";
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
import { nextWeekday, weekday, weekdayOn } from "./time-weekday.js";

const MONTH = "(januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)";
const WEEKDAY = "(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)";
/** "Samstag, den" before a date says nothing more. */
const WEEKDAY_LEAD = `(?:(?:am |bis |seit |vom )?${WEEKDAY.replace("(", "(?:")},? (?:(?:de[nmr]|am) )?)?`;
const COUNT =
  "(\\d{1,3}|einem?|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|ein paar|einigen?|mehreren|einem halben)";
const UNIT = "(stunde|tag|woche|monat|jahr)(?:e[nsm]?|n|s)?";
const SEASON = "(frühling|frühjahr|sommer|herbst|winter)";
const YEAR = "(1[89]\\d\\d|20\\d\\d)";
const LAST = "(letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|diese[nrsm]?|dies|nächste[nrsm]?|kommende[nrsm]?|vorletzte[nrsm]?)";
/** \b knows no umlauts. */
const START = "(?<![\\p{L}\\d])";
const END = "(?![\\p{L}\\d])";

const MONTHS = ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];
const WEEKDAYS = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"];
// biome-ignore format: a table
const COUNTS: Readonly<Record<string, number>> = {
  ein: 1, eine: 1, einem: 1, einer: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10, elf: 11, zwölf: 12,
  "ein paar": 3, einige: 3, einigen: 3, mehreren: 4, "einem halben": 0.5,
};
const UNITS: Readonly<Record<string, Unit>> = { stunde: "hour", tag: "day", woche: "week", monat: "month", jahr: "year" };
const SEASONS: Readonly<Record<string, Season>> = {
  frühling: "spring",
  frühjahr: "spring",
  sommer: "summer",
  herbst: "autumn",
  winter: "winter",
};

const lower = (text: string | undefined): string => (text ?? "").toLowerCase();
const countOf = (text: string | undefined): number => COUNTS[lower(text)] ?? Number(text);
const monthOf = (text: string | undefined): number => MONTHS.indexOf(lower(text).replace("jän", "jan").slice(0, 3)) + 1;
const weekdayNumber = (text: string | undefined): number => WEEKDAYS.indexOf(lower(text).replace("sonnabend", "samstag"));
const unitOf = (text: string | undefined): Unit => UNITS[lower(text)] ?? "day";
const shiftOf = (text: string | undefined): Shift =>
  /vorletzt/u.test(lower(text))
    ? -2
    : /letzt|vorig|vergangen/u.test(lower(text))
      ? -1
      : /nächst|kommend/u.test(lower(text))
        ? 1
        : 0;
const pattern = (source: string): RegExp => new RegExp(`${START}(?:${source})${END}`, "giu");
const days =
  (back: number) =>
  (_match: RegExpExecArray, reference: Reference): Span =>
    day(reference.today - back * DAY);

const RULES: readonly Rule[] = [
  {
    pattern: pattern("(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})"),
    resolve: (match) => calendarDay(Number(match[3]), Number(match[2]), Number(match[1])),
  },
  {
    pattern: pattern(`${WEEKDAY_LEAD}(\\d{1,2})\\.(?:\\s?(?:-|–|bis)\\s?(\\d{1,2})\\.)? ?${MONTH}(?: ${YEAR})?`),
    resolve: (match, reference, tense) => {
      const first = Number(match[1]);
      const value = match[4] === undefined ? yearOfDay(reference, monthOf(match[3]), first, tense()) : Number(match[4]);
      return dayRange(value, monthOf(match[3]), first, Number(match[2] ?? first));
    },
  },
  {
    pattern: pattern(`(letzten|nächsten|kommenden|im|seit|ende|anfang|mitte) ${MONTH}(?: ${YEAR})?`),
    resolve: (match, reference, tense) => {
      const told = shiftOf(match[1]) > 0 ? "future" : shiftOf(match[1]) < 0 ? "past" : tense();
      return month(
        match[3] === undefined ? yearOfMonth(reference, monthOf(match[2]), told) : Number(match[3]),
        monthOf(match[2]),
      );
    },
  },
  { pattern: pattern(`${MONTH} ${YEAR}`), resolve: (match) => month(Number(match[2]), monthOf(match[1])) },
  {
    pattern: pattern(`${LAST} ${SEASON}|im ${SEASON}(?: ${YEAR})?|${SEASON} ${YEAR}`),
    resolve: (match, reference, tense) => {
      const season = SEASONS[lower(match[2] ?? match[3] ?? match[5])] ?? "summer";
      const value = match[4] ?? match[6];
      if (value !== undefined) return seasonOf(Number(value), season);
      const shift = shiftOf(match[1]);
      return seasonNear(reference, season, shift, tense());
    },
  },
  { pattern: pattern(`(?:im jahre?|in|seit|von|bis|ende|anfang|mitte) ${YEAR}`), resolve: (match) => year(Number(match[1])) },
  {
    pattern: pattern(`vor (?:etwa |ungefähr |ca\\. )?${COUNT} ${UNIT}`),
    resolve: (match, reference) => {
      const span = ago(reference, countOf(match[1]), unitOf(match[2]));
      return /^(?:ein paar|einige|mehrere)/iu.test(match[1] ?? "") ? rounded(span) : span;
    },
  },
  {
    pattern: pattern(`in ${COUNT} (tag|woche|monat|jahr)(?:e[nsm]?|n)?`),
    resolve: (match, reference, tense) => (tense() === "past" ? undefined : ago(reference, -countOf(match[1]), unitOf(match[2]))),
  },
  {
    pattern: pattern(`(?:in den |die )?(letzten|vergangenen|nächsten|kommenden) ${COUNT} ${UNIT}`),
    resolve: (match, reference) => lasting(reference, countOf(match[2]) * (shiftOf(match[1]) > 0 ? -1 : 1), unitOf(match[3])),
  },
  {
    pattern: pattern(`${LAST} (nacht|woche|wochenende|monats?|jahre?s?|${WEEKDAY.slice(1, -1)})`),
    settled: true,
    resolve: (match, reference, tense) => {
      const shift = shiftOf(match[1]);
      const word = lower(match[2]);
      if (word === "nacht") return day(reference.today + shift * DAY);
      if (word === "woche") return week(reference, shift, tense());
      if (word === "wochenende") return weekend(reference, shift, tense());
      if (word.startsWith("monat")) return month(reference.year, reference.month + shift);
      if (word.startsWith("jahr")) return year(reference.year + shift);
      // "Kommenden Freitag" is the coming one, "nächsten Freitag" to most the one of next week.
      if (/^nächst/iu.test(match[1] ?? "")) return nextWeekday(reference, weekdayNumber(word));
      return weekday(reference, weekdayNumber(word), shift, tense());
    },
  },
  { pattern: pattern("vorgestern(?: (?:früh|abend|nacht|morgen|mittag|nachmittag))?"), resolve: days(2) },
  { pattern: pattern("gestern(?: (?:früh|abend|nacht|morgen|mittag|vormittag|nachmittag))?"), resolve: days(1) },
  { pattern: pattern("heute(?: (?:früh|abend|nacht|morgen|mittag|vormittag|nachmittag))?"), resolve: days(0) },
  { pattern: pattern("übermorgen"), resolve: days(-2) },
  {
    // The noun, "der Morgen", has a capital, and an article or a greeting before it; a sentence may begin with "Morgen fliege ich".
    pattern:
      /(?<![\p{L}\d])(?<!(?:[Aa]m|[Gg]uten|[Dd]er|[Dd]en|[Jj]eden) )(?:morgen|(?<=^|[.!?]\s)Morgen(?= \p{Ll}))(?: (?:früh|[Aa]bend|[Mm]ittag|[Vv]ormittag|[Nn]achmittag))?(?![\p{L}\d])/gu,
    resolve: days(-1),
  },
  {
    pattern: pattern("neulich|kürzlich"),
    resolve: (_match, reference) => ({
      from: reference.now - 7 * DAY,
      to: reference.now,
      label: { grain: "around", wall: reference.today - 3 * DAY },
    }),
  },
  {
    pattern: pattern("am wochenende"),
    resolve: (_match, reference, tense) => weekend(reference, tense() === "future" || reference.weekday >= 5 ? 0 : -1, tense()),
  },
  {
    pattern: pattern(`(?:am |bis |seit |vom )?${WEEKDAY},? (?:de[nmr] )?(\\d{1,2})(?:\\.(?!\\s*$))?(?! ?uhr)`),
    resolve: (match, reference, tense) => weekdayOn(reference, weekdayNumber(match[1]), Number(match[2]), tense()),
  },
  {
    pattern: pattern(`(?:am |bis |seit )${WEEKDAY}`),
    resolve: (match, reference, tense) =>
      weekday(reference, weekdayNumber(match[1]), 0, tense() === "future" ? "future" : "past"),
  },
];

const PARTICIPLE = "(?:\\p{L}{0,9}ge\\p{L}{2,16}(?:t|en)|(?:ver|be|er|ent|zer)\\p{L}{3,16}(?:t|en)|\\p{L}{2,16}iert)";
const AUXILIARY = "(?:habe|hast|hat|haben|bin|bist|ist|sind|wurden?)";
const tensePattern = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, "giu");

const TENSE: TenseCues = {
  // Many a participle looks like a present: only beside "haben" and "sein" it tells the past.
  past: tensePattern(
    `war|waren|hatten?|wurden?|gingen?|kam|kamen|sah|sahen|fuhr|fuhren|fand|fanden|gab|gaben|nahm|nahmen|blieb|zog|zogen|bekam|trafen?|traf|aß|schrieb|rief|kauften?|machten?|wollten?|mussten?|konnten?|sagten?|dachten?|brachten?|${AUXILIARY} (?:[^,;:]* )?${PARTICIPLE}|${PARTICIPLE} ${AUXILIARY}|ge\\p{L}{3,16}t|\\p{L}{1,9}ge\\p{L}{2,16}(?:t|en)`,
  ),
  future: tensePattern(
    "werden?|wirst|wird|planen?|will|wollen|möchten?|muss|musst|müssen|solle?n?|darf|dürfen|kann|können|freue|vorhabe|bald|fliegen?|fliegt|fahren?|fährt|ziehen?|zieht|kommt?|kommen|bekommt|bekomme|beginnt|endet|startet|fängt|geht|gehen|findet|treffen|läuft ab|holt|hole|reist?|reisen?|heiratet|heiraten|besuchen?",
  ),
  aheadOf:
    /(?<!\p{L})(?:(?:ist|sind|bleibt)(?: (?:jetzt|nun|erst|doch|schon|noch|am|im|vom|ab|den|der|dem))+|(?:verschoben|verlegt) auf(?: den)?|(?:auf|bis|für)(?: zum| den)?) $/iu,
  planned: tensePattern("termine?|frist|fällig|bis|spätestens|kommend\\p{L}*|nächst\\p{L}*"),
  clause: /[,;:—–]\s|(?<!\p{L})(?:aber|weil|und (?=(?:ich|wir|er|sie|es)(?!\p{L})))/giu,
};

export const german: TimeGrammar = {
  language: "de",
  hint: /gestern|heute|morgen|neulich|kürzlich|woche|monat|jahr|tage?n?\b|letzte|stunde|januar|jänner|februar|märz|april|mai\b|juni|juli|august|september|oktober|november|dezember|frühling|sommer|herbst|winter|mittwoch|sonnabend|nacht|\d{4}/iu,
  rules: RULES,
  rangeJoin: /^\s*(?:-|–|bis(?: zum)?|und(?: dem)?)\s*$/iu,
  tense: TENSE,
  labelText: isoLabel,
};
