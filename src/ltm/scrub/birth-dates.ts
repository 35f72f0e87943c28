/** Exact dates beside a word for birth. */

import { type IdentitySpan, spansOf } from "./span.js";

const MONTH =
  "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch|zo)?|märz|apr(?:il)?|may|mai|mayo|june?|juni|junio|july?|juli|julio|aug(?:ust)?|agosto|sep(?:t(?:ember|iembre)?)?|oct(?:ober|ubre)?|okt(?:ober)?|nov(?:ember|iembre)?|dec(?:ember)?|dez(?:ember)?|dic(?:iembre)?|enero|febrero|abril)";
/** The first to the thirty-first, in words. */
const ORDINAL =
  "(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth)|twentieth|thirtieth|(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?(?:und)?(?:zwanzig|dreißig|dreissig)ste[nrm]?|(?:ers|zwei|drit|vier|fünf|sechs|sieb|siebten|ach|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn)te[nrm]?|primero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci(?:séis|siete|ocho|nueve)|veint(?:e|iuno|idós|itrés|icuatro|icinco|iséis|isiete|iocho|inueve)|treinta(?: y uno)?";
const DAY = `(?:\\d{1,2}(?:st|nd|rd|th|\\.|º|er|ten)?|${ORDINAL})`;
const YEAR = "(?:(?:19|20)\\d{2}|['’]\\d{2})";
/** "3rd day of May in the year 1980", "3 de mayo del 1980", "3. Mai des Jahres 1980". */
const GLUE = "[ ,./-]{0,3}(?:(?:the|day|of|in|year|de|del|día|mes|año|des|im|jahres?|tag|monats) ){0,4}";
const HAN = "[\\d〇零一二三四五六七八九十]";
const FULL_DATE = [
  "\\d{1,2} ?[./-] ?\\d{1,2} ?[./-] ?(?:19|20)?\\d{2}(?!\\d)",
  "(?:19|20)\\d{2} ?[./-] ?\\d{1,2} ?[./-] ?\\d{1,2}(?!\\d)",
  `${DAY}${GLUE}${MONTH}\\.?${GLUE}${YEAR}`,
  `${MONTH}\\.?${GLUE}${DAY}${GLUE}${YEAR}`,
  `${YEAR}${GLUE}${MONTH}\\.?${GLUE}${DAY}`,
  `${HAN}{2,4} ?年 ?${HAN}{1,3} ?月 ?${HAN}{1,3} ?[日号]?`,
].join("|");
/** Of the same sentence; "St. Louis" does not end it. */
const BETWEEN = "(?:[^.!?\\n。！？]|(?<=\\b(?:st|dr|mt))\\.)";
const BIRTH =
  "\\bborn\\b|birth ?(?:day|date)|date of birth|\\bdob\\b|\\bgeb(?:oren|\\.)|geburts(?:tag|datum)|\\bnac(?:í|i[oó]|ida|ido|imiento)|cumpleaños|出生|生日|生于";

const PATTERNS: readonly RegExp[] = [
  new RegExp(`(?:${BIRTH})${BETWEEN}{0,80}?(?<![\\p{N}])(${FULL_DATE})`, "giu"),
  new RegExp(`(?<![\\p{L}\\p{N}])(${FULL_DATE})(?=${BETWEEN}{0,30}?(?:${BIRTH}))`, "giu"),
  // In Chinese what stands before a date is a letter.
  new RegExp(`(${HAN}{2,4} ?年 ?${HAN}{1,3} ?月 ?${HAN}{1,3} ?[日号]?)(?=${BETWEEN}{0,12}?(?:出生|生日))`, "gu"),
];

export function findBirthDates(text: string): IdentitySpan[] {
  return PATTERNS.flatMap((pattern) => spansOf("BIRTHDATE", text, pattern));
}
