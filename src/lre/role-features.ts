/** Features of a turn between a person and an assistant, beside the 40 of dialogue: what a turn does, how it sits in its session,
 * and what of it came up before. Both roles fill the same columns; a model of a role uses those that speak for it. */

import { FLAG, flagsOf, lightStem } from "./lexicon.js";
import { countMatches, IMPERATIVES, MARKS, PASTED_LENGTH, PHRASES } from "./phrases.js";

export interface RoleTurn {
  readonly role: "user" | "assistant";
  readonly session: string | number;
  readonly text: string;
}

export const ROLE_FEATURES: readonly string[] = (
  "chars lineBreaks listItems bold code table foreign capitals quotes pasted lengthRank lengthToMean my " +
  "myRelation iAm iJust iEvent byTheWay request imperative likes quantities clocks counts relativeTimes since " +
  "places asAnAi sentences statementPasts longestStatement statementShare endsStating startsAsking statesAndAsks " +
  "statementTimes statementQuantities sessionStatementShare sessionFirstShare sessionHumanTurns sessionLongest " +
  "sessionPasted sessionImperative recurring recurringIdf recurringRare recurringStated overlap statesAfterReply " +
  "askedChars askedRequest askedImperative askedShare"
).split(" ");

/** Turns beyond this are read from their beginning: what a turn does shows there, and 1 MB must not cost a second. Characters. */
const READ_LENGTH = 8_000;
/** Sentences of an assistant's long turn are not read: nothing in them speaks of the person. Characters. */
const ASSISTANT_SENTENCES = 1_500;
const SENTENCE = /[^.!?\n]+[.!?]*/g;
const WORD = /[\p{L}\p{N}]+(?:'[a-z]+)?/gu;

interface Statements {
  sentences: number;
  words: number;
  stated: number;
  count: number;
  pasts: number;
  longest: number;
  times: number;
  quantities: number;
  endsStating: number;
  startsAsking: number;
  readonly stems: Set<string>;
}

/** First-person sentences that are no questions. */
function readStatements(text: string): Statements {
  const found: Statements = {
    sentences: 0,
    words: 0,
    stated: 0,
    count: 0,
    pasts: 0,
    longest: 0,
    times: 0,
    quantities: 0,
    endsStating: 0,
    startsAsking: 0,
    stems: new Set(),
  };
  for (const sentence of text.match(SENTENCE) ?? []) {
    const words = sentence.match(WORD);
    if (!words) continue;
    found.sentences++;
    found.words += words.length;
    const asks = sentence.includes("?");
    if (found.sentences === 1) found.startsAsking = asks || PHRASES.request.test(sentence) ? 1 : 0;
    found.endsStating = 0;
    if (asks || !PHRASES.firstPerson.test(sentence)) continue;
    found.endsStating = 1;
    found.count++;
    found.stated += words.length;
    found.longest = Math.max(found.longest, words.length);
    if (PHRASES.past.test(sentence)) found.pasts++;
    if (countMatches(sentence, PHRASES.relativeTime, 1) > 0) found.times++;
    if ([PHRASES.quantity, PHRASES.clock, PHRASES.numberWord].some((pattern) => countMatches(sentence, pattern, 1) > 0))
      found.quantities++;
    for (const word of words) found.stems.add(lightStem(word.toLowerCase()));
  }
  return found;
}

function stemsOf(text: string, limit: number): Set<string> {
  const stems = new Set<string>();
  for (const word of text.slice(0, limit).toLowerCase().match(WORD) ?? [])
    if ((flagsOf(word) & FLAG.stop) === 0) stems.add(lightStem(word));
  return stems;
}

/** Streams over one conversation, like `DialogueFeatures`; O(text) a turn, memory grows with the person's vocabulary. */
export class RoleFeatures {
  readonly dense = new Float64Array(ROLE_FEATURES.length);
  private session: string | number | undefined;
  private sessions = 0;
  private inSession = { share: 0, turns: 0, firstShare: 0, longest: 0, pasted: 0, imperative: 0 };
  private readonly lengths: number[] = [];
  /** Sessions in which a human used a stem, and the last of them. */
  private readonly used = new Map<string, { count: number; last: number }>();
  private lastReply: ReadonlySet<string> | undefined;
  private lastHuman: ReadonlySet<string> | undefined;
  /** Distinct content stems of the present turn, from its first few thousand characters. */
  stems: ReadonlySet<string> = new Set();
  private asked = { chars: 0, request: 0, imperative: 0, share: 0 };
  private chars = 0;
  private turns = 0;

  push(turn: RoleTurn): void {
    if (turn.session !== this.session) {
      this.session = turn.session;
      this.sessions++;
      this.inSession = { share: 0, turns: 0, firstShare: 0, longest: 0, pasted: 0, imperative: 0 };
      this.lastReply = this.lastHuman = undefined;
    }
    const isHuman = turn.role === "user";
    const text = turn.text.slice(0, READ_LENGTH).replaceAll("’", "'");
    const length = turn.text.length;
    const statements: Statements = isHuman || length < ASSISTANT_SENTENCES ? readStatements(text) : readStatements("");
    const share = statements.words > 0 ? statements.stated / statements.words : 0;
    const request = PHRASES.request.test(text) ? 1 : 0;
    const first = /[\p{L}']+/u.exec(text)?.[0].toLowerCase() ?? "";
    const imperative = isHuman && IMPERATIVES.has(first) ? 1 : 0;
    const pasted = isHuman && length > PASTED_LENGTH ? 1 : 0;
    this.chars += length;
    this.turns++;
    const values: number[] = [];
    this.pushForm(values, text, length, isHuman, pasted);
    this.pushPhrases(values, text, request, imperative);
    this.pushStatements(values, statements, share, request);
    if (isHuman) this.countInSession(share, statements.longest, pasted, imperative);
    this.pushSession(values);
    this.pushRecurrence(values, text, isHuman, statements);
    const { asked } = this;
    values.push(...(isHuman ? [0, 0, 0, 0] : [asked.chars, asked.request, asked.imperative, asked.share]));
    this.dense.set(values);
    if (isHuman) this.asked = { chars: Math.log1p(length), request, imperative, share };
  }

  private pushForm(values: number[], text: string, length: number, isHuman: boolean, pasted: number): void {
    let foreign = 0;
    let capitals = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) foreign++;
      else if (code >= 65 && code <= 90) capitals++;
    }
    let rank = 0.5;
    if (isHuman) {
      const recent = this.lengths;
      if (recent.length > 5) rank = recent.filter((other) => other < length).length / recent.length;
      recent.push(length);
      if (recent.length > 100) recent.shift();
    }
    const read = Math.max(1, text.length);
    values.push(
      Math.log1p(length),
      Math.log1p(countMatches(text, MARKS.lineBreak, 200)),
      Math.log1p(countMatches(text, MARKS.list, 200)),
      Math.log1p(countMatches(text, MARKS.bold, 200)),
      MARKS.code.test(text) ? 1 : 0,
      countMatches(text, MARKS.cell, 6) >= 6 ? 1 : 0,
      Math.min(1, (foreign / read) * 3),
      (capitals / read) * 10,
      countMatches(text, MARKS.quote, 6),
      pasted,
      rank,
      Math.log((length + 20) / (this.chars / this.turns + 20)),
    );
  }

  private pushPhrases(values: number[], text: string, request: number, imperative: number): void {
    values.push(
      countMatches(text, PHRASES.my, 5),
      countMatches(text, PHRASES.myRelation, 3),
      countMatches(text, PHRASES.iAm, 4),
      countMatches(text, PHRASES.iJust, 3),
      countMatches(text, PHRASES.iEvent, 4),
      PHRASES.byTheWay.test(text) ? 1 : 0,
      request,
      imperative,
      PHRASES.preference.test(text) ? 1 : 0,
      countMatches(text, PHRASES.quantity, 4),
      countMatches(text, PHRASES.clock, 3),
      countMatches(text, PHRASES.numberWord, 2),
      countMatches(text, PHRASES.relativeTime, 3),
      countMatches(text, PHRASES.since, 3),
      countMatches(text, PHRASES.place, 5),
      PHRASES.asAnAi.test(text) ? 1 : 0,
    );
  }

  private pushStatements(values: number[], statements: Statements, share: number, request: number): void {
    values.push(
      Math.log1p(statements.sentences),
      Math.min(4, statements.pasts),
      Math.log1p(statements.longest),
      share,
      statements.endsStating,
      statements.startsAsking,
      statements.count > 0 && request ? 1 : 0,
      Math.min(3, statements.times),
      Math.min(3, statements.quantities),
    );
  }

  private countInSession(share: number, longest: number, pasted: number, imperative: number): void {
    const session = this.inSession;
    session.turns++;
    session.share += share;
    if (session.turns === 1) session.firstShare = share;
    session.longest = Math.max(session.longest, longest);
    session.pasted = Math.max(session.pasted, pasted);
    session.imperative += imperative;
  }

  /** Session columns alone, as they stand now: at eviction time a unit is seen with the end of its session. */
  sessionValues(): number[] {
    const session = this.inSession;
    const turns = Math.max(1, session.turns);
    return [
      session.share / turns,
      session.firstShare,
      Math.log1p(session.turns),
      Math.log1p(session.longest),
      session.pasted,
      session.imperative / turns,
    ];
  }

  private pushSession(values: number[]): void {
    values.push(...this.sessionValues());
  }

  /** Content stems that a human used in earlier sessions: what comes up again will be asked for again. */
  private pushRecurrence(values: number[], text: string, isHuman: boolean, statements: Statements): void {
    const stems = stemsOf(text, isHuman ? 4_000 : 3_000);
    this.stems = stems;
    let recurring = 0;
    let idf = 0;
    let rare = 0;
    let stated = 0;
    let shared = 0;
    const other = isHuman ? this.lastReply : this.lastHuman;
    for (const stem of stems) {
      if (other?.has(stem)) shared++;
      if (!isHuman) continue;
      const use = this.used.get(stem);
      const earlier = use ? (use.last === this.sessions ? use.count - 1 : use.count) : 0;
      const weight = earlier > 0 ? Math.log((this.sessions + 1) / (earlier + 0.5)) : 0;
      if (weight > 0) {
        recurring++;
        idf += weight;
        if (earlier <= 2) {
          rare++;
          if (statements.stems.has(stem)) stated++;
        }
      }
      if (!use) this.used.set(stem, { count: 1, last: this.sessions });
      else if (use.last !== this.sessions) {
        use.count++;
        use.last = this.sessions;
      }
    }
    const base = isHuman ? stems.size : (other?.size ?? 0);
    values.push(Math.log1p(recurring), Math.log1p(idf), Math.log1p(rare), Math.log1p(stated), base > 0 ? shared / base : 0);
    values.push(isHuman && this.lastReply && statements.count > 0 ? 1 : 0);
    if (isHuman) this.lastHuman = stems;
    this.lastReply = isHuman ? undefined : stems;
  }
}
