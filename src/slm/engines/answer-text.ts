/** An answer as it grows: told piece by piece, and ended before the first stop. */

/** What may still become a stop is held back. */
export class AnswerText {
  readonly #stops: readonly string[];
  readonly #onToken: ((piece: string) => void) | undefined;
  #text = "";
  #told = 0;
  #stopped = false;

  constructor(stops: readonly string[] = [], onToken?: (piece: string) => void) {
    this.#stops = stops.filter((stop) => stop !== "");
    this.#onToken = onToken;
  }

  get text(): string {
    return this.#text;
  }

  /** A stop was written: what follows is not the answer's. */
  get stopped(): boolean {
    return this.#stopped;
  }

  add(piece: string): void {
    if (this.#stopped || piece === "") return;
    const searched = this.#text.length;
    this.#text += piece;
    // The first that is whole ends the answer, however it was cut into pieces.
    let first: { readonly start: number; readonly end: number } | undefined;
    for (const stop of this.#stops) {
      const start = this.#text.indexOf(stop, Math.max(0, searched - stop.length + 1));
      const end = start + stop.length;
      if (start >= 0 && (!first || end < first.end || (end === first.end && start < first.start))) first = { start, end };
    }
    if (first) {
      this.#stopped = true;
      this.#text = this.#text.slice(0, first.start);
      this.#tell(this.#text.length);
    } else this.#tell(this.#text.length - this.#held());
  }

  /** Tells what was held back. */
  end(): string {
    this.#tell(this.#text.length);
    return this.#text;
  }

  #tell(end: number): void {
    if (end <= this.#told) return;
    const piece = this.#text.slice(this.#told, end);
    this.#told = end;
    this.#onToken?.(piece);
  }

  /** Characters at the end that a stop may begin with. */
  #held(): number {
    const longest = Math.max(0, ...this.#stops.map((stop) => stop.length - 1));
    for (let length = Math.min(longest, this.#text.length); length > 0; length--) {
      const tail = this.#text.slice(-length);
      if (this.#stops.some((stop) => stop.startsWith(tail))) return length;
    }
    return 0;
  }
}
