/** Places in a text that name somebody or something of theirs. */

export type IdentityType =
  | "PERSON"
  | "EMAIL"
  | "PHONE"
  | "ADDRESS"
  | "URL"
  | "IBAN"
  | "CARD"
  | "ID"
  | "IP"
  | "KEY"
  | "BIRTHDATE"
  | "USERNAME"
  /** Text that looks like a placeholder and is none. */
  | "LITERAL";

export interface IdentitySpan {
  readonly type: IdentityType;
  readonly start: number;
  readonly end: number;
  /** What is the same for all forms of the same identity: a person's full name; the text itself by default. */
  readonly identity?: string;
}

/** In order and without overlap: of two that overlap the longer stays, of equals the first. */
export function withoutOverlap(spans: readonly IdentitySpan[]): IdentitySpan[] {
  const byLength = [...spans]
    .filter(({ start, end }) => end > start)
    .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: IdentitySpan[] = [];
  for (const span of byLength) {
    const at = placeAmong(kept, span.start);
    const before = kept[at - 1];
    const after = kept[at];
    if ((before === undefined || before.end <= span.start) && (after === undefined || span.end <= after.start))
      kept.splice(at, 0, span);
  }
  return kept;
}

/** How many of the spans, which are in order, begin before a place. */
function placeAmong(spans: readonly IdentitySpan[], start: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The spans of a pattern's matches, or of its first group where it has one.
 * @param accepts decides by the matched text and what stands before it */
export function spansOf(
  type: IdentityType,
  text: string,
  pattern: RegExp,
  accepts: (value: string, before: string, match: RegExpMatchArray) => boolean = () => true,
): IdentitySpan[] {
  const spans: IdentitySpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0];
    const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(match[1]));
    if (accepts(value, text.slice(Math.max(0, start - CUE_REACH), start), match))
      spans.push({ type, start, end: start + value.length });
  }
  return spans;
}

/** Characters beside a number in which a word tells what it is. */
export const CUE_REACH = 60;
