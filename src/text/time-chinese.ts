/** How Chinese, in simplified and traditional characters, speaks of time. Loaded only when asked for. */

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
  range,
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

const COUNT = "(\\d{1,3}|[一二两兩三四五六七八九十半几幾]{1,3})";
const MONTH = "(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?!份?饼|亮)";
const DAY_NUMBER = "(3[01]|[12]?\\d|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號]";
const WEEK = "(?:周|週|星期|礼拜|禮拜)";
const YEAR_WORD = "(去年|今年|明年|前年|后年|後年|上一年)";
/** "星期六" beside a date says nothing more. */
const WEEKDAY_BESIDE = `(?:\\s?[（(，,]?\\s?${WEEK}[一二三四五六日天][）)]?)?`;
const SEASON = "(春天|春季|夏天|夏季|秋天|秋季|冬天|冬季)";

const DIGITS = "零一二三四五六七八九";
const YEAR_SHIFT: Readonly<Record<string, number>> = { 去年: -1, 上一年: -1, 今年: 0, 明年: 1, 前年: -2, 后年: 2, 後年: 2 };
const DAY_SHIFT: Readonly<Record<string, number>> = { 大前: -3, 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 後: 2, 大后: 3, 大後: 3 };
const UNITS: Readonly<Record<string, Unit>> = {
  天: "day",
  日: "day",
  周: "week",
  週: "week",
  星期: "week",
  礼拜: "week",
  禮拜: "week",
  月: "month",
  年: "year",
  小时: "hour",
  小時: "hour",
};
const SEASONS: Readonly<Record<string, Season>> = { 春: "spring", 夏: "summer", 秋: "autumn", 冬: "winter" };

/** "二十三" and "23" alike; "几" is three, "半" a half. */
function numberOf(text: string | undefined): number {
  if (text === undefined || /^\d+$/u.test(text)) return Number(text);
  if (text === "半") return 0.5;
  if (/[几幾]/u.test(text)) return text.startsWith("十") ? 13 : 3;
  const value = (char: string | undefined): number => (char === "两" || char === "兩" ? 2 : DIGITS.indexOf(char ?? ""));
  const ten = text.indexOf("十");
  if (ten < 0) return value(text[0]);
  return (ten === 0 ? 1 : value(text[0])) * 10 + (text.length > ten + 1 ? value(text[ten + 1]) : 0);
}

const unitOf = (text: string | undefined): Unit => UNITS[(text ?? "").replace(/^[个個]/u, "")] ?? "day";
const seasonNamed = (text: string | undefined): Season => SEASONS[(text ?? "")[0] ?? ""] ?? "summer";
const shiftOf = (text: string | undefined): Shift =>
  /^上{2}/u.test(text ?? "") ? -2 : /^上/u.test(text ?? "") ? -1 : /^下/u.test(text ?? "") ? 1 : 0;
const pattern = (source: string): RegExp => new RegExp(source, "gu");
const weekdayNumber = (text: string | undefined): number => (/[日天末]/u.test(text ?? "") ? 6 : DIGITS.indexOf(text ?? "") - 1);

/** A weekday of last, this or next week: Chinese names the week, not the nearest day. */
function inWeek(reference: Reference, shift: number, wanted: number): Span {
  return day(reference.today + (shift * 7 + wanted - reference.weekday) * DAY);
}

const RULES: readonly Rule[] = [
  {
    pattern: pattern(`(\\d{4})年${MONTH}(?:${DAY_NUMBER})?`),
    resolve: (match) =>
      match[3] === undefined
        ? month(Number(match[1]), numberOf(match[2]))
        : calendarDay(Number(match[1]), numberOf(match[2]), numberOf(match[3])),
  },
  { pattern: pattern(`(\\d{4})年的?${SEASON}`), resolve: (match) => seasonOf(Number(match[1]), seasonNamed(match[2])) },
  { pattern: pattern("(?<!\\d)(1[89]\\d\\d|20\\d\\d)年(?![前后後])"), resolve: (match) => year(Number(match[1])) },
  {
    pattern: pattern(`${YEAR_WORD}的?(?:${MONTH}(?:${DAY_NUMBER})?|${SEASON})?`),
    resolve: (match, reference) => {
      const value = reference.year + (YEAR_SHIFT[match[1] ?? ""] ?? 0);
      if (match[4] !== undefined) return seasonOf(value, seasonNamed(match[4]));
      if (match[2] === undefined) return year(value);
      return match[3] === undefined
        ? month(value, numberOf(match[2]))
        : calendarDay(value, numberOf(match[2]), numberOf(match[3]));
    },
  },
  {
    pattern: pattern(`(上上|上|这|這|本|下)[个個]?月(?:${DAY_NUMBER})?`),
    resolve: (match, reference) => {
      const whole = month(reference.year, reference.month + shiftOf(match[1]));
      return match[2] === undefined ? whole : day(whole.from + (numberOf(match[2]) - 1) * DAY);
    },
  },
  {
    pattern: pattern(
      `${MONTH}(?:${DAY_NUMBER}(?:(?:到|至|-|–|~)(?:${MONTH})?${DAY_NUMBER})?${WEEKDAY_BESIDE}|份)?(?!以[前后後来來])`,
    ),
    resolve: (match, reference, tense) => {
      const named = numberOf(match[1]);
      if (match[2] === undefined) return month(yearOfMonth(reference, named, tense()), named);
      const first = numberOf(match[2]);
      const value = yearOfDay(reference, named, first, tense());
      if (match[4] === undefined) return calendarDay(value, named, first);
      if (match[3] === undefined) return dayRange(value, named, first, numberOf(match[4]));
      const [from, until] = [calendarDay(value, named, first), calendarDay(value, numberOf(match[3]), numberOf(match[4]))];
      return from === undefined || until === undefined ? undefined : range(from, until);
    },
  },
  {
    pattern: pattern(`(上上|上|这|這|本|下)[个個]?${WEEK}([一二三四五六日天末])?`),
    settled: true,
    resolve: (match, reference, tense) => {
      const shift = shiftOf(match[1]);
      if (match[2] === "末") return weekend(reference, shift, tense());
      return match[2] === undefined ? week(reference, shift, tense()) : inWeek(reference, shift, weekdayNumber(match[2]));
    },
  },
  {
    pattern: pattern(`${COUNT}(?:多)?([天日周週年]|[个個]?(?:星期|礼拜|禮拜|月)|[个個]?小[时時])(以?前|以?[后後](?!来|來))`),
    resolve: (match, reference) => {
      const span = ago(reference, numberOf(match[1]) * (/前/u.test(match[3] ?? "") ? 1 : -1), unitOf(match[2]));
      return /[几幾]/u.test(match[1] ?? "") ? rounded(span) : span;
    },
  },
  {
    pattern: pattern(`(?:最近|过去|過去|近)(?:这|這|的)?${COUNT}([天日周週年]|[个個]?(?:星期|礼拜|禮拜|月))`),
    resolve: (match, reference) => lasting(reference, numberOf(match[1]), unitOf(match[2])),
  },
  {
    pattern: pattern(
      "(大前|前|昨|今|明|大后|大後|后|後)(?:天|[早晚夜日](?!报|常|子|光|记|記))(?:早上|上午|中午|下午|晚上|夜里)?",
    ),
    resolve: (match, reference) => day(reference.today + (DAY_SHIFT[match[1] ?? ""] ?? 0) * DAY),
  },
  {
    pattern: pattern("前几天|前幾天|前两天|前些天"),
    resolve: (_match, reference) => ({
      from: reference.now - 7 * DAY,
      to: reference.now,
      label: { grain: "around", wall: reference.today - 3 * DAY },
    }),
  },
  {
    pattern: pattern(
      `${WEEK}([一二三四五六日天])\\s?[（(，,]?\\s?${DAY_NUMBER}[）)]?|${DAY_NUMBER}\\s?[（(，,]?\\s?${WEEK}([一二三四五六日天])[）)]?`,
    ),
    resolve: (match, reference, tense) =>
      weekdayOn(reference, weekdayNumber(match[1] ?? match[4]), numberOf(match[2] ?? match[3]), tense()),
  },
  {
    pattern: pattern(`(?<!每[个個]?)${WEEK}([一二三四五六日天末])`),
    resolve: (match, reference, tense) => {
      const told = tense() === "future" ? "future" : "past";
      if (match[1] === "末") return weekend(reference, told === "future" || reference.weekday >= 5 ? 0 : -1, told);
      return weekday(reference, weekdayNumber(match[1]), 0, told);
    },
  },
  {
    pattern: pattern(`(这个|這個|上个|上個|下个|下個)${SEASON}`),
    resolve: (match, reference, tense) => seasonNear(reference, seasonNamed(match[2]), shiftOf(match[1]), tense()),
  },
];

const TENSE: TenseCues = {
  past: /(?<![为為除不])了|(?<![通超经經不])[过過](?![敏年程去期])|已经|已經|刚才|剛才/gu,
  future:
    /[将將会會](?!议|議|员|員)|(?<![重主需])要(?!求|是)|打算|计划|計劃|准备|準備|必须|必須|需要|得去|即将|即將|开始上|出发|截止|到期/gu,
  aheadOf: /(?:[是在]|(?:改|推迟|延期|挪|定)[到在成为]?了?)$/u,
  planned: /预约|預約|截止|到期|之前|为止/gu,
  clause: /[，,；;：:]/gu,
};

export const chinese: TimeGrammar = {
  language: "zh",
  hint: /[年月周週天日号號]|星期|[礼禮]拜|[昨今明][早晚]|小[时時]/u,
  rules: RULES,
  rangeJoin: /^(?:到|至|-|–|~|—)$/u,
  tense: TENSE,
  labelText: isoLabel,
};
