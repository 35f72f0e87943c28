/** Finds what a paraphrase would ruin: codes, addresses, amounts and the like, character for character. */

/** Characters looked at; who pastes more than this pastes a file. */
const MAX_LENGTH = 100_000;
/** At most this many of one text are kept. */
const MAX_IDENTIFIERS = 200;

const CURRENCY_WORD =
  "(?:dollars?|euros?|pounds?|francs?|yen|yuan|rupees?|bucks|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|元|块|塊|円|欧元|美元|€|£|¥|₹|\\$)";
const AMOUNT = "\\d{1,3}(?:[.,' ]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?";

/** Telephone numbers: with a plus, with brackets, or in groups; dates and their like are sorted out by {@link isDialled}. */
const DIALLED =
  /(?<![\w.])(?:\+\d{1,3}(?:[ .\-/]?(?:\(\d{1,5}\)|\d{2,12})){1,5}|\(\d{2,5}\)[ .-]?\d{2,8}(?:[ .\-/]\d{2,8}){0,4}|\d{2,5}(?:[ .\-/]\d{2,5}){1,5})(?![\w-])/gu;

/** In the order in which they claim their text. None can backtrack over more than a line. */
const PATTERNS: readonly RegExp[] = [
  /\b(?:https?|ftp|wss?|file|git|ssh):\/\/[^\s<>"“”「」，。；）]+|\bwww\.[^\s<>"“”，。；）]+/giu,
  // A JSON web token.
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/gu,
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/gu,
  /(?<![\w:/\\])[A-Za-z]:\\[^\s"<>|,;]+/gu,
  /(?<![\p{L}\p{N}/.~:_-])(?:~\/|\.{1,2}\/|\/(?=[\w.@-]+[/.]))[\w.@+-]+(?:\/[\w.@+-]+)*\/?/gu,
  // IBAN, payment card.
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/gu,
  /(?<![\d-])\d{4}(?:[ -]\d{4}){3}(?![\d-])/gu,
  new RegExp(`(?:US|A|C)?[$€£¥₹]\\s?(?:${AMOUNT})(?:\\s?(?:k|m|bn|thousand|million|billion)\\b)?`, "giu"),
  new RegExp(`(?<![\\d.,])(?:${AMOUNT})(?:\\s?(?:k|thousand|million|billion))?\\s?${CURRENCY_WORD}(?![\\p{L}])`, "giu"),
  DIALLED,
  /(?<![\p{L}\p{N}])#[\p{L}\p{N}][\w-]*/gu,
];

/** Tokens of letters and digits, joined by signs that stand inside codes. */
const TOKEN = /[A-Za-z0-9](?:[A-Za-z0-9]|[-_.:/+=](?=[A-Za-z0-9]))*={0,2}/gu;
/** The sentence's own marks after an address; a loop, since a pattern for them is quadratic in long runs. */
const TRAILING = new Set(".,;:!?'\"’”)]}>* ");
const DATE_OR_TIME =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[:.]\d{2}(?::\d{2})?(?:[ap]m)?|\d{4}[-–]\d{2,4}|\d{4}-\d{2}-\d{2}T[\d:.]+Z?|\d{1,2}[-–]\d{1,2})$/iu;
/** "5km", "3rd", "10am", "1980s", "4x", "24-hour", "mid-2020": measures and words, no codes. */
const MEASURE =
  /^(?:\d+(?:[.,]\d+)?[-]?(?:st|nd|rd|th|s|am|pm|k|km|m|cm|mm|mi|ft|in|kg|g|mg|lbs?|oz|l|ml|h|hrs?|hours?|min(?:s|utes?)?|ms|sec(?:s|onds?)?|x|d|w|mo|yrs?|gb|mb|kb|tb|px|mph|kmh|kwh?|v|hz|mhz|ghz|c|f|ish|plus|fold|way|day|days|week|weeks|month|months|year|years|year-olds?|yo)|(?:mid|pre|post|early|late|non|under|over|top|half)-\d+s?|\d+(?:-[a-z]+)+)$/iu;
const WORDY = /^(?:[a-z]+-)*[a-z]+-\d{1,2}$/u;
/** Words that announce a code, right before it. */
const CUE =
  /(?:\b(?:code|order|booking|reservation|confirmation|reference|ref|pnr|locator|ticket|invoice|account|case|claim|serial|tracking|model|room|gate|seat|flight|locker|pin|port|extension|ext|id|number|no|nr|nº|num|passport|licen[cs]e|plate|apartment|apt|unit|release|version|build|issue|bestellung|buchung|zimmer|nummer|konto|pedido|reserva|habitación|número)\b\.?(?:\s(?:is|number|no\.?|id|code|ist|es))*|订单号?|编号|号码|房间|航班|密码|尾号|口令|(?:号|號)[是为])[\s:#=“"'(]*$/iu;

const hasBoth = (token: string): boolean => /\d/.test(token) && /[A-Za-z]/.test(token);

function isCode(token: string, before: string): boolean {
  if (DATE_OR_TIME.test(token) || MEASURE.test(token)) return false;
  const cued = (): boolean => CUE.test(before);
  if (/^\d+$/.test(token)) return token.length >= 6 || (token.startsWith("0") && token.length >= 2) || cued();
  if (/^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/i.test(token)) return /^v/i.test(token) || token.split(".").length > 2 || cued();
  if (/^\d+(?:[-/:.]\d+)+$/.test(token)) return token.length >= 7 || cued();
  if (hasBoth(token)) return !WORDY.test(token) || cued();
  // Capitals alone are words, unless something announces them; lower case with "_" is a name in code.
  if (/^[A-Z]{5,8}$/.test(token)) return cued();
  if (/^[A-Z][A-Z_]+_[A-Z_]+$|^[a-z]+(?:_[a-z]+)+$/.test(token)) return true;
  return token.length >= 32 && /[A-Z]/.test(token) && /[a-z]/.test(token) && !token.includes("/");
}

interface Claim {
  readonly index: number;
  readonly text: string;
}

/** Whether a run of digit groups is a number that people dial: a plus, brackets, a leading zero, or three and four digits. */
function isDialled(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  if (digits < 7 || digits > 15) return false;
  if (DATE_OR_TIME.test(text) || /\d{4}-\d{2}-\d{2}|^(?:\d{1,3}\.){3}\d{1,3}$/.test(text)) return false;
  return /^[+(0]/.test(text) || /^\d{3}[ .-]\d{3,4}(?:[ .-]\d{4})?$/.test(text);
}

/** The identifiers of a text, verbatim, in order, each once: ids, codes, hashes and tokens, addresses of the net, paths, e-mail
 * addresses, telephone numbers, amounts with their currency, versions. Of the first 100,000 characters, at most 200. */
export function findIdentifiers(text: string): string[] {
  const looked = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
  if (!/[\d@/\\_#]|[A-Z]{5}|[A-Za-z]{32}/.test(looked)) return [];
  let rest = looked;
  const claims: Claim[] = [];
  for (const pattern of PATTERNS) {
    rest = rest.replace(pattern, (match: string, ...groups: unknown[]) => {
      const index = groups.find((group) => typeof group === "number") as number;
      const trimmed = trimmedTail(match);
      if (trimmed === "" || (pattern === DIALLED && !isDialled(trimmed))) return match;
      claims.push({ index, text: trimmed });
      return " ".repeat(match.length);
    });
  }
  for (const match of rest.matchAll(TOKEN)) {
    const token = match[0];
    if (token.length > 1 && isCode(token, rest.slice(Math.max(0, match.index - 32), match.index)))
      claims.push({ index: match.index, text: token });
  }
  claims.sort((left, right) => left.index - right.index);
  return [...new Set(claims.map((one) => one.text))].slice(0, MAX_IDENTIFIERS);
}

/** Without the punctuation of the sentence; a bracket that was opened inside stays. */
function trimmedTail(match: string): string {
  let end = match.length;
  while (end > 0 && TRAILING.has(match[end - 1] ?? "")) end -= 1;
  const body = match.slice(0, end);
  return match[end] === ")" && body.includes("(") ? `${body})` : body.trim();
}
