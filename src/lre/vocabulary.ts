/** The words a stream has met: each spelling is analysed once, each stem has a number and its use so far. */

import { hashWord } from "./hash.js";
import { FLAG, flagsOf, lightStem } from "./lexicon.js";

/** Buckets of hashed words. */
export const BUCKETS = 1_024;

/** Spellings kept; beyond it a new spelling is analysed at each meeting, so memory stays bounded. */
const MAX_SPELLINGS = 200_000;

/** What is known of a spelling. */
export interface Word {
  readonly lower: string;
  readonly flags: number;
  /** Number of its stem, or -1 for a stop word. */
  readonly stem: number;
  readonly bucket: number;
  /** Last turn that counted it among its distinct words. */
  turn: number;
  /** Last turn that counted it among the words of first-person statements. */
  statementTurn: number;
  /** Whether it names a speaker, as of `speakersKnown` speakers. */
  namesSpeaker: boolean;
  speakersKnown: number;
}

/** Stems by number, with document frequency and last use; grows by doubling, O(1) a word. */
export class Vocabulary {
  private readonly words = new Map<string, Word>();
  private readonly stems = new Map<string, number>();
  /** Turns that held the stem, before the present one. */
  frequency = new Int32Array(1_024);
  /** Last turn that held it; -99 when none did. */
  lastTurn = new Int32Array(1_024).fill(-99);
  /** Last session that held it; -1 when none did. */
  lastSession = new Int32Array(1_024).fill(-1);

  /** @param spelling as it stands in the text, apostrophes of any kind */
  word(spelling: string): Word {
    const known = this.words.get(spelling);
    if (known !== undefined) return known;
    const word = this.analyse(spelling.replaceAll("’", "'"));
    if (this.words.size < MAX_SPELLINGS) this.words.set(spelling, word);
    return word;
  }

  get stemCount(): number {
    return this.stems.size;
  }

  private analyse(plain: string): Word {
    const lower = plain.toLowerCase();
    let flags = flagsOf(lower);
    const first = plain.charCodeAt(0);
    const isCapital = (first >= 65 && first <= 90) || (first > 127 && lower !== plain);
    if (isCapital && plain.length > 1 && !plain.startsWith("I'")) flags |= FLAG.capital;
    if (/\p{N}/u.test(lower)) flags |= FLAG.digit;
    const stem = flags & FLAG.stop ? -1 : this.stemNumber(lightStem(lower));
    return {
      lower,
      flags,
      stem,
      bucket: hashWord(`u${lower}`) % BUCKETS,
      turn: -1,
      statementTurn: -1,
      namesSpeaker: false,
      speakersKnown: 0,
    };
  }

  private stemNumber(stem: string): number {
    const known = this.stems.get(stem);
    if (known !== undefined) return known;
    const number = this.stems.size;
    this.stems.set(stem, number);
    if (number >= this.frequency.length) this.grow();
    return number;
  }

  private grow(): void {
    const size = this.frequency.length * 2;
    const copy = (from: Int32Array<ArrayBuffer>, fill: number): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(size).fill(fill);
      to.set(from);
      return to;
    };
    this.frequency = copy(this.frequency, 0);
    this.lastTurn = copy(this.lastTurn, -99);
    this.lastSession = copy(this.lastSession, -1);
  }
}
