/** Whether texts hold what a case asks for. */

import type { Check } from "./case.js";

const composed = (text: string): string => text.normalize("NFC");
const folded = (text: string): string => composed(text).toLowerCase();

/** Patterns that speak of half a character see code units, so the `u` flag would hide what they look for. */
function pattern(source: string): RegExp {
  return new RegExp(source, /\\u[dD][89a-fA-F]/.test(source) ? "i" : "iu");
}

/** @param wanted a plain string, `a||b`, `=x` or `re:pattern` */
export function holds(texts: readonly string[], wanted: string): boolean {
  if (wanted.startsWith("re:")) {
    const sought = pattern(wanted.slice(3));
    return texts.some((text) => sought.test(text));
  }
  if (wanted.startsWith("=")) return texts.some((text) => composed(text).includes(composed(wanted.slice(1))));
  return wanted.split("||").some((one) => texts.some((text) => folded(text).includes(folded(one))));
}

/** What is wrong with the texts, in words; empty when nothing is.
 * @param invariants beyond those of texts, and whether they hold */
export function faultsOf(check: Check, texts: readonly string[], invariants: ReadonlyMap<string, boolean> = new Map()): string[] {
  const faults: string[] = [];
  for (const wanted of check.mustContain ?? []) if (!holds(texts, wanted)) faults.push(`lacks ${JSON.stringify(wanted)}`);
  for (const unwanted of check.mustNotContain ?? []) if (holds(texts, unwanted)) faults.push(`holds ${JSON.stringify(unwanted)}`);
  if (check.entriesAtMost !== undefined) {
    const { match } = check;
    const count = match === undefined ? texts.length : texts.filter((text) => holds([text], match)).length;
    if (count > check.entriesAtMost) faults.push(`${count} texts, at most ${check.entriesAtMost} allowed`);
  }
  if (check.maxHanCharacters !== undefined) {
    const count = texts.join("").match(/\p{Script=Han}/gu)?.length ?? 0;
    if (count > check.maxHanCharacters) faults.push(`${count} Han characters, at most ${check.maxHanCharacters} allowed`);
  }
  for (const invariant of check.structure ?? []) {
    if (invariants.has(invariant)) {
      if (!invariants.get(invariant)) faults.push(`violates ${invariant}`);
    } else if (invariant !== "wellFormedUtf16") faults.push(`the harness does not know the invariant ${invariant}`);
    else if (texts.some((text) => /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)))
      faults.push("half a character");
  }
  return faults;
}
