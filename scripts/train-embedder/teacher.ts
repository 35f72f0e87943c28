/** The teacher, all-MiniLM-L6-v2, run on the CPU; its answers are kept in a cache folder. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { AutoModel, AutoTokenizer, env, Tensor } from "@huggingface/transformers";

export const TEACHER = "Xenova/all-MiniLM-L6-v2";
export const TEACHER_DIMENSION = 384;
const MAX_TOKENS = 256;
/** Tokens of a batch, padding included: larger ones fall out of the cache and take longer a token. */
const BATCH_TOKENS = 2_048;
const CLS = 101;
const SEP = 102;

type Model = Awaited<ReturnType<typeof AutoModel.from_pretrained>>;

export class Teacher {
  private constructor(
    readonly vocabulary: readonly string[],
    readonly sha256: string,
    private readonly model: Model,
    private readonly tokenize: (texts: string[]) => number[][],
    private readonly cache: string,
  ) {}

  /** @param models the folder that `npm run models` fills */
  static async open(models: string, cache: string): Promise<Teacher> {
    env.allowRemoteModels = false;
    env.localModelPath = models;
    const tokenizer = await AutoTokenizer.from_pretrained(TEACHER);
    const model = await AutoModel.from_pretrained(TEACHER, {
      dtype: "q8",
      session_options: { intraOpNumThreads: 2, interOpNumThreads: 1 },
    });
    const tokenize = (texts: string[]): number[][] =>
      (
        tokenizer(texts, { padding: false, truncation: true, max_length: MAX_TOKENS, return_tensor: false }) as {
          input_ids: number[][];
        }
      ).input_ids;
    const { model: file } = JSON.parse(await readFile(join(models, TEACHER, "tokenizer.json"), "utf8")) as {
      model: { vocab: Record<string, number> };
    };
    const vocabulary: string[] = [];
    for (const [piece, id] of Object.entries(file.vocab)) vocabulary[id] = piece;
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(models, TEACHER, "onnx", "model_quantized.onnx")), hash);
    return new Teacher(vocabulary, hash.digest("hex"), model, tokenize, cache);
  }

  /** Unit-norm embeddings of texts, flat. */
  async texts(texts: readonly string[]): Promise<Float32Array> {
    return this.#cached("texts", JSON.stringify(texts), () => {
      const ids: number[][] = [];
      for (let at = 0; at < texts.length; at += 1_000) ids.push(...this.tokenize(texts.slice(at, at + 1_000)));
      return this.#embed(ids);
    });
  }

  /** Unit-norm embeddings of single pieces, each between [CLS] and [SEP], flat. */
  async pieces(ids: readonly number[]): Promise<Float32Array> {
    return this.#cached("pieces", JSON.stringify(ids), () => this.#embed(ids.map((id) => [CLS, id, SEP])));
  }

  async #cached(kind: string, key: string, compute: () => Promise<Float32Array>): Promise<Float32Array> {
    const digest = createHash("sha256").update(this.sha256).update(key).digest("hex").slice(0, 16);
    const path = join(this.cache, `${kind}-${digest}.f32`);
    const kept = await readFile(path).catch(() => undefined);
    if (kept) return new Float32Array(new Uint8Array(kept).buffer);
    const vectors = await compute();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, vectors);
    return vectors;
  }

  async #embed(ids: readonly number[][]): Promise<Float32Array> {
    const order = ids.map((_, index) => index).sort((a, b) => ids[a]!.length - ids[b]!.length);
    const vectors = new Float32Array(ids.length * TEACHER_DIMENSION);
    let reported = Date.now();
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && ids[order[to]!]!.length * (to + 1 - from) <= BATCH_TOKENS) to++;
      await this.#embedBatch(order.slice(from, to), ids, vectors);
      from = to;
      if (Date.now() - reported > 20_000) {
        console.log(`teacher: ${from} of ${order.length}`);
        reported = Date.now();
      }
    }
    return vectors;
  }

  /** Mean over the tokens, padding excluded, scaled to unit norm. */
  async #embedBatch(batch: readonly number[], ids: readonly number[][], vectors: Float32Array): Promise<void> {
    const length = Math.max(...batch.map((index) => ids[index]!.length));
    const dims = [batch.length, length];
    const tokens = new BigInt64Array(batch.length * length);
    const mask = new BigInt64Array(batch.length * length);
    batch.forEach((index, row) => {
      ids[index]!.forEach((id, at) => {
        tokens[row * length + at] = BigInt(id);
        mask[row * length + at] = 1n;
      });
    });
    const output = (await this.model({
      input_ids: new Tensor("int64", tokens, dims),
      attention_mask: new Tensor("int64", mask, dims),
      token_type_ids: new Tensor("int64", new BigInt64Array(tokens.length), dims),
    })) as { last_hidden_state: Tensor };
    const hidden = output.last_hidden_state.data as Float32Array;
    batch.forEach((index, row) => {
      const vector = vectors.subarray(index * TEACHER_DIMENSION, (index + 1) * TEACHER_DIMENSION);
      for (let at = 0; at < ids[index]!.length; at++) {
        const start = (row * length + at) * TEACHER_DIMENSION;
        for (let d = 0; d < TEACHER_DIMENSION; d++) vector[d]! += hidden[start + d]!;
      }
      const norm = Math.hypot(...vector);
      for (let d = 0; d < TEACHER_DIMENSION; d++) vector[d]! /= norm;
    });
  }
}
