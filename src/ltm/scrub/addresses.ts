/** Postal addresses of English, German, Spanish and Chinese form: a street with its number, and what follows it. */

import { ENGLISH_ADDRESSES } from "./addresses/english.js";
import { GERMAN_ADDRESSES } from "./addresses/german.js";
import { SPANISH_ADDRESSES } from "./addresses/spanish.js";
import { type AddressForm, TOLD_ADDRESSES, TOWN_ADDRESSES } from "./addresses/whole.js";
import { CUE_REACH, type IdentitySpan } from "./span.js";

const HAN_NUMBER = "[\\d〇零一二三四五六七八九十百]{1,7}";
const CHINESE_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `(?:\\p{Script=Han}{2,8}(?:省|自治区))?(?:\\p{Script=Han}{2,8}市)?(?:\\p{Script=Han}{1,8}[区县])?\\p{Script=Han}{1,10}(?:路|街|大道|巷|弄|胡同) ?${HAN_NUMBER} ?(?:号|弄)(?: ?${HAN_NUMBER} ?(?:号楼?|栋|幢|楼|单元|室|层)){0,6}`,
      "gu",
    ),
  },
];
const FORMS: readonly AddressForm[] = [
  ...ENGLISH_ADDRESSES,
  ...GERMAN_ADDRESSES,
  ...SPANISH_ADDRESSES,
  ...CHINESE_ADDRESSES,
  ...TOWN_ADDRESSES,
  ...TOLD_ADDRESSES,
];

export function findAddresses(text: string): IdentitySpan[] {
  return FORMS.flatMap((form) => findForm(text, form));
}

function findForm(text: string, { pattern, accepts, rest }: AddressForm): IdentitySpan[] {
  const spans: IdentitySpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match.groups?.address ?? match[0];
    const start = match.index + match[0].lastIndexOf(value);
    let end = start + value.length;
    const around = { before: text.slice(Math.max(0, start - CUE_REACH), start), after: text.slice(end, end + CUE_REACH) };
    if (accepts && !accepts(match, around)) continue;
    if (rest) {
      rest.lastIndex = end;
      if (rest.test(text)) end = rest.lastIndex;
    }
    spans.push({ type: "ADDRESS", start, end });
  }
  return spans;
}
