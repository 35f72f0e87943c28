/** The 40 dense features and hashed words of a turn of dialogue, from the turns before it alone: one pass, no look-ahead. */

import { FLAG } from "./lexicon.js";
import { type ScanListener, scan } from "./scan.js";
import { Vocabulary, type Word } from "./vocabulary.js";

/** A turn as the scorer sees it. */
export interface DialogueTurn {
  readonly speaker: string;
  /** Turns of one session carry the same value. */
  readonly session: string | number;
  readonly text: string;
  /** What a shared image shows, in words. */
  readonly caption?: string;
}

/** Names of the features, in their order; in a model file they say what a weight is for. */
export const DIALOGUE_FEATURES: readonly string[] = (
  "statementIdf answerNewStems relativeTime newEntities sumIdf captionWords previousQuestionShare statementWords " +
  "newStems freshStems meanIdf answers lengthRatio sessionNewStems personPast entities previousEndsAsking " +
  "timeWord genericShare newShare firstPerson stopShare questionShare sessionTurn idfRank length hasCaption " +
  "previousAsksWh pastWords eventVerbs relations preferences secondPerson thanks reaction namesSpeaker digits " +
  "numbers statementTime statementTimePast"
).split(" ");

const RANK_WINDOW = 200;
/** At most this many distinct buckets of a turn are kept; a turn of 1 MB has no more to say. */
const MAX_BUCKETS = 512;
const LOGS = Float64Array.from({ length: 4_096 }, (_, n) => Math.log(n + 0.5));
/** ln(count + .5) */
const logOf = (count: number): number => (count < 4_096 ? (LOGS[count] as number) : Math.log(count + 0.5));

const bit = (flags: number, flag: number): number => ((flags & flag) === 0 ? 0 : 1);

const noCounts = () => ({
  stop: 0,
  firstPerson: 0,
  second: 0,
  past: 0,
  event: 0,
  preference: 0,
  relation: 0,
  generic: 0,
  number: 0,
  time: 0,
  digit: 0,
});

/** Streams over one conversation. Call {@link push} for each turn in order and read {@link dense} and {@link buckets} before the next.
 * O(words) a turn; memory grows with the vocabulary only. */
export class DialogueFeatures implements ScanListener {
  readonly dense = new Float64Array(DIALOGUE_FEATURES.length);
  readonly buckets = new Int32Array(MAX_BUCKETS);
  bucketCount = 0;
  readonly vocabulary = new Vocabulary();

  private turn = 0;
  private session = -1;
  private sessionKey: string | number | undefined;
  private sessionTurn = 0;
  private readonly speakers = new Set<string>();
  private readonly entities = new Set<string>();
  private readonly idfs = new Float64Array(RANK_WINDOW);
  private previous = { words: 0, questions: 0, questionShare: 0, endsAsking: 0, asksWh: 0, speaker: "" };

  // Of the present turn.
  private readonly bucketTurn = new Int32Array(1_024).fill(-1);
  private touched: number[] = [];
  private capitals: string[] = [];
  private sentence: Word[] = [];
  private first: Word | undefined;
  private flags = 0;
  private words = 0;
  private count = noCounts();
  private sentences = 0;
  private questions = 0;
  private endsAsking = 0;
  private asksWh = 0;
  private relativeTime = 0;
  private namesSpeaker = 0;
  private entityCount = 0;
  private newEntities = 0;
  private idf = 0;
  private distinct = 0;
  private fresh = 0;
  private unseen = 0;
  private sessionUnseen = 0;
  private statementWords = 0;
  private statementIdf = 0;
  private statementTime = 0;
  private statementTimePast = 0;
  private logTurns = 0;
  private previousFlags = 0;

  push(turn: DialogueTurn): void {
    if (this.sessionKey !== turn.session || this.session < 0) {
      this.sessionKey = turn.session;
      this.session++;
      this.sessionTurn = 0;
    } else this.sessionTurn++;
    this.speakers.add(turn.speaker.toLowerCase());
    this.clear();
    scan(turn.text, this);
    this.write(turn);
    this.remember(turn.speaker);
  }

  private clear(): void {
    this.touched = [];
    this.capitals = [];
    this.sentence = [];
    this.first = undefined;
    this.count = noCounts();
    this.flags =
      this.words =
      this.sentences =
      this.questions =
      this.endsAsking =
      this.asksWh =
      this.relativeTime =
      this.namesSpeaker =
        0;
    this.entityCount = this.newEntities = this.idf = this.distinct = this.fresh = this.unseen = this.sessionUnseen = 0;
    this.statementWords = this.statementIdf = this.statementTime = this.statementTimePast = this.previousFlags = 0;
    this.bucketCount = 0;
    this.logTurns = Math.log(this.turn + 2);
  }

  word(spelling: string): void {
    const word = this.vocabulary.word(spelling);
    this.first ??= word;
    this.words++;
    if (word.flags !== 0) this.countFlags(word, word.flags);
    if (word.turn !== this.turn) this.countDistinct(word);
    this.previousFlags = word.flags;
    this.sentence.push(word);
  }

  private countFlags(word: Word, flags: number): void {
    const { count } = this;
    this.flags |= flags;
    if (flags & FLAG.stop) count.stop++;
    if (flags & FLAG.firstPerson) count.firstPerson++;
    if (flags & FLAG.secondPerson) count.second++;
    if (flags & FLAG.past) count.past++;
    if (flags & FLAG.event) count.event++;
    if (flags & FLAG.preference) count.preference++;
    if (flags & FLAG.relation) count.relation++;
    if (flags & FLAG.generic) count.generic++;
    if (flags & FLAG.number) count.number++;
    if (flags & FLAG.time) count.time++;
    if (flags & FLAG.digit) count.digit++;
    if (flags & FLAG.relative || (flags & FLAG.unit && this.previousFlags & FLAG.lead)) this.relativeTime = 1;
    if ((flags & FLAG.capital) === 0) return;
    this.capitals.push(word.lower);
    if (this.isSpeaker(word)) this.namesSpeaker = 1;
    // A capital at a sentence's start says nothing.
    else if (this.sentence.length > 0) {
      this.entityCount++;
      if (!this.entities.has(word.lower)) this.newEntities++;
    }
  }

  private countDistinct(word: Word): void {
    word.turn = this.turn;
    const isName = bit(word.flags, FLAG.capital) === 1 && this.isSpeaker(word);
    if (!isName && this.bucketTurn[word.bucket] !== this.turn && this.bucketCount < MAX_BUCKETS) {
      this.bucketTurn[word.bucket] = this.turn;
      this.buckets[this.bucketCount++] = word.bucket;
    }
    const { stem } = word;
    const { frequency, lastTurn, lastSession } = this.vocabulary;
    if (stem < 0 || lastTurn[stem] === this.turn) return;
    const seen = frequency[stem] as number;
    this.idf += this.logTurns - logOf(seen);
    this.distinct++;
    if (seen === 0) this.unseen++;
    if (lastSession[stem] !== this.session) this.sessionUnseen++;
    if (this.turn - (lastTurn[stem] as number) > 5) this.fresh++;
    lastTurn[stem] = this.turn;
    this.touched.push(stem);
  }

  private isSpeaker(word: Word): boolean {
    if (word.speakersKnown !== this.speakers.size) {
      word.speakersKnown = this.speakers.size;
      word.namesSpeaker = this.speakers.has(word.lower);
      if (word.lower.length > 2) for (const name of this.speakers) if (name.startsWith(word.lower)) word.namesSpeaker = true;
    }
    return word.namesSpeaker;
  }

  sentenceEnd(isQuestion: boolean, isLast: boolean): void {
    this.sentences++;
    let flags = 0;
    for (const word of this.sentence) flags |= word.flags;
    if (isQuestion) {
      this.questions++;
      if (isLast) this.endsAsking = 1;
      if (flags & FLAG.question) this.asksWh = 1;
    } else if (flags & (FLAG.firstPerson | FLAG.firstPlural)) this.countStatement(flags);
    this.sentence = [];
    this.previousFlags = 0;
  }

  /** A sentence that is no question and holds a first person: where facts about a speaker are. */
  private countStatement(flags: number): void {
    this.statementWords += this.sentence.length;
    const scale = Math.log(this.turn + 3);
    for (const word of this.sentence) {
      if (word.stem < 0 || word.statementTurn === this.turn) continue;
      word.statementTurn = this.turn;
      this.statementIdf += (this.logTurns - logOf(this.vocabulary.frequency[word.stem] as number)) / scale;
    }
    if (flags & FLAG.time) {
      this.statementTime = 1;
      if (flags & FLAG.past) this.statementTimePast = 1;
    }
  }

  private write(turn: DialogueTurn): void {
    const { dense, count, words, previous } = this;
    const answers = previous.questions > 0 && previous.speaker !== turn.speaker ? 1 : 0;
    const distinct = this.distinct || 1;
    const filled = Math.min(RANK_WINDOW, this.turn);
    let below = 0;
    if (filled > 10) for (let i = 0; i < filled; i++) if ((this.idfs[i] as number) < this.idf) below++;
    const hasCaption = turn.caption ? 1 : 0;
    let k = 0;
    dense[k++] = Math.log1p(Math.max(0, this.statementIdf));
    dense[k++] = answers * Math.log1p(this.unseen);
    dense[k++] = this.relativeTime;
    dense[k++] = Math.min(3, this.newEntities);
    dense[k++] = this.idf / 20;
    dense[k++] = hasCaption ? Math.log1p((turn.caption ?? "").split(" ").length) : 0;
    dense[k++] = previous.questionShare;
    dense[k++] = Math.log1p(this.statementWords);
    dense[k++] = Math.log1p(this.unseen);
    dense[k++] = Math.log1p(this.fresh);
    dense[k++] = this.idf / distinct / Math.log(this.turn + 3);
    dense[k++] = answers;
    dense[k++] = this.turn > 0 ? Math.log((words + 2) / (previous.words + 2)) : 0;
    dense[k++] = Math.log1p(this.sessionUnseen);
    dense[k++] = this.flags & (FLAG.firstPerson | FLAG.firstPlural) && count.past > 0 ? 1 : 0;
    dense[k++] = Math.min(4, this.entityCount);
    dense[k++] = previous.endsAsking;
    dense[k++] = count.time > 0 ? 1 : 0;
    dense[k++] = count.generic / Math.max(1, words);
    dense[k++] = this.unseen / distinct;
    dense[k++] = Math.min(4, count.firstPerson);
    dense[k++] = words > 0 ? count.stop / words : 0;
    dense[k++] = this.questions / Math.max(1, this.sentences);
    dense[k++] = Math.min(30, this.sessionTurn) / 10;
    dense[k++] = filled > 10 ? below / filled : 0.5;
    dense[k++] = Math.log1p(words);
    dense[k++] = hasCaption;
    dense[k++] = previous.asksWh;
    dense[k++] = Math.min(4, count.past);
    dense[k++] = Math.min(3, count.event);
    dense[k++] = Math.min(3, count.relation);
    dense[k++] = Math.min(3, count.preference);
    dense[k++] = Math.min(4, count.second);
    dense[k++] = bit(this.flags, FLAG.thanks);
    dense[k++] = bit(this.first?.flags ?? 0, FLAG.reaction);
    dense[k++] = this.namesSpeaker;
    dense[k++] = Math.min(3, count.digit);
    dense[k++] = Math.min(2, count.number);
    dense[k++] = this.statementTime;
    dense[k++] = this.statementTimePast;
  }

  private remember(speaker: string): void {
    const { frequency, lastSession } = this.vocabulary;
    for (const stem of this.touched) {
      frequency[stem] = (frequency[stem] as number) + 1;
      lastSession[stem] = this.session;
    }
    for (const name of this.capitals) this.entities.add(name);
    this.idfs[this.turn % RANK_WINDOW] = this.idf;
    const questionShare = this.questions / Math.max(1, this.sentences);
    this.previous = {
      words: this.words,
      questions: this.questions,
      questionShare,
      endsAsking: this.endsAsking,
      asksWh: this.asksWh,
      speaker,
    };
    this.turn++;
  }
}
