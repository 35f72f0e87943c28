/** A statement of a turn's own sentences, word for word. */

import type { Statement } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { timeMentions } from "../text/time.js";
import type { Source } from "../types.js";
import { eventTimeOf, narrowWindows, withDates } from "./dates.js";
import type { SaidTurn } from "./evidence.js";
import { kindOf } from "./kinds.js";
import { type PlacedSentence, placedSentences } from "./sentences.js";

/** @param sentences of the turn, in its order, one or more */
export function toldBy(turn: SaidTurn, sentences: readonly PlacedSentence[], timeZone: string): Statement {
  const mentions = timeMentions(turn.text, { at: turn.at, timeZone, bias: "nearest" });
  const eventTime = eventTimeOf(mentions, sentences);
  const windows = narrowWindows(mentions);
  return {
    turnId: turn.id,
    subject: turn.name ?? turn.role,
    text: sentences.map(({ start, end }) => withDates(turn.text, start, end, mentions)).join(" "),
    indexText: sentences.map(({ text }) => text).join(" "),
    kind: kindOf(sentences.map(({ text }) => text).join(" "), turn.at, eventTime),
    tags: [],
    ...(eventTime && { eventTime }),
    ...(windows.length > 0 && { mentions: windows }),
    saidAt: turn.at,
    sources: sentences.map(
      ({ text }): Source => ({
        turnId: turn.id,
        role: turn.role,
        ...(turn.name !== undefined && { speaker: turn.name }),
        quote: text,
      }),
    ),
    identifiers: [...new Set(sentences.flatMap(({ text }) => findIdentifiers(text)))],
    salience: 1,
  };
}

/** The statement without some of its turn's sentences; undefined when it says nothing else. */
export function without(
  statement: Statement,
  gone: ReadonlySet<string>,
  turn: SaidTurn,
  timeZone: string,
): Statement | undefined {
  const quotes = statement.sources.filter(({ turnId }) => turnId === turn.id).map(({ quote }) => quote);
  const shown = placedSentences(turn.text).filter(({ text }) => quotes.some((quote) => quote.includes(text)));
  const kept = shown.filter(({ text }) => !gone.has(text));
  if (kept.length === shown.length) return statement;
  if (kept.length === 0) return undefined;
  const { text, sources, identifiers } = toldBy(turn, kept, timeZone);
  return { ...statement, text, sources, identifiers };
}
