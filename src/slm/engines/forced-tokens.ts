/** Forces a model to say given tokens and adds up how likely it found them: the logit processor of a runtime that shows all logits. */

export class ForcedTokens {
  #tokens: ArrayLike<number> = [];
  #at = 0;
  #sum = 0;
  #isOn = false;

  /** Natural logarithm of the probability of the tokens said so far. */
  get logProbability(): number {
    return Math.min(0, this.#sum);
  }

  /** Tokens said so far. */
  get seen(): number {
    return this.#at;
  }

  /** From now on these are said. */
  begin(tokens: ArrayLike<number>): void {
    this.#tokens = tokens;
    this.#at = 0;
    this.#sum = 0;
    this.#isOn = true;
  }

  end(): void {
    this.#isOn = false;
  }

  /** @param logits of the whole vocabulary, changed in place */
  processLogits = (logits: Float32Array): Float32Array => {
    const token = this.#isOn ? this.#tokens[this.#at] : undefined;
    if (token === undefined) return logits;
    let highest = Number.NEGATIVE_INFINITY;
    for (const logit of logits) if (logit > highest) highest = logit;
    let total = 0;
    for (const logit of logits) total += Math.exp(logit - highest);
    this.#sum += (logits[token] ?? Number.NEGATIVE_INFINITY) - highest - Math.log(total);
    this.#at++;
    // A runtime's softmax would make NaN of infinities.
    logits.fill(-1e9);
    logits[token] = 1e3;
    return logits;
  };

  processSampledToken = (): void => undefined;

  resetState = (): void => undefined;
}
