/** Whether a topic comes back: how near a session and a human turn are to the person's words in other sessions. */

export const TOPIC_FEATURES: readonly string[] = (
  "earlierSession earlierSessionSecond anySession anySessionSecond earlierTurn earlierTurnSecond anyTurn " + "anyTurnSecond"
).split(" ");

/** Stems in more sessions than this link nothing; it also bounds the work of a revision. */
const MAX_SESSIONS_OF_STEM = 64;

interface Session {
  readonly counts: Map<number, number>;
  readonly turns: { readonly at: number; readonly stems: readonly number[] }[];
}

interface Posting {
  readonly sessions: number[];
  readonly weights: number[];
}

/** The two largest of a list, 0 where there are none. */
function bestTwo(similarities: Float64Array, count: number, except: number): [number, number] {
  let first = 0;
  let second = 0;
  for (let i = 0; i < count; i++) {
    const value = i === except ? 0 : (similarities[i] as number);
    if (value > first) {
      second = first;
      first = value;
    } else if (value > second) second = value;
  }
  return [first, second];
}

/** Cosines of tf·idf over human words; idf counts sessions. */
export class Topics {
  private readonly numbers = new Map<string, number>();
  private readonly sessions: Session[] = [];
  private readonly frequency: number[] = [];
  /** Earlier sessions as they stood when they closed, so that arrival looks at the past alone. */
  private readonly closed = new Map<number, Posting>();
  private key: string | number | undefined;

  /** @param at the caller's number of this turn, given back by {@link revise}
   * @param stems distinct content stems of a human turn; none for an assistant's
   * @returns the eight features as known on arrival */
  push(session: string | number, at: number, stems: Iterable<string>): number[] {
    if (this.sessions.length === 0 || session !== this.key) {
      this.close();
      this.key = session;
      this.sessions.push({ counts: new Map(), turns: [] });
    }
    const current = this.sessions.at(-1) as Session;
    const numbers: number[] = [];
    for (const stem of stems) {
      let number = this.numbers.get(stem);
      if (number === undefined) this.numbers.set(stem, (number = this.numbers.size));
      numbers.push(number);
      const count = current.counts.get(number) ?? 0;
      if (count === 0) this.frequency[number] = (this.frequency[number] ?? 0) + 1;
      current.counts.set(number, count + 1);
    }
    current.turns.push({ at, stems: numbers });
    const last = this.sessions.length - 1;
    const ofSession = bestTwo(this.similarities(this.weigh(current.counts), this.closed), last, -1);
    const ofTurn = numbers.length > 0 ? bestTwo(this.similarities(this.weighTurn(numbers), this.closed), last, -1) : [0, 0];
    return [...ofSession, ...ofSession, ...ofTurn, ...ofTurn] as number[];
  }

  /** The features of every turn so far with all sessions known, in order of arrival.
   * O(stems · sessions that share them); a second for a thousand sessions. */
  revise(report: (at: number, features: readonly number[]) => void): void {
    const index = new Map<number, Posting>();
    const vectors = this.sessions.map((session) => this.weigh(session.counts));
    vectors.forEach((vector, number) => this.post(index, vector, number));
    this.sessions.forEach((session, number) => {
      const similarities = this.similarities(vectors[number] as Map<number, number>, index);
      const earlier = bestTwo(similarities, number, -1);
      const any = bestTwo(similarities, this.sessions.length, number);
      for (const turn of session.turns) {
        if (turn.stems.length === 0) {
          report(turn.at, [...earlier, ...any, 0, 0, 0, 0]);
          continue;
        }
        const near = this.similarities(this.weighTurn(turn.stems), index);
        report(turn.at, [...earlier, ...any, ...bestTwo(near, number, -1), ...bestTwo(near, this.sessions.length, number)]);
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

  private similarities(vector: ReadonlyMap<number, number>, index: ReadonlyMap<number, Posting>): Float64Array {
    const similarities = new Float64Array(this.sessions.length);
    const limit = Math.min(MAX_SESSIONS_OF_STEM, this.sessions.length / 2);
    for (const [stem, weight] of vector) {
      const frequency = this.frequency[stem] ?? 0;
      const posting = index.get(stem);
      if (!posting || frequency < 2 || (frequency > limit && frequency > 2)) continue;
      for (let k = 0; k < posting.sessions.length; k++) {
        const session = posting.sessions[k] as number;
        similarities[session] = (similarities[session] as number) + weight * (posting.weights[k] as number);
      }
    }
    return similarities;
  }
}
