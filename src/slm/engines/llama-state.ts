/** What a model of llama.cpp has read: the start that two prompts share is read once.
 *
 * The size of a batch changes the last digits of what is computed from it. So that a prompt gives the same answer whatever was asked
 * before it, tokens are read in batches that begin and end at fixed places, and only whole batches are kept. */

import type * as Llama from "node-llama-cpp";

/** Tokens of a batch: an abort waits for one. Of smaller ones llama.cpp reads fewer in a second (32: 96, 64: 115, 512: 107 by a
 * busy core), of larger ones less is kept between two prompts. */
const BATCH = 64;
/** Logits by which a wanted token is lifted, so that it is one of the two likeliest whatever its probability. */
const LIFT = 40;

export class LlamaState {
  readonly #sequence: Llama.LlamaContextSequence;
  readonly #biasOf: () => Llama.TokenBias;
  /** Tokens that were read in batches from the start; the sequence may hold an answer after them. */
  #read: readonly Llama.Token[] = [];
  /** The last token of the prompt is read with the answer: what follows it is asked of it. */
  #last: readonly Llama.Token[] = [];

  /** @param biasOf an empty bias of the model's tokens */
  constructor(sequence: Llama.LlamaContextSequence, biasOf: () => Llama.TokenBias) {
    this.#sequence = sequence;
    this.#biasOf = biasOf;
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

  /** The peer tells the probability of what it would write, or those of all its vocabulary, which for each token takes longer than to
   * read it (24 ms of 49,000 words against 5). So it is asked twice: how probable the likeliest token is, and then, where that is
   * another one, how far the wanted one is behind it.
   * @param tokens none that ends an answer: the peer does not lift those
   * @returns how probable each of the tokens is after those before it, 0 to 1
   * @throws the signal's reason, after the batch under way */
  async probabilities(tokens: readonly Llama.Token[], signal: AbortSignal): Promise<number[]> {
    const before = [...this.#last, ...tokens].slice(0, tokens.length);
    const likeliest = await this.#ask(before, signal, () => ({ token: true, confidence: true }));
    if (tokens.every((token, at) => likeliest[at]?.next.token === token))
      return likeliest.map((one) => one?.next.confidence ?? 0);
    await this.read([...this.#read, ...this.#last], signal);
    // After all of them, in the same batches, or what is computed would be another's (a tenth of a logit was seen).
    const lifted = await this.#ask(before, signal, (at) => this.#lift(tokens[at] as Llama.Token));
    return tokens.map((token, at) => {
      const { token: first, confidence = 0 } = likeliest[at]?.next ?? {};
      if (first === token) return confidence;
      const two = lifted[at]?.next.probabilities ?? new Map<Llama.Token, number>();
      const [, rest = 0] = [...two].find(([id]) => id !== token) ?? [];
      return rest > 0 ? (confidence * (two.get(token) ?? 0) * Math.exp(-LIFT)) / rest : 0;
    });
  }

  /** Of the two likeliest tokens, of which the wanted one is lifted. */
  #lift(token: Llama.Token): GenerateNext {
    const tokenBias = this.#biasOf().set(token, { logit: LIFT });
    return { probabilities: true, options: { temperature: 1, topK: 2, topP: 1, minP: 0, tokenBias } };
  }

  /** @param how what is asked after each token */
  async #ask(
    tokens: readonly Llama.Token[],
    signal: AbortSignal,
    how: (at: number) => GenerateNext,
  ): Promise<(Llama.ControlledEvaluateIndexOutput | undefined)[]> {
    const found: (Llama.ControlledEvaluateIndexOutput | undefined)[] = [];
    while (found.length < tokens.length) {
      signal.throwIfAborted();
      const from = found.length;
      const asked = tokens
        .slice(from, from + BATCH)
        .map((token, at): Llama.ControlledEvaluateInputItem => [token, { generateNext: how(from + at) }]);
      const output = await this.#sequence.controlledEvaluate(asked);
      for (const at of asked.keys()) found.push(output[at]);
    }
    return found;
  }
}

type GenerateNext = NonNullable<Extract<Llama.ControlledEvaluateInputItem, readonly unknown[]>[1]["generateNext"]>;

function sharedLength(a: readonly Llama.Token[], b: readonly Llama.Token[]): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return shared;
}
