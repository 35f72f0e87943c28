/** Identifiers that have a form: found by it, and by their check digits where they have some. */

import { findSecrets } from "../../write/secrets.js";
import { findAccounts } from "./accounts.js";
import { findAddresses } from "./addresses.js";
import { findBirthDates } from "./birth-dates.js";
import { isChineseId, isGermanTaxId, isSpanishId } from "./check-digits.js";
import { findEmails } from "./emails.js";
import { withPlainSigns } from "./folded.js";
import { findPhones } from "./phones.js";
import { type IdentitySpan, spansOf } from "./span.js";

const URL = /\b(?:h(?:tt|xx)ps?|ftp):\/\/[^\s<>"“”「」，。；）)]+(?<![.,;:!?'])/giu;
/** A profile without the scheme. */
const PROFILE =
  /(?<![\p{Script=Latin}\p{N}.@/-])(?:www\.)?(?:(?:github|gitlab|twitter|x|instagram|facebook|threads|tiktok|bsky)\.(?:com|net|app)|t\.me|linkedin\.com\/in|(?:reddit|youtube)\.com(?:\/u(?:ser)?)?)\/@?[\w.-]*\w/giu;
/** A person's place on the web: a name in front of the host, a query, a profile's path. */
const PERSONAL_URL =
  /:\/\/[^/\s]*@|[?&#]|\/(?:@|~|u|user|users|profile|profiles|people|in|members?)\/?[\w.-]{2,}|:\/\/(?:www\.)?(?:github|gitlab|twitter|x|instagram|facebook|threads|t|tiktok|mastodon\.\w+|bsky)\.(?:com|me|net|app|social)\/[\w.-]{2,}/iu;
const IPV4 =
  /(?<![\p{Script=Latin}\p{N}.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\p{Script=Latin}\p{N}]|\.\d)/gu;
const IPV6 =
  /(?<![\p{Script=Latin}\p{N}:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4}){0,6}(?![\p{Script=Latin}\p{N}:])|(?<![\p{Script=Latin}\p{N}:])(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::(?:[\da-f]{1,4}:){0,6}(?:[\da-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})(?:%\w{1,15})?(?![\p{Script=Latin}\p{N}:])/giu;
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/gu;
const NATIONAL_INSURANCE =
  /(?<![\p{Script=Latin}\p{N}])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[A-D](?![\p{Script=Latin}\p{N}])/giu;
const SPANISH_ID =
  /(?<![\p{Script=Latin}\p{N}])(?:\d{8}|[XYZxyz][ -]?\d{7}|\d{2}\.\d{3}\.\d{3})[ -]?[A-Za-z](?![\p{Script=Latin}\p{N}])/gu;
const CHINESE_ID = /(?<!\d)\d{6}[ -]?\d{8}[ -]?\d{3}[\dXx](?![\p{Script=Latin}\p{N}])/gu;
const TAX_ID = /(?<![\d.])\d{2}[ /.-]?\d{3}[ /.-]?\d{3}[ /.-]?\d{3}(?!\d|\.\d)/gu;
/** A number that an office gave, by what it is called. */
const OFFICIAL =
  /(?:passport|driver'?s licen[cs]e|driving licen[cs]e|social security|\bssn\b|national (?:insurance|id)|tax(?:payer)? (?:id|number|identification)|\btin\b|identity card|id card|reisepass|personalausweis|ausweis|führerschein|sozialversicherung|steuer-?(?:id|nummer)|identifikationsnummer|pasaporte|\bdni\b|\bnie\b|seguridad social|carnet|licencia de conducir|护照|身份证|驾照|社保)(?:[^.!?\n。！？]|(?<=\b(?:no|nr|núm))\.){0,24}?[\s:：#是为]((?=[A-Za-z]*\d)(?=(?:[A-Za-z .-]*\d){4})[A-Za-z0-9](?:[ .-]?[A-Za-z0-9]){4,20})(?![\p{Script=Latin}\p{N}])/giu;
const HANDLE = /(?<![\p{Script=Latin}\p{N}@./_])@[A-Za-z_](?:[\w.-]{0,80}\w)(?!@|[\w.-]*@)/gu;
const NAMED_USER =
  /(?:user ?name|screen ?name|gamertag|benutzername|nutzername|nombre de usuario|用户名|账号)(?:['’]s|\s+(?:is|on \w+ is|ist|lautet|es))?\s*[:：=是]?\s*["“'‘]?([A-Za-z][\w.-]{2,63})/giu;
/** As Reddit and Discord write them. */
const TAGGED_USER = /(?<![\p{Script=Latin}\p{N}/])u\/[\w-]{3,32}|(?<![\p{Script=Latin}\p{N}#])[A-Za-z][\w.]{1,31}#\d{4}(?!\d)/gu;
/** Words of other meanings too: "a fork handle since", "my login credentials". */
const CALLED_USER =
  /\b(?:login(?: name)?|handle|nickname|usuario|insta(?:gram)?|discord|telegram|snapchat|tiktok|twitter|wechat|微信号)(?:\s+(?:is|on \w+ is|ist|lautet|es)\s|\s*[:：=是])\s*["“'‘]?((?=[\w.-]*[\d_.-]\w)[A-Za-z][\w.-]{2,63}|[A-Za-z][\w-]{2,63}(?=\s*(?:$|[.,;!?)\n])))/giu;

/** @param folded as `folded` gives it */
export function findStructured(folded: string): IdentitySpan[] {
  const text = withPlainSigns(folded);
  return [
    ...findEmails(text),
    ...spansOf("URL", text, URL, (value) => PERSONAL_URL.test(value)),
    ...spansOf("URL", text, PROFILE),
    ...findAccounts(text),
    ...spansOf(
      "IP",
      text,
      IPV4,
      (_, before) => !/(?:version|release|\bv|firmware|build|section|§|chapter)\.?\s*$/iu.test(before),
    ),
    ...spansOf(
      "IP",
      text,
      IPV6,
      (value) =>
        value.length > 4 && (/::/.test(value) || ((value.match(/:/g)?.length ?? 0) >= 3 && /[a-f]|(?:[^:]+:){4}/iu.test(value))),
    ),
    ...spansOf("ID", text, SOCIAL_SECURITY),
    ...spansOf("ID", text, NATIONAL_INSURANCE),
    ...spansOf("ID", text, SPANISH_ID, isSpanishId),
    ...spansOf("ID", text, CHINESE_ID, isChineseId),
    ...spansOf("ID", text, TAX_ID, (value, before) => isGermanTaxId(value) && /steuer|tax|idnr|identifikation/iu.test(before)),
    ...spansOf("ID", text, OFFICIAL),
    ...spansOf("USERNAME", text, HANDLE),
    ...spansOf("USERNAME", text, TAGGED_USER),
    ...[NAMED_USER, CALLED_USER].flatMap((pattern) => spansOf("USERNAME", text, pattern, (value) => !COMMON.test(value))),
    ...findBirthDates(text),
    ...findSecrets(text).flatMap((secret) => everywhere(text, secret)),
    ...findPhones(text),
    ...findAddresses(text),
  ];
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
