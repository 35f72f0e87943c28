/** Keeps what a writer made up out of memory: a statement says only what its sources say, or the sources' own words are stored. */

import type { Statement } from "../ports.js";
import { findIdentifiers } from "../text/identifiers.js";
import { type TimeMention, timeMentions } from "../text/time.js";
import type { Source, TurnId, UngroundedFact } from "../types.js";
import { eventTimeOf, narrowWindows, withDates } from "./dates.js";
import { Evidence, type SaidTurn } from "./evidence.js";
import { placedSentences } from "./sentences.js";

export interface GroundingInput {
  /** The turn that the statement is of. */
  readonly turn: SaidTurn;
  /** Turns before it in its session, oldest first: what a statement says of them gets their sentence as a source. */
  readonly context: readonly SaidTurn[];
  /** IANA name. */
  readonly timeZone: string;
  /** A model wrote the statement: of every sentence most words must be the sources' own, or it is about something else. */
  readonly isModels?: boolean;
}

export interface Grounded {
  readonly statement: Statement;
  /** What the statement said and nobody did; empty where it stands as it was written. */
  readonly missing: readonly UngroundedFact[];
}

/** Sources that a fallback shows at most, in characters. */
const MAX_SHOWN = 1_600;

/** The statement as it is where its sources bear it out, with a context turn's sentence among them where it needs one; otherwise
 * its sources verbatim, with the dates of relative expressions beside them.
 *
 * Checked are numbers (in digits and words), dates (as windows of time, told or derived), identifiers (to the letter), names,
 * and whether something is denied, wished or guessed. */
export function ground(statement: Statement, { turn, context, timeZone, isModels = false }: GroundingInput): Grounded {
  const turns = new Map([...context, turn].map((one) => [one.id, one]));
  const quoted = statement.sources.filter(({ turnId, quote }) => quote !== "" && turns.get(turnId)?.text.includes(quote));
  const own = quoted.length > 0 ? quoted : wholeTurn(turn);
  const mentionsOf = mentionsCache(timeZone);
  const evidence = new Evidence(own, turns, mentionsOf);
  if (evidence.isVerbatim(statement.text))
    return {
      statement:
        own === statement.sources || own.length === statement.sources.length ? statement : { ...statement, sources: own },
      missing: [],
    };

  let sources: readonly Source[] = own;
  const missingFrom = (sayers: Evidence): UngroundedFact[] => [
    ...sayers.missingFrom(statement, timeZone),
    ...(isModels ? sayers.foreignWords(statement) : []),
  ];
  let missing = missingFrom(evidence);
  if (missing.length > 0) {
    const added = sourcesOf(missing, own, [turn, ...[...context].reverse()], turns, mentionsOf);
    if (added.length > 0) {
      sources = [...own, ...added];
      missing = missingFrom(new Evidence(sources, turns, mentionsOf));
    }
  }
  if (missing.length > 0) return { statement: verbatim(statement, own, turns, mentionsOf), missing };
  const texts = sources.map(({ quote }) => quote);
  return {
    statement: {
      ...statement,
      sources,
      identifiers: statement.identifiers.filter((one) => turn.text.includes(one) || texts.some((text) => text.includes(one))),
    },
    missing,
  };
}

type MentionsOf = (turn: SaidTurn) => readonly TimeMention[];

function mentionsCache(timeZone: string): MentionsOf {
  const read = new Map<TurnId, readonly TimeMention[]>();
  return (turn) => {
    let mentions = read.get(turn.id);
    if (!mentions) read.set(turn.id, (mentions = timeMentions(turn.text, { at: turn.at, timeZone, bias: "nearest" })));
    return mentions;
  };
}

/** A quote that is in no turn is no source; the turn's own sentences are. */
function wholeTurn(turn: SaidTurn): Source[] {
  let room = MAX_SHOWN;
  const sources: Source[] = [];
  for (const { text } of placedSentences(turn.text)) {
    if (text.length > room && sources.length > 0) break;
    room -= text.length;
    sources.push(sourceOf(turn, text.slice(0, MAX_SHOWN)));
  }
  return sources;
}

function sourceOf(turn: SaidTurn, quote: string): Source {
  return { turnId: turn.id, role: turn.role, ...(turn.name !== undefined && { speaker: turn.name }), quote };
}

/** For each missing fact the nearest sentence that says it. */
function sourcesOf(
  missing: readonly UngroundedFact[],
  own: readonly Source[],
  turns: readonly SaidTurn[],
  all: ReadonlyMap<TurnId, SaidTurn>,
  mentionsOf: MentionsOf,
): Source[] {
  const added: Source[] = [];
  for (const fact of missing) {
    if (fact.kind === "negation" || fact.kind === "wish") return [];
    if (added.some((source) => new Evidence([source], all, mentionsOf).holds(fact))) continue;
    const found = firstThat(turns, (turn) =>
      placedSentences(turn.text)
        .map(({ text }) => sourceOf(turn, text))
        .find(
          (source) => !own.some(({ quote }) => quote === source.quote) && new Evidence([source], all, mentionsOf).holds(fact),
        ),
    );
    if (!found) return [];
    added.push(found);
  }
  return added;
}

function firstThat<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What was said, word for word. */
function verbatim(
  statement: Statement,
  sources: readonly Source[],
  turns: ReadonlyMap<TurnId, SaidTurn>,
  mentionsOf: MentionsOf,
): Statement {
  const { eventTime: _, mentions: __, ...rest } = statement;
  const slices = sources.flatMap(({ turnId, quote }) => {
    const turn = turns.get(turnId);
    const start = turn?.text.indexOf(quote) ?? -1;
    return turn && start >= 0 ? [{ turn, start, end: start + quote.length }] : [];
  });
  const mentions = [...new Set(slices.map(({ turn }) => turn))].flatMap((turn) => mentionsOf(turn));
  const first = slices[0];
  const eventTime =
    first &&
    eventTimeOf(
      mentionsOf(first.turn),
      slices.filter(({ turn }) => turn === first.turn),
    );
  const windows = narrowWindows(mentions);
  return {
    ...rest,
    text: slices.map(({ turn, start, end }) => withDates(turn.text, start, end, mentionsOf(turn))).join(" "),
    sources,
    identifiers: [...new Set(sources.flatMap(({ quote }) => findIdentifiers(quote)))],
    ...(eventTime && { eventTime }),
    ...(windows.length > 0 && { mentions: windows }),
    fellBack: true,
  };
}
