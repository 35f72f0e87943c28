/** How English speaks of time, from dates in numbers to "the weekend before last". */

import { calendarDayOf, DAY } from "./calendar.js";
import { feast } from "./time-english-feasts.js";
import { beforeLast, isName, named } from "./time-english-named.js";
import { englishTense } from "./time-english-tense.js";
import {
  COUNT,
  countOf,
  DAY_NUMBER,
  DOUBTFUL_MONTH,
  LAST,
  lower,
  MONTH,
  monthOf,
  pattern,
  SEASON,
  seasonNamed,
  shiftOf,
  UNIT,
  unitOf,
  WEEKDAY,
  WEEKDAY_LEAD,
  WEEKDAY_SHORT,
  weekdayNumber,
  YEAR,
  yearOr,
} from "./time-english-words.js";
import { NUMERIC_RULES } from "./time-numeric.js";
import type { Reference, Rule, Span, Tense, TimeGrammar } from "./time-span.js";
import {
  ago,
  calendarDay,
  day,
  dayRange,
  englishLabel,
  lasting,
  month,
  range,
  rounded,
  seasonNear,
  seasonOf,
  weekend,
  year,
  yearOfDay,
  yearOfMonth,
} from "./time-span.js";
import { dayOfMonth, weekday, weekdayOn } from "./time-weekday.js";

function monthDay(
  match: RegExpExecArray,
  reference: Reference,
  tense: () => Tense,
  name: number,
  first: number,
  last: number,
  years: number,
): Span | undefined {
  const named = monthOf(match[name]);
  const from = Number(match[first]);
  const value = yearOr(match[years], () => yearOfDay(reference, named, from, tense()));
  const until = match[last];
  return until === undefined ? calendarDay(value, named, from) : dayRange(value, named, from, Number(until));
}

/** Whether "May", "March" or "April" behind such a word is the month: "in May", "the last Friday of April", not "for April". */
function isMonthAfter(lead: string, match: RegExpExecArray): boolean {
  const before = match.input.slice(Math.max(0, match.index - 12), match.index);
  if (lead === "of") return /(?:day|week|weekend|end|beginning|start|middle|half|part) $/iu.test(before);
  if (/^(?:by|on|for|before|after)$/u.test(lead)) return false;
  return !/^(?:this|last)$/u.test(lead) || /^\p{Lu}/u.test(match[2] ?? "");
}

function seasonal(match: RegExpExecArray, reference: Reference, tense: () => Tense): Span | undefined {
  const season = seasonNamed(match[2]);
  if (match[3] !== undefined) return seasonOf(Number(match[3]), season);
  return match[1] === undefined ? undefined : seasonNear(reference, season, shiftOf(match[1]), tense());
}

/** "A few months ago": which month is not known. */
const VAGUE_COUNT = /^(?:a few|few|several|a couple|couple)/iu;

/** "Sun", "sat" and "wed" are words, too. */
const SHORT_ALONE = "(mon|tues?|wed|thurs?|thu|fri|sat|sun)\\b(?!['’-]|\\s+(?:[a-z]+ed|dress|screen|hat|there|down)\\b)";

const days =
  (back: number) =>
  (_match: RegExpExecArray, reference: Reference): Span =>
    day(reference.today - back * DAY);

const RULES: readonly Rule[] = [
  ...NUMERIC_RULES,
  {
    pattern: pattern(
      "\\b(?:(last|this|next) month,? on the (\\d{1,2})(?:st|nd|rd|th)|(?:on |by |since )?the (\\d{1,2})(?:st|nd|rd|th) of (last|this|next) month)\\b",
    ),
    resolve: (match, reference) => {
      const { label } = month(reference.year, reference.month + shiftOf(match[1] ?? match[4]));
      const { year: value, month: oneBased } = calendarDayOf(label.wall);
      return calendarDay(value, oneBased, Number(match[2] ?? match[3]));
    },
  },
  {
    pattern: pattern(
      `\\b(?:${WEEKDAY_LEAD})?${DAY_NUMBER}(?:\\s?(?:-|–|to|and|through|until)\\s?${DAY_NUMBER})?(?: of)? ${MONTH}(?:,? ${YEAR}\\b)?`,
    ),
    resolve: (match, reference, tense) => monthDay(match, reference, tense, 3, 1, 2, 4),
  },
  {
    pattern: pattern(
      `\\b(?:${WEEKDAY_LEAD})?${MONTH} (?:the )?${DAY_NUMBER}(?:\\s?(?:-|–|to|and|through|until)\\s?${DAY_NUMBER})?\\b(?![:%]|\\s?(?:am|pm|%)\\b)(?:,? ${YEAR}\\b)?`,
    ),
    resolve: (match, reference, tense) => monthDay(match, reference, tense, 1, 2, 3, 4),
  },
  {
    pattern: pattern(`\\b(?:(?:early|mid|late)[- ])?${MONTH},? (?:of )?${YEAR}\\b`),
    resolve: (match) => month(Number(match[2]), monthOf(match[1])),
  },
  {
    pattern: pattern(
      `\\b(?:the )?(day|night|week|weekend|month|year|${WEEKDAY.slice(1, -1)}|${SEASON.slice(1, -1)}) before last\\b`,
    ),
    resolve: beforeLast,
  },
  {
    pattern: pattern(
      `\\b(last|next|this|in|of|during|since|until|mid|early|late|by|on|for|before|after)[- ](?:early |mid[- ]?|late )?${MONTH}(?![’'\\w])`,
    ),
    resolve: (match, reference, tense) => {
      const lead = lower(match[1]);
      if (DOUBTFUL_MONTH.test(match[2] ?? "") && !isMonthAfter(lead, match)) return undefined;
      const wanted = monthOf(match[2]);
      if (lead === "this") return month(reference.year, wanted);
      const value = yearOfMonth(reference, wanted, lead === "next" ? "future" : lead === "last" ? "past" : tense());
      if (lead === "last" && wanted === reference.month) return month(value - 1, wanted);
      return month(lead === "next" && wanted === reference.month ? value + 1 : value, wanted);
    },
  },
  {
    pattern: pattern(
      `\\b(last|past|this past|previous|this|next)[- ](?:early |mid[- ]?|late )?${SEASON}(?:,? (?:of )?${YEAR})?\\b`,
    ),
    resolve: seasonal,
  },
  {
    // "Trees in the fall" are of no year.
    pattern: pattern(
      `\\b(?:(in|over|during|since|early|late|mid|by)[- ](?:the )?(?:early |mid[- ]?|late )?)?${SEASON}(?:,? (?:of )?${YEAR})?\\b`,
    ),
    vague: true,
    resolve: seasonal,
  },
  {
    pattern: pattern(
      `\\b(?:in|of|during|since|for|by|year|end of|late|mid|early|until|before|after|from|back in)[- ]${YEAR}(?![\\d%]|[.,:]\\d|s\\b| ?(?:people|dollars|euros|pounds|words|steps|miles|calories|kcal|km|kg)\\b)`,
    ),
    resolve: (match) => year(Number(match[1])),
  },
  {
    pattern: pattern("\\b(?:the |early |mid |late |mid-)(?:(1[89]|20)(\\d)0|['’]?([3-9])0)s\\b"),
    resolve: (match) => {
      const from = match[3] === undefined ? Number(`${match[1]}${match[2]}0`) : 1900 + Number(match[3]) * 10;
      return range(year(from), year(from + 9));
    },
  },
  {
    pattern: pattern(
      `\\b(?:about |around |over |almost |nearly )?${COUNT}(?: or ${COUNT}| to ${COUNT})? ${UNIT} (?:ago|back\\b(?! in| to| and)|(?:earlier|before|prior)(?=\\s*(?:[.,;!?]|$)))`,
    ),
    resolve: (match, reference) => {
      const { unit, times } = unitOf(match[4]);
      const upTo = match[2] ?? match[3];
      const span = ago(reference, countOf(match[1]) * times, unit, countOf(upTo ?? match[1]) * times);
      return VAGUE_COUNT.test(match[1] ?? "") ? rounded(span) : span;
    },
  },
  {
    pattern: pattern(
      `\\b(?:(?:the |these |over the |in the )?(past|last|previous|recent|next|coming) ${COUNT} (day|week|weekend|month|year)s?|(?:(?:the|this) (past)|(?:for|over|in|during|within|throughout) the (last|next)) (week|month|year))\\b`,
    ),
    resolve: (match, reference) =>
      lasting(
        reference,
        countOf(match[2] ?? "one") * (shiftOf(match[1] ?? match[5]) > 0 ? -1 : 1),
        unitOf(match[3] ?? match[6]).unit,
      ),
  },
  {
    pattern: pattern(
      `\\b(?:in ${COUNT}(?: or ${COUNT})? (day|week|month|year)s?(?:['’] time)?|${COUNT} (day|week|month|year)s? from now)\\b(?!['’])`,
    ),
    resolve: (match, reference, tense) => {
      // "In two weeks I lost a kilo" tells a length, not a date.
      if (match[4] === undefined && tense() === "past") return undefined;
      const count = countOf(match[1] ?? match[4]);
      return ago(reference, -count, unitOf(match[3] ?? match[5]).unit, match[2] === undefined ? -count : -countOf(match[2]));
    },
  },
  { pattern: pattern("\\bday before yesterday\\b"), resolve: days(2) },
  { pattern: pattern("\\bday after tomorrow\\b"), resolve: days(-2) },
  {
    pattern: pattern(`\\b${LAST} (?:${WEEKDAY.replace("(", "(day|night|week|weekend|month|year|")})\\b(?!['’]s? time)`),
    settled: true,
    resolve: named,
  },
  {
    pattern: pattern(
      "(?<!\\blike (?:it was )?(?:just |only )?)\\b(?:yesterday|yesterday (?:morning|afternoon|evening|night))\\b",
    ),
    resolve: days(1),
  },
  { pattern: pattern("\\btomorrow\\b"), resolve: days(-1) },
  {
    pattern: pattern(
      "\\b(?:earlier today|today(?!['’]s (?:\\w+ ){0,2}(?:world|society|age|era|economy|market|youth|standards)\\b)|tonight|this (?:very )?(?:morning|afternoon|evening))\\b",
    ),
    resolve: days(0),
  },
  {
    pattern: pattern("(?<!\\bevery )\\b(?:the )?other (?:day|night|week)\\b"),
    resolve: (_match, reference) => ({
      from: reference.now - 7 * DAY,
      to: reference.now,
      label: { grain: "around", wall: reference.today - 3 * DAY },
    }),
  },
  {
    pattern: pattern(`\\b(?:(?:on|over|at|during|for) the weekend|weekend of(?= the\\b))\\b`),
    resolve: (_match, reference, tense) => weekend(reference, tense() === "future" || reference.weekday >= 5 ? 0 : -1, tense()),
  },
  {
    pattern: pattern(
      "\\b(last|this|next|on|at|over|for|since|before|after|during|by)(?: the)? (christmas eve|christmas day|christmas|new year['’]s eve|new year['’]s day|valentine['’]s day|halloween)(?:,? (\\d{4}))?\\b",
    ),
    resolve: feast,
  },
  {
    pattern: pattern(`\\b(last|past|this past|this|next|coming) ${SHORT_ALONE}`),
    settled: true,
    resolve: named,
  },
  {
    pattern: pattern(`\\bon ${SHORT_ALONE}`),
    resolve: (match, reference, tense) =>
      weekday(reference, weekdayNumber(match[1]), 0, tense() === "future" ? "future" : "past"),
  },
  {
    pattern: pattern(
      `\\b(?:on |until |till |by |since |for |from )?(?:${WEEKDAY}|${WEEKDAY_SHORT}\\.?),? (?:the )?(\\d{1,2})(?:st|nd|rd|th)\\b(?! (?:floor|street|avenue))`,
    ),
    resolve: (match, reference, tense) => weekdayOn(reference, weekdayNumber(match[1] ?? match[2]), Number(match[3]), tense()),
  },
  {
    // Plural weekdays are habits, as are "every Monday" and "a lazy Sunday"; "that Monday" counts from a tale.
    pattern: pattern(
      `(?<!\\b(?:every|each|most|any|some|following|that|same|other|an?|another|my|our|his|her|their|your|usual|weekly|lazy|quiet|typical|random|rainy|sunny|regular) )\\b(?:on |until |by |since )?${WEEKDAY}(?![\\w’'-]|(?: [a-z]+)? (?:mornings|afternoons|evenings|nights)\\b)`,
    ),
    resolve: (match, reference, tense) =>
      isName(match) ? undefined : weekday(reference, weekdayNumber(match[1]), 0, tense() === "future" ? "future" : "past"),
  },
  {
    pattern: pattern(
      "\\b(?:on the (\\d{1,2})(?:st|nd|rd|th)\\b(?! (?:floor|street|avenue|page|try|attempt|time|day|line|place))|(?:by|until|till|from|since|before|after|for) the (\\d{1,2})(?:st|nd|rd|th)\\b(?=\\s*(?:[.,;!?)]|$| (?:and|or|to|at|in|but|so|because|as|when|we|i|he|she|it|they)\\b)))",
    ),
    resolve: (match, reference, tense) => dayOfMonth(reference, Number(match[1] ?? match[2]), tense()),
  },
  {
    // Alone, with a capital, and no other word or name.
    pattern: /\b(January|February|July|September|October|November|December)\b/gu,
    resolve: (match, reference, tense) => month(yearOfMonth(reference, monthOf(match[1]), tense()), monthOf(match[1])),
  },
];

export const english: TimeGrammar = {
  language: "en",
  hint: /\d{4}|\d[/.-]\d|(?:last|past|this|next|coming|on) (?:mon|tue|wed|thu|fri|sat|sun)|\d(?:st|nd|rd|th)|day|night|week|month|year|decade|fortnight|ago\b|jan|feb|mar|apr|may|june?\b|july?\b|aug|sept?\b|september|oct|nov|dec|tomorrow|morning|evening|spring|summer|fall\b|autumn|winter|christmas|halloween|[3-9]0s\b/iu,
  rules: RULES,
  rangeJoin: /^\s*(?:-|–|—|to|until|till|through|and)\s*$/iu,
  tense: englishTense,
  labelText: englishLabel,
};
