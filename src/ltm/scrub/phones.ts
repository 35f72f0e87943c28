/** Telephone numbers: international ones by their country's rules (libphonenumber), national ones by their form and the words before. */

import { findPhoneNumbersInText } from "libphonenumber-js/min";
import { CUE_REACH, type IdentitySpan, spansOf } from "./span.js";

const DIALLED =
  "phone|telephone|\\btel\\b|mobile|\\bcell\\b|call(?:ed|ing)?|\\bring\\b|text(?:ed)?|whats\\s?app|signal|\\bsms\\b|\\bfax\\b|reach(?:ed)?|dial|contact|my number|number is|telefon|handy|mobil|ruf|anruf|nummer|teléfono|telefono|móvil|movil|celular|ll[aá]m[aeo]|número|电话|電話|手机|手機|号码是|致电|微信|联系";
/** Right before a number that people dial. */
const DIALLED_BEFORE = new RegExp(`(?:${DIALLED})[^.!?\\n。！？]{0,40}$`, "iu");
/** Right after one: "is my number", "(cell)", "ist ihre Nummer", "es mi móvil", "是我的电话". */
const DIALLED_AFTER =
  /^[\s,(–-]{0,3}(?:(?:is|was|ist|war|es|era|是)\s?)?(?:(?:my|his|her|our|their|the|mein|ihr|sein|unser|mi|su|tu|el|la|我的|他的|她的)\p{L}{0,2}\s?)?(?:new |old |neue |alte |nuevo )?(?:phone|telephone|mobile|cell|number|tel\b|fax|telefon|handy|mobil|nummer|teléfono|móvil|celular|número|电话|手机|号码)/iu;
/** Right before a number that is something else. */
const OTHER =
  /(?:order|invoice|ticket|tracking|parcel|reference|\bref\b|serial|account|\bitem\b|article|version|build|bestell|rechnung|artikel|auftrag|kunden|pedido|factura|ref\.|订单|单号|运单|编号|turnover|revenue|population|[$€£¥])[^.!?\n,;。！？，；]{0,16}$/iu;
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})$/;

/** Signs that people put between groups of digits. */
const GAP = "(?: ?[.\\-/] ?| )";
const GROUPED = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}.,/_-])(?:\\+\\d{1,3}${GAP}?|1[ .-])?(?:\\(0?\\d{1,5}\\)${GAP}?\\d{2,10}(?:${GAP}\\d{1,8}){0,5}|\\d{2,6}(?:${GAP}\\d{1,8}){1,6})(?: ?(?:x|ext\\.?|extension|Durchwahl) ?\\d{1,6})?(?![\\p{Script=Latin}\\p{N}_-]|[.,]\\d)`,
  "giu",
);
const PLAIN = /(?<![\p{Script=Latin}\p{N}.,/_+-])\+?\d{7,15}(?![\p{Script=Latin}\p{N}_-]|[.,]\d)/gu;
/** Forms that are dialled in one country or another, whatever stands around. Ten digits in one piece are none: so are numbers of orders. */
const NATIONAL =
  /^(?:\+\d{1,3}[-. /(].{8,}|\(\d{3}\) ?\d{3}[-. ]\d{4}|(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}|\(0\d{2,5}\)[ .-]?\d{3,}(?:[ .-]\d{2,})*|0\d{2,6}[ /-]\d{3,}(?:[ -]?\d{2,})*|0\d{3} \d{3} \d{4}|[679]\d{2} ?\d{3} ?\d{3}|[6789]\d{2} \d{2} \d{2} \d{2}|1[3-9]\d[ -]?\d{4}[ -]?\d{4})$/;

export function findPhones(text: string): IdentitySpan[] {
  const international = findPhoneNumbersInText(text).map(
    ({ startsAt, endsAt }): IdentitySpan => ({ type: "PHONE", start: startsAt, end: endsAt }),
  );
  const national = [GROUPED, PLAIN].flatMap((pattern) => spansOf("PHONE", text, pattern, isDialled));
  return [...international, ...national];
}

function isDialled(value: string, before: string, match: RegExpMatchArray): boolean {
  const number = value.replace(/ ?(?:x|ext|du)\D*\d+$/iu, "").replace(/ ?([./-]) ?/gu, "$1");
  const digits = number.replace(/\D/g, "").length;
  if (digits < 7 || digits > 15 || DATE.test(value) || OTHER.test(before)) return false;
  if (DIALLED_BEFORE.test(before) || NATIONAL.test(number)) return true;
  const end = (match.index ?? 0) + value.length;
  return DIALLED_AFTER.test(match.input?.slice(end, end + CUE_REACH) ?? "");
}
