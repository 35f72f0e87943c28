/** What a model of llama.cpp has read: the start that two prompts share is read once.
 *
 * The size of a batch changes the last digits of what is computed from it. So that a prompt gives the same answer whatever was asked
 * before it, tokens are read in batches that begin and end at fixed places, and only whole batches are kept. */

import type * as Llama from "node-llama-cpp";

/** Tokens of a batch: an abort waits for one. Of smaller ones llama.cpp reads fewer in a second (32: 96, 64: 115, 512: 107 by a
 * busy core), of larger ones less is kept between two prompts. */
const BATCH = 64;
/** Continuation tokens that are asked for at once: each brings the probabilities of the whole vocabulary. */
const ASKED = 8;

export class LlamaState {
  readonly #sequence: Llama.LlamaContextSequence;
  /** Tokens that were read in batches from the start; the sequence may hold an answer after them. */
  #read: readonly Llama.Token[] = [];
  /** The last token of the prompt is read with the answer: what follows it is asked of it. */
  #last: readonly Llama.Token[] = [];

  constructor(sequence: Llama.LlamaContextSequence) {
    this.#sequence = sequence;
  }

  /** @param prompt one token or more
   * @throws the signal's reason, after the batch under way */
  async read(prompt: readonly Llama.Token[], signal: AbortSignal): Promise<void> {
    const wanted = prompt.slice(0, -1);
    const shared = sharedLength(this.#read, wanted);
    const isSame = shared === wanted.length && shared === this.#read.length;
    const kept = isSame ? shared : shared - (shared % BATCH);
    this.#read = wanted.slice(0, kept);
    this.#last = prompt.slice(-1);
    await this.#sequence.adaptStateToTokens(wanted.slice(0, kept), false);
    // Models with a sliding window can go back only so far, and forget more.
    let at = Math.min(kept, this.#sequence.nextTokenIndex);
    while (at < wanted.length) {
      signal.throwIfAborted();
      const end = Math.min(wanted.length, at - (at % BATCH) + BATCH);
      await this.#sequence.evaluateWithoutGeneratingNewTokens(wanted.slice(at, end));
      at = end;
      this.#read = wanted.slice(0, at);
    }
    signal.throwIfAborted();
  }

  /** The answer to what was read, token by token; it ends where the model ends it. */
  write(how: Llama.SequenceEvaluateOptions): AsyncGenerator<Llama.Token> {
    return this.#sequence.evaluate([...this.#last], how);
  }

  /** @returns how probable each of the tokens is after those before it, 0 to 1
   * @throws the signal's reason, between some tokens */
  async probabilities(tokens: readonly Llama.Token[], signal: AbortSignal): Promise<number[]> {
    const before = [...this.#last, ...tokens];
    const found: number[] = [];
    while (found.length < tokens.length) {
      signal.throwIfAborted();
      const asked = before.slice(found.length, Math.min(found.length + ASKED, tokens.length));
      const output = await this.#sequence.controlledEvaluate(
        asked.map((token): Llama.ControlledEvaluateInputItem => [token, { generateNext: { probabilities: true } }]),
      );
      for (const item of output) found.push(item?.next.probabilities?.get(tokens[found.length] as Llama.Token) ?? 0);
    }
    return found;
  }
}

function sharedLength(a: readonly Llama.Token[], b: readonly Llama.Token[]): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return shared;
}
