/** Whether a topic comes back: how near a session and a human turn are to the person's words in other sessions. */

export const TOPIC_FEATURES: readonly string[] = (
  "earlierSession earlierSessionSecond anySession anySessionSecond earlierTurn earlierTurnSecond anyTurn " + "anyTurnSecond"
).split(" ");

/** Stems in more sessions than this link nothing; it also bounds the work of a revision. */
const MAX_SESSIONS_OF_STEM = 64;
/** Distinct stems of a session that count; what follows in an endless one repeats its topics. */
const MAX_STEMS_OF_SESSION = 5_000;
/** A session of more turns than this is compared with earlier ones at every sixteenth turn, so that one without an end costs no more a
 * turn than others do. */
const LONG_SESSION = 128;
const LONG_STEP = 16;

interface Session {
  readonly counts: Map<number, number>;
  readonly turns: { readonly at: number; readonly stems: readonly number[] }[];
}

interface Posting {
  readonly sessions: number[];
  readonly weights: number[];
}

/** Cosines with the sessions that share something, added up in place. */
class Similarities {
  private sums = new Float64Array(64);
  private touched: number[] = [];

  clear(): void {
    for (const session of this.touched) this.sums[session] = 0;
    this.touched = [];
  }

  add(session: number, value: number): void {
    if (session >= this.sums.length) {
      const wider = new Float64Array(2 * Math.max(session, this.sums.length));
      wider.set(this.sums);
      this.sums = wider;
    }
    if (this.sums[session] === 0) this.touched.push(session);
    this.sums[session] = (this.sums[session] as number) + value;
  }

  /** The two largest of the sessions before `end`, one of them left aside; 0 where there are none. */
  bestTwo(end: number, except = -1): [number, number] {
    let first = 0;
    let second = 0;
    for (const session of this.touched) {
      const value = session >= end || session === except ? 0 : (this.sums[session] as number);
      if (value > first) {
        second = first;
        first = value;
      } else if (value > second) second = value;
    }
    return [first, second];
  }
}

/** Cosines of tf·idf over human words; idf counts sessions. */
export class Topics {
  private readonly numbers = new Map<string, number>();
  private readonly sessions: Session[] = [];
  private readonly frequency: number[] = [];
  /** Earlier sessions as they stood when they closed, so that arrival looks at the past alone. */
  private readonly closed = new Map<number, Posting>();
  private key: string | number | undefined;
  private readonly similar = new Similarities();
  /** Of the present session, until another stem is heard in it. */
  private ofSession: [number, number] | undefined;

  /** @param at the caller's number of this turn, given back by {@link revise}
   * @param stems distinct content stems of a human turn; none for an assistant's
   * @returns the eight features as known on arrival */
  push(session: string | number, at: number, stems: Iterable<string>): number[] {
    if (this.sessions.length === 0 || session !== this.key) {
      this.close();
      this.key = session;
      this.ofSession = undefined;
      this.sessions.push({ counts: new Map(), turns: [] });
    }
    const current = this.sessions.at(-1) as Session;
    const { counts, turns } = current;
    const numbers: number[] = [];
    for (const stem of stems) {
      let number = this.numbers.get(stem);
      if (number === undefined) this.numbers.set(stem, (number = this.numbers.size));
      numbers.push(number);
      const count = counts.get(number) ?? 0;
      if (count === 0) {
        if (counts.size >= MAX_STEMS_OF_SESSION) continue;
        this.frequency[number] = (this.frequency[number] ?? 0) + 1;
      }
      counts.set(number, count + 1);
    }
    turns.push({ at, stems: numbers });
    if (numbers.length > 0 && (turns.length <= LONG_SESSION || turns.length % LONG_STEP === 0)) this.ofSession = undefined;
    const last = this.sessions.length - 1;
    this.ofSession ??= this.compare(this.weigh(counts), this.closed).bestTwo(last);
    const ofTurn = numbers.length > 0 ? this.compare(this.weighTurn(numbers), this.closed).bestTwo(last) : [0, 0];
    return [...this.ofSession, ...this.ofSession, ...ofTurn, ...ofTurn] as number[];
  }

  /** The features of every turn so far with all sessions known, in order of arrival.
   * O(stems · sessions that share them); a second for a thousand sessions. */
  revise(report: (at: number, features: readonly number[]) => void): void {
    const index = new Map<number, Posting>();
    const vectors = this.sessions.map((session) => this.weigh(session.counts));
    vectors.forEach((vector, number) => this.post(index, vector, number));
    this.sessions.forEach((session, number) => {
      const ofSession = this.compare(vectors[number] as Map<number, number>, index);
      const earlier = ofSession.bestTwo(number);
      const any = ofSession.bestTwo(this.sessions.length, number);
      for (const turn of session.turns) {
        if (turn.stems.length === 0) {
          report(turn.at, [...earlier, ...any, 0, 0, 0, 0]);
          continue;
        }
        const near = this.compare(this.weighTurn(turn.stems), index);
        report(turn.at, [...earlier, ...any, ...near.bestTwo(number), ...near.bestTwo(this.sessions.length, number)]);
      }
    });
  }

  private close(): void {
    const last = this.sessions.at(-1);
    if (last) this.post(this.closed, this.weigh(last.counts), this.sessions.length - 1);
  }

  private post(index: Map<number, Posting>, vector: ReadonlyMap<number, number>, session: number): void {
    for (const [stem, weight] of vector) {
      let posting = index.get(stem);
      if (!posting) index.set(stem, (posting = { sessions: [], weights: [] }));
      posting.sessions.push(session);
      posting.weights.push(weight);
    }
  }

  private idf(stem: number): number {
    return Math.max(0, Math.log((this.sessions.length + 1) / ((this.frequency[stem] ?? 0) + 0.5)));
  }

  private weigh(counts: ReadonlyMap<number, number>): Map<number, number> {
    const vector = new Map<number, number>();
    let norm = 0;
    for (const [stem, count] of counts) {
      const weight = (1 + Math.log(count)) * this.idf(stem);
      if (weight === 0) continue;
      vector.set(stem, weight);
      norm += weight * weight;
    }
    const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
    for (const [stem, weight] of vector) vector.set(stem, weight * scale);
    return vector;
  }

  private weighTurn(stems: readonly number[]): Map<number, number> {
    return this.weigh(new Map(stems.map((stem) => [stem, 1])));
  }

  private compare(vector: ReadonlyMap<number, number>, index: ReadonlyMap<number, Posting>): Similarities {
    const { similar } = this;
    similar.clear();
    const limit = Math.min(MAX_SESSIONS_OF_STEM, this.sessions.length / 2);
    for (const [stem, weight] of vector) {
      const frequency = this.frequency[stem] ?? 0;
      const posting = index.get(stem);
      if (!posting || frequency < 2 || (frequency > limit && frequency > 2)) continue;
      for (let k = 0; k < posting.sessions.length; k++)
        similar.add(posting.sessions[k] as number, weight * (posting.weights[k] as number));
    }
    return similar;
  }
}
