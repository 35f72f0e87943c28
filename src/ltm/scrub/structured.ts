/** Identifiers that have a form: found by it, and by their check digits where they have some. */

import { findSecrets } from "../../write/secrets.js";
import { findAddresses } from "./addresses.js";
import { isCard, isChineseId, isGermanTaxId, isIban, isSpanishId } from "./check-digits.js";
import { findPhones } from "./phones.js";
import { type IdentitySpan, spansOf } from "./span.js";

// A Chinese character may stand right before a number; a Latin letter makes it another token.
const EMAIL = /(?<![\p{Script=Latin}\p{N}.+_-])[\p{L}\p{N}.+_'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;
const EMAIL_IN_WORDS =
  /(?<![\p{Script=Latin}\p{N}])[\w.+-]{2,64} ?[([]? ?(?:at|@) ?[)\]]? ?[\w-]{2,63} ?[([]? ?(?:dot|punkt|punto) ?[)\]]? ?[a-z]{2,10}\b/giu;
const URL = /\b(?:https?|ftp):\/\/[^\s<>"“”「」，。；）)]+/giu;
/** A person's place on the web: a name in front of the host, a query, a profile's path. */
const PERSONAL_URL =
  /:\/\/[^/\s]*@|[?&#]|\/(?:@|~|u|user|users|profile|profiles|people|in|members?)\/?[\w.-]{2,}|:\/\/(?:www\.)?(?:github|gitlab|twitter|x|instagram|facebook|threads|t|tiktok|mastodon\.\w+|bsky)\.(?:com|me|net|app|social)\/[\w.-]{2,}/iu;
const IBAN =
  /(?<![\p{Script=Latin}\p{N}])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?![\p{Script=Latin}\p{N}])/gu;
const CARD = /(?<![\p{Script=Latin}\p{N}-])\d(?:[ -]?\d){12,18}(?![\p{Script=Latin}\p{N}-])/gu;
const IPV4 =
  /(?<![\p{Script=Latin}\p{N}.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\p{Script=Latin}\p{N}]|\.\d)/gu;
const IPV6 = /(?<![\p{Script=Latin}\p{N}:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){0,6}(?![\p{Script=Latin}\p{N}:])/giu;
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/gu;
const NATIONAL_INSURANCE =
  /(?<![\p{Script=Latin}\p{N}])[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\p{Script=Latin}\p{N}])/gu;
const SPANISH_ID =
  /(?<![\p{Script=Latin}\p{N}])(?:\d{8}|[XYZxyz][ -]?\d{7}|\d{2}\.\d{3}\.\d{3})[ -]?[A-Za-z](?![\p{Script=Latin}\p{N}])/gu;
const CHINESE_ID = /(?<!\d)\d{17}[\dXx](?![\p{Script=Latin}\p{N}])/gu;
const TAX_ID = /(?<![\d.])\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\d.])/gu;
/** A number that an office gave, by what it is called. */
const OFFICIAL =
  /(?:passport|driver'?s licen[cs]e|driving licen[cs]e|social security|\bssn\b|national (?:insurance|id)|tax(?:payer)? (?:id|number|identification)|\btin\b|identity card|id card|reisepass|personalausweis|ausweis|führerschein|sozialversicherung|steuer-?(?:id|nummer)|identifikationsnummer|pasaporte|\bdni\b|\bnie\b|seguridad social|carnet|licencia de conducir|护照|身份证|驾照|社保)[^.!?\n。！？]{0,24}?[\s:：#是为]((?=[A-Za-z]*\d)(?=(?:[A-Za-z .-]*\d){4})[A-Za-z0-9](?:[ .-]?[A-Za-z0-9]){4,20})(?![\p{Script=Latin}\p{N}])/giu;
const HANDLE = /(?<![\p{Script=Latin}\p{N}@./_])@[A-Za-z_](?:[\w.-]{0,30}\w)(?!@|[\w.-]*@)/gu;
const NAMED_USER =
  /(?:user ?name|login(?: name)?|handle|screen ?name|nickname|gamertag|benutzername|nutzername|usuario|nombre de usuario|用户名|账号)(?:\s+(?:is|on \w+ is|ist|lautet|es))?\s*[:：=是]?\s*["“'‘]?([A-Za-z][\w.-]{2,63})/giu;

const MONTH =
  "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch|zo)?|märz|apr(?:il)?|may|mai|mayo|june?|juni|junio|july?|juli|julio|aug(?:ust)?|agosto|sep(?:t(?:ember|iembre)?)?|oct(?:ober|ubre)?|okt(?:ober)?|nov(?:ember|iembre)?|dec(?:ember)?|dez(?:ember)?|dic(?:iembre)?|enero|febrero|abril)";
const FULL_DATE = `(?:\\d{1,2}[./-]\\d{1,2}[./-](?:19|20)?\\d{2}|(?:19|20)\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}(?:st|nd|rd|th|\\.)?(?: of| de)? ${MONTH}\\.?(?: de|,)? (?:19|20)\\d{2}|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d{2}|(?:19|20)\\d{2}年\\d{1,2}月\\d{1,2}[日号])`;
const BIRTH_DATE = new RegExp(
  `(?:\\bborn\\b|birth ?(?:day|date)|date of birth|\\bdob\\b|\\bgeb(?:oren|\\.)|geburts(?:tag|datum)|\\bnac(?:í|i[oó]|ida|ido|imiento)|cumpleaños|出生|生日|生于)[^.!?\\n。！？]{0,30}?(${FULL_DATE})`,
  "giu",
);
const BORN_AFTER = new RegExp(`(${FULL_DATE})(?=[^.!?\\n。！？]{0,12}(?:\\bgeboren|出生|\\(dob\\)))`, "giu");

/** @param text without zero-width characters */
export function findStructured(text: string): IdentitySpan[] {
  return [
    ...spansOf("EMAIL", text, EMAIL),
    ...spansOf("EMAIL", text, EMAIL_IN_WORDS, (value) => /[([]|\bdot\b|punkt|punto/iu.test(value)),
    ...spansOf("URL", text, URL, (value) => PERSONAL_URL.test(value)),
    ...findIbans(text),
    ...spansOf("CARD", text, CARD, isCard),
    ...spansOf(
      "IP",
      text,
      IPV4,
      (_, before) => !/(?:version|release|\bv|firmware|build|section|§|chapter)\.?\s*$/iu.test(before),
    ),
    ...spansOf("IP", text, IPV6, (value) => (value.match(/:/g)?.length ?? 0) >= 3 && /[a-f]|::|(?:[^:]+:){4}/iu.test(value)),
    ...spansOf("ID", text, SOCIAL_SECURITY),
    ...spansOf("ID", text, NATIONAL_INSURANCE),
    ...spansOf("ID", text, SPANISH_ID, isSpanishId),
    ...spansOf("ID", text, CHINESE_ID, isChineseId),
    ...spansOf("ID", text, TAX_ID, (value, before) => isGermanTaxId(value) && /steuer|tax|idnr|identifikation/iu.test(before)),
    ...spansOf("ID", text, OFFICIAL),
    ...spansOf("USERNAME", text, HANDLE),
    ...spansOf("USERNAME", text, NAMED_USER, (value) => !COMMON.test(value)),
    ...spansOf("BIRTHDATE", text, BIRTH_DATE),
    ...spansOf("BIRTHDATE", text, BORN_AFTER),
    ...findSecrets(text).flatMap((secret) => everywhere(text, secret)),
    ...findPhones(text),
    ...findAddresses(text),
  ];
}

/** The words after an account number may look like more of its groups. */
function findIbans(text: string): IdentitySpan[] {
  return spansOf("IBAN", text, IBAN).flatMap(({ start, end, ...span }) => {
    for (let to = end; to > start; to = text.lastIndexOf(" ", to - 1))
      if (isIban(text.slice(start, to))) return [{ ...span, start, end: to }];
    return [];
  });
}

/** "my login is slow", "the username that I had". */
const COMMON =
  /^(?:is|was|that|which|the|and|for|with|not|page|form|field|name|screen|slow|broken|again|here|there|ist|war|nicht|und|das|para|que|con)$/iu;

function everywhere(text: string, value: string): IdentitySpan[] {
  const spans: IdentitySpan[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    spans.push({ type: "KEY", start: at, end: at + value.length });
  return spans;
}
