/** Postal addresses of English, German, Spanish and Chinese form: a street with its number, and what follows it. */

import { type IdentitySpan, spansOf } from "./span.js";

const STREET =
  "(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Close|Crescent|Row|Highway|Hwy|Parkway|Pkwy|Circle|Cir|Mews|Gardens|Walk|Alley|Grove|Hill|Park)";
const WORD = "[\\p{Lu}][\\p{L}'’.-]*";
const UNIT = "(?:,? (?:Apt|Apartment|Unit|Flat|Suite|Ste|Floor|#)\\.? ?#?[\\w-]{1,6})?";
const ZIP = "(?:\\d{5}(?:-\\d{4})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})";
const ENGLISH_TOWN = `(?:,? ${WORD}(?: ${WORD}){0,2})?(?:,? (?:[A-Z]{2} )?${ZIP})?`;
/** Small words within the names of streets and towns. */
const ARTICLE =
  "(?:(?:der|den|dem|die|das|am|an|im|in|vor|bei|ob|zum|zur|de|del|la|las|los|el|y|les|dels|(?:alt|neu|hoh|lang|groß|klein|ober|unter)en?)(?!\\p{L}))";
const TOWN = `(?:,? \\d{4,5} ${WORD}(?:[ -]${WORD}){0,3}(?: \\(${WORD}\\))?)?`;

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}\\p{N}])\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:(?:${WORD}|\\d{1,3}(?:st|nd|rd|th)) ){1,4}${STREET}\\b\\.?${UNIT}${ENGLISH_TOWN}`,
    "gu",
  ),
  new RegExp(
    `(?<![\\p{L}])(?:${WORD}[ -]){0,3}(?:\\p{Lu}[\\p{L}-]*)?(?:[Ss]traße|[Ss]trasse|[Ss]tr\\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|[Dd]amm|[Uu]fer|[Cc]haussee|[Ss]teig|[Pp]fad) ?\\d{1,4} ?[a-z]?(?![\\p{L}\\p{N}])${TOWN}`,
    "gu",
  ),
  new RegExp(
    `(?<![\\p{L}])(?:[Cc]alle|C/|[Aa]venida|[Aa]v\\.|[Aa]vda\\.|[Pp]laza|[Pp]aseo|[Cc]amino|[Cc]arretera|[Rr]onda|[Tt]ravesía) ?(?:(?:de|del|la|las|los|el|y|${WORD}) ){0,5}${WORD},? (?:n\\.?º ?|número )?\\d{1,4}(?:,? ?\\d{1,2}\\.?º ?[A-Za-z]?)?${TOWN}`,
    "gu",
  ),
  /(?:\p{Script=Han}{2,8}(?:省|自治区))?(?:\p{Script=Han}{2,8}市)?(?:\p{Script=Han}{1,8}[区县])?\p{Script=Han}{1,10}(?:路|街|大道|巷|弄|胡同)\d{1,5}(?:号|弄)(?:\d{1,4}(?:号楼?|栋|幢|楼|单元|室|层))*/gu,
  // A number and words that end in a post code need no word for a street, nor do words and a number before one.
  new RegExp(`(?<![\\p{L}\\p{N}])\\d{1,5}[A-Za-z]?,? (?:${WORD},? ){2,8}(?:[A-Z]{2} )?${ZIP}(?![\\p{L}\\p{N}])`, "gu"),
  new RegExp(`(?<![\\p{L}])${WORD}(?: ${WORD}){0,2}, [A-Z]{2} \\d{5}(?:-\\d{4})?(?!\\d)`, "gu"),
  new RegExp(
    `(?<![\\p{L}])${WORD}(?:[ -](?:${ARTICLE}|${WORD})){0,6},? \\d{1,4} ?[a-z]?, \\d{5} ${WORD}(?:[ -](?:${ARTICLE}|${WORD})){0,4}(?: \\(${WORD}\\))?`,
    "gu",
  ),
  /\b(?:P\.? ?O\.? Box|Postfach|Apartado(?: de correos)?) \d{1,6}\b/gu,
];

export function findAddresses(text: string): IdentitySpan[] {
  return PATTERNS.flatMap((pattern) => spansOf("ADDRESS", text, pattern));
}
