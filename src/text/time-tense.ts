/** Tells whether the words around an expression of time speak of what was or of what will be. */

import { DAY } from "./calendar.js";
import type { Reference, Span, Tense, TenseCues } from "./time-span.js";

/** A dot ends a sentence before a space, and not after a title. */
const SENTENCE_END = /(?<!(?<!\p{L})(?:Dr|Mr|Mrs|Ms|St|Prof|Fr|Sr|Sra))[.](?=\s|$)|[!?\n。！？]/gu;
const SINCE = /^(?:since|seit|desde)(?!\p{L})/iu;
/** "Since the" or "last" right before: "last Friday, 5 May". */
const SINCE_END = /(?<!\p{L})(?:(?:since|seit|desde)(?: the| dem| el| la)?|last|letzten) $/iu;
/** A tense is told within this many characters. */
const REACH = 120;

/** Where the last match in a text ends, or -1. */
function lastEnd(pattern: RegExp, text: string): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Where the first match in a text starts, or infinitely far. */
function firstStart(pattern: RegExp, text: string): number {
  for (const match of text.matchAll(pattern)) return match.index;
  return Number.POSITIVE_INFINITY;
}

/** The verb nearest before the expression decides, then the nearest behind it. */
function verbTense(before: string, after: string, { past, future }: TenseCues): Tense {
  const [pastBefore, futureBefore] = [lastEnd(past, before), lastEnd(future, before)];
  if (pastBefore !== futureBefore) return pastBefore > futureBefore ? "past" : "future";
  const [pastAfter, futureAfter] = [firstStart(past, after), firstStart(future, after)];
  if (pastAfter !== futureAfter) return pastAfter < futureAfter ? "past" : "future";
  return "unknown";
}

const planned = (before: string, after: string, cues: TenseCues): Tense =>
  lastEnd(cues.planned, before) >= 0 || lastEnd(cues.planned, after) >= 0 ? "future" : "unknown";

/** The tense of the clause around an expression, of its sentence where the clause tells none. */
export function tenseAround(text: string, index: number, length: number, cues: TenseCues): Tense {
  const stop = index + length;
  const [lead, trail] = [text.slice(Math.max(0, index - REACH), index), text.slice(stop, stop + REACH)];
  const before = lead.slice(Math.max(0, lastEnd(SENTENCE_END, lead)));
  const after = trail.slice(0, Math.min(trail.length, firstStart(SENTENCE_END, trail)));
  const said = text.slice(index, stop);
  if (SINCE.test(said) || SINCE_END.test(before)) return "past";
  if (cues.aheadOf.test(before)) return "future";
  // The expression may carry a lead of its own: "on Tuesday".
  const clauseBefore = before.slice(Math.max(0, lastEnd(cues.clause, before)));
  const clauseAfter = after.slice(0, Math.min(after.length, firstStart(cues.clause, after)));
  for (const [left, right] of [
    [clauseBefore, clauseAfter],
    [before, after],
  ] as const) {
    const told = verbTense(left, right, cues);
    if (told !== "unknown") return told;
    // The expression's own "until" counts.
    const ahead = planned(left + said, right, cues);
    if (ahead !== "unknown") return ahead;
  }
  return "unknown";
}

/** From this ratio of the nearer distance to the farther on, neither date is told from the other. */
const DOUBTFUL_RATIO = 0.7;

const distanceOf = ({ from, to }: Span, { today }: Reference): number =>
  to <= today ? today - to + DAY : Math.max(0, from - today);

/** Of the last and the coming date that an expression may mean, the one fewer days away; doubtful where both are about as far. */
export function nearer(past: Span | undefined, future: Span | undefined, reference: Reference): Span | undefined {
  if (past === undefined || future === undefined) return past ?? future;
  const [back, ahead] = [distanceOf(past, reference), distanceOf(future, reference)];
  const nearest = back <= ahead ? past : future;
  const far = Math.max(back, ahead);
  if (past.label.wall === future.label.wall || far === 0) return nearest;
  return Math.min(back, ahead) >= DOUBTFUL_RATIO * far ? { ...nearest, doubtful: true } : nearest;
}
