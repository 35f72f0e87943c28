/** all-MiniLM-L6-v2 over transformers.js, in the thread that calls it: what the browser's worker and Node share.
 *
 * 384 dimensions, int8 weights ("q8", 23 MB), mean over the tokens, unit norm. The peer is passed in, never imported. */

import type * as Transformers from "@huggingface/transformers";
import { MemoryError } from "../errors.js";
import type { CallOptions, Embedder, LoadOptions } from "../ports.js";

export type TransformersPeer = Pick<typeof Transformers, "AutoModel" | "AutoTokenizer" | "Tensor" | "env">;

export const MINILM_REPOSITORY = "Xenova/all-MiniLM-L6-v2";
/** The commit that is fetched from the hub unless an app names another. */
export const MINILM_REVISION = "751bff37182d3f1213fa05d7196b954e230abad9";
export const MINILM_DIMENSION = 384;

/** Texts are cut here, as the model was trained. */
const MAX_TOKENS = 256;
/** Text behind this is not even tokenised: 64 characters a token. */
const MAX_CHARACTERS = 64 * MAX_TOKENS;
/** Tokens of one run, padding included (a longer text runs alone): a query waits for the run before it, and larger
 * ones hardly take less time a token. */
const RUN_TOKENS = 128;
/** Texts that are sorted by length together, so that little is padded. */
const GROUP = 64;

export interface MiniLmSource {
  /** The repository on the hub, or the path of a folder. */
  readonly path: string;
  /** Where that is, in words for errors. */
  readonly origin: string;
  readonly revision: string;
  readonly device: "wasm" | "webgpu" | "cpu" | "cuda";
  readonly localOnly: boolean;
  readonly cacheFolder?: string;
}

/** The id under which vectors are kept; another revision is another embedder. */
export function minilmId(revision: string): string {
  return revision === MINILM_REVISION ? "minilm-l6-v2-q8" : `minilm-l6-v2-q8@${revision}`;
}

type Tokenizer = Awaited<ReturnType<typeof Transformers.AutoTokenizer.from_pretrained>>;
type Model = Awaited<ReturnType<typeof Transformers.AutoModel.from_pretrained>>;

export class MiniLmModel implements Embedder {
  readonly dimension = MINILM_DIMENSION;
  readonly #peer: TransformersPeer;
  readonly #tokenizer: Tokenizer;
  readonly #model: Model;
  readonly #closing = new AbortController();

  private constructor(
    readonly id: string,
    peer: TransformersPeer,
    tokenizer: Tokenizer,
    model: Model,
  ) {
    this.#peer = peer;
    this.#tokenizer = tokenizer;
    this.#model = model;
  }

  /** @throws MemoryError "asset-unavailable" when the weights cannot be had; the signal's reason */
  static async load(
    peer: TransformersPeer,
    source: MiniLmSource,
    { signal, onProgress }: LoadOptions = {},
  ): Promise<MiniLmModel> {
    signal?.throwIfAborted();
    const report = onProgress && byteCounter(onProgress);
    const options = {
      revision: source.revision,
      local_files_only: source.localOnly,
      ...(source.cacheFolder !== undefined && { cache_dir: source.cacheFolder }),
      ...(report && { progress_callback: report }),
    };
    try {
      const tokenizer = await peer.AutoTokenizer.from_pretrained(source.path, options);
      signal?.throwIfAborted();
      const model = await peer.AutoModel.from_pretrained(source.path, { ...options, dtype: "q8", device: source.device });
      if (signal?.aborted) await model.dispose();
      signal?.throwIfAborted();
      return new MiniLmModel(minilmId(source.revision), peer, tokenizer, model);
    } catch (error) {
      signal?.throwIfAborted();
      throw new MemoryError(
        "asset-unavailable",
        `all-MiniLM-L6-v2 could not be loaded from ${source.origin}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  async embed(texts: readonly string[], { signal }: CallOptions = {}): Promise<Float32Array> {
    const rows = new Float32Array(texts.length * MINILM_DIMENSION);
    for (let from = 0; from < texts.length; from += GROUP) {
      this.#check(signal);
      const group = texts.slice(from, from + GROUP);
      const ids = this.#tokenize(group);
      rows.set(await this.embedTokens(ids, { signal }), from * MINILM_DIMENSION);
    }
    this.#check(signal);
    return rows;
  }

  /** Embeds token ids, [CLS] and [SEP] among them; no ids give the zero row. Rows are in the order of the input. */
  async embedTokens(ids: readonly (readonly number[])[], { signal }: CallOptions = {}): Promise<Float32Array> {
    const rows = new Float32Array(ids.length * MINILM_DIMENSION);
    const order = [...ids.keys()].filter((at) => ids[at]!.length > 0).sort((a, b) => ids[a]!.length - ids[b]!.length);
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && ids[order[to]!]!.length * (to + 1 - from) <= RUN_TOKENS) to++;
      this.#check(signal);
      await this.#run(order.slice(from, to), ids, rows);
      from = to;
      // A timer, not a microtask: queries and aborts arrive as messages.
      if (from < order.length) await new Promise((resolve) => setTimeout(resolve));
    }
    return rows;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new MemoryError("closed", `the embedder ${this.id} is closed`));
    await this.#model.dispose();
  }

  /** Token ids, [CLS] and [SEP] among them; none for an empty text. */
  #tokenize(texts: readonly string[]): number[][] {
    const cut = texts.map((text) => text.slice(0, MAX_CHARACTERS));
    const { input_ids: ids } = this.#tokenizer(cut, { padding: false, return_tensor: false }) as { input_ids: number[][] };
    // The peer's own truncation would cut [SEP] off.
    return ids.map((tokens, at) => {
      if (cut[at]!.trim() === "") return [];
      return tokens.length <= MAX_TOKENS ? tokens : [...tokens.slice(0, MAX_TOKENS - 1), ...tokens.slice(-1)];
    });
  }

  #check(signal: AbortSignal | undefined): void {
    this.#closing.signal.throwIfAborted();
    signal?.throwIfAborted();
  }

  async #run(batch: readonly number[], ids: readonly (readonly number[])[], rows: Float32Array): Promise<void> {
    const length = Math.max(...batch.map((at) => ids[at]!.length));
    const tokens = new BigInt64Array(batch.length * length);
    const mask = new BigInt64Array(batch.length * length);
    batch.forEach((at, row) => {
      ids[at]!.forEach((id, position) => {
        tokens[row * length + position] = BigInt(id);
        mask[row * length + position] = 1n;
      });
    });
    const hidden = await this.#infer(tokens, mask, [batch.length, length]);
    batch.forEach((at, row) => pool(hidden, row * length, ids[at]!.length, rows, at));
  }

  async #infer(tokens: BigInt64Array, mask: BigInt64Array, dims: number[]): Promise<Float32Array> {
    const { Tensor } = this.#peer;
    try {
      const output = await this.#model({
        input_ids: new Tensor("int64", tokens, dims),
        attention_mask: new Tensor("int64", mask, dims),
        token_type_ids: new Tensor("int64", new BigInt64Array(tokens.length), dims),
      });
      return (output as { last_hidden_state: Transformers.Tensor }).last_hidden_state.data as Float32Array;
    } catch (error) {
      // A model that is disposed of in mid-run fails in its own words.
      this.#closing.signal.throwIfAborted();
      throw new MemoryError("model-failed", `all-MiniLM-L6-v2 failed: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** The mean over a text's tokens at unit norm, written to its row. */
function pool(hidden: Float32Array, firstToken: number, tokens: number, rows: Float32Array, row: number): void {
  const vector = rows.subarray(row * MINILM_DIMENSION, (row + 1) * MINILM_DIMENSION);
  for (let token = firstToken; token < firstToken + tokens; token++) {
    for (let d = 0; d < MINILM_DIMENSION; d++) vector[d]! += hidden[token * MINILM_DIMENSION + d]!;
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  const factor = 1 / Math.sqrt(squares);
  for (let d = 0; d < MINILM_DIMENSION; d++) vector[d]! *= factor;
}

/** Adds up the bytes of all files that are being loaded. */
function byteCounter(onProgress: NonNullable<LoadOptions["onProgress"]>) {
  const files = new Map<string, { loaded: number; total: number }>();
  return (info: { status: string; file?: string; loaded?: number; total?: number }): void => {
    const { status, file, loaded = 0, total = 0 } = info;
    if (status !== "progress" || file === undefined) return;
    files.set(file, { loaded, total });
    let done = 0;
    let all = 0;
    for (const { loaded, total } of files.values()) {
      done += loaded;
      all += total;
    }
    onProgress({ task: "load all-MiniLM-L6-v2", done, total: all });
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
