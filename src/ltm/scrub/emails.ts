/** E-mail addresses, also those that are written so that no program should find them. */

import { type IdentitySpan, spansOf } from "./span.js";

/** A Chinese character may stand right before an address; a Latin letter makes it another word. */
const START = "(?<![\\p{Script=Latin}\\p{N}.+_-])";
/** What programs allow, but for the signs that part the fields of a form. */
const LOCAL = "(?:(?!\\p{Script=Han})[\\p{L}\\p{N}]|[.+_-])(?:(?!\\p{Script=Han})[\\p{L}\\p{N}]|[.+_'!#$%&*^{|}~-]){0,127}";
/** One script a label: an address ends where Chinese goes on. */
const LABEL = "(?:[\\p{Script=Latin}\\p{N}_-]{1,63}|(?:(?!\\p{Script=Latin})[\\p{L}\\p{N}-]){1,63})";
const DOT = "(?:\\.|。(?=[\\p{Script=Latin}\\p{N}]))";
const HOST = `(?:${LABEL}(?:${DOT}${LABEL}){1,8}|\\[[\\da-f.:]{4,45}\\])`;
const TOP =
  "(?:com|net|org|edu|gov|info|io|dev|app|me|co|eu|de|at|ch|es|mx|ar|cl|cn|hk|tw|uk|us|ca|au|fr|it|nl|se|dk|pl|pt|br|jp|in)(?![\\p{L}\\p{N}])";
const PROVIDER =
  "(?:gmail|googlemail|gmx|web|outlook|hotmail|live|yahoo|ymail|icloud|aol|proton|protonmail|posteo|mail|t-online|freenet|qq|163|126|foxmail|sina)";
const AT_WORD = "(?:at|ät|arroba|bei|艾特|@)";
const DOT_WORD = "(?:dot|punkt|punto|点)";

const PATTERNS: readonly RegExp[] = [
  new RegExp(`${START}${LOCAL}@${HOST}`, "giu"),
  new RegExp(`"[^"\\n]{1,64}"@${HOST}`, "giu"),
  /(?:\p{Script=Han}|[\w.-]){1,32}@(?:\p{Script=Han}{1,32}\.){1,3}\p{Script=Han}{1,8}/gu,
  // A user at a machine.
  new RegExp(`${START}[A-Za-z][\\w.+-]{1,63}@[A-Za-z][\\w-]{1,62}(?![\\w@])`, "gu"),
  new RegExp(`${START}[\\w.+-]{2,64} ?@ ?${LABEL}(?: ?\\. ?${LABEL}){0,3} ?\\. ?${TOP}`, "giu"),
  /(?<![\p{L}\p{N}])(?:[\w.+-] ){2,40}@(?: [\w.-]){3,60}(?![\p{L}\p{N}])/gu,
  new RegExp(
    `${START}(?:[\\w+-]{1,64} ?${DOT_WORD} ?)?[\\w.+-]{2,64} ?${AT_WORD} ?[\\w-]{2,63}(?: ?(?:${DOT_WORD}|\\.) ?[\\w-]{2,63}){0,2} ?${DOT_WORD} ?${TOP}`,
    "giu",
  ),
  new RegExp(`${START}[\\w.+-]{2,64} ?${AT_WORD} ?${PROVIDER}(?:${DOT}${LABEL}){0,2}${DOT}${TOP}`, "giu"),
];

/** @param text as `folded` gives it, in which a bracketed "at" is an at sign */
export function findEmails(text: string): IdentitySpan[] {
  return PATTERNS.flatMap((pattern) => spansOf("EMAIL", text, pattern));
}
