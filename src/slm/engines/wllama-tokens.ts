/** The tokens of a text, of a runtime that has no call for them: the model is made to write it, and asked what it wrote. */

import { MemoryError } from "../../errors.js";
import type { TokenLogprob, Wllama } from "./wllama-peer.js";

/** How much likelier the text's own tokens are made than others that spell it too: a grammar of letters alone lets the model choose
 * "M", "el" and "anie" where the tokenizer has one token. */
const BIAS = 60;
/** Texts whose tokens are kept: a question is scored after each of its candidates. */
const KEPT = 64;

export class WllamaTokens {
  readonly #runtime: Wllama;
  readonly #known = new Map<string, readonly number[]>();

  constructor(runtime: Wllama) {
    this.#runtime = runtime;
  }

  /** @throws MemoryError "too-large" | "model-failed"; what the runtime throws */
  async of(text: string, signal: AbortSignal | undefined): Promise<readonly number[]> {
    const known = this.#known.get(text);
    if (known) return known;
    const ids = await this.#ask(text, signal);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < KEPT) break;
      this.#known.delete(oldest);
    }
    this.#known.set(text, ids);
    return ids;
  }

  async #ask(text: string, signal: AbortSignal | undefined): Promise<readonly number[]> {
    const { choices } = await this.#runtime.createCompletion({
      prompt: "\n",
      stream: false,
      temperature: 0,
      max_tokens: new TextEncoder().encode(text).length,
      grammar: `root ::= ${literal(text)}`,
      // A key that is no number is tokenised, and the bias is that of each of its tokens.
      logit_bias: { [text]: BIAS } as never,
      logprobs: 1,
      ...(signal && { abortSignal: signal }),
    });
    const logprobs = choices[0]?.logprobs as unknown as { readonly content?: readonly TokenLogprob[] } | null | undefined;
    // The mark of the end, which is last, has no letters.
    const ids = (logprobs?.content ?? []).flatMap(({ id, bytes }) => (id === undefined || bytes?.length === 0 ? [] : [id]));
    // A token is a byte or more, so that only the end of the context cuts it.
    if (choices[0]?.finish_reason === "length" && choices[0].text !== text)
      throw new MemoryError("too-large", `a text of ${text.length} characters is longer than the model's context`);
    if (choices[0]?.text !== text || ids.length === 0)
      throw new MemoryError("model-failed", `the tokens of ${JSON.stringify(text)} could not be told`);
    return ids;
  }
}

/** A text as a grammar has it. */
function literal(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t");
  return `"${escaped}"`;
}
