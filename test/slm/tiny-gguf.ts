/** A model of llama.cpp's that knows nothing, made here: two layers of seeded random weights over the tokenizer of the tiny WebLLM model. */

interface TokenizerFile {
  readonly added_tokens: readonly { readonly content: string; readonly special: boolean }[];
  readonly model: { readonly vocab: Readonly<Record<string, number>>; readonly merges: readonly string[] };
}

type Value = string | number | { readonly float: number } | readonly string[] | { readonly int32: readonly number[] };

const WIDTH = 64;
const HEADS = 4;
const INNER = 128;
const LAYERS = 2;
const ALIGNMENT = 32;
const TYPES = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const;
const NORMAL = 1;
const CONTROL = 3;

const TEMPLATE =
  "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/** @param tokenizerJson text of a tokenizer.json of byte-level BPE */
export function tinyGguf(tokenizerJson: string): Uint8Array<ArrayBuffer> {
  const { added_tokens, model } = JSON.parse(tokenizerJson) as TokenizerFile;
  const tokens = Object.entries(model.vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => token);
  const special = new Set(added_tokens.map(({ content }) => content));
  const metadata: Readonly<Record<string, Value>> = {
    "general.architecture": "llama",
    "general.name": "tiny",
    "llama.context_length": 1_024,
    "llama.embedding_length": WIDTH,
    "llama.block_count": LAYERS,
    "llama.feed_forward_length": INNER,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": HEADS,
    "llama.attention.layer_norm_rms_epsilon": { float: 1e-5 },
    "llama.rope.dimension_count": WIDTH / HEADS,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "gpt-2",
    "tokenizer.ggml.tokens": tokens,
    "tokenizer.ggml.token_type": { int32: tokens.map((token) => (special.has(token) ? CONTROL : NORMAL)) },
    "tokenizer.ggml.merges": model.merges,
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.chat_template": TEMPLATE,
  };
  const random = seeded(7);
  const matrix = (inputs: number, outputs: number, scale: number) => ({
    shape: [inputs, outputs],
    data: Float32Array.from({ length: inputs * outputs }, () => (random() * 2 - 1) * scale),
  });
  const ones = () => ({ shape: [WIDTH], data: new Float32Array(WIDTH).fill(1) });
  const embeddings = matrix(WIDTH, tokens.length, 0.5);
  // Marks and parts of characters are never the likeliest. "Ġ" stands for a space.
  tokens.forEach(
    (token, id) => (/^[!-~Ġ]+$/.test(token) && !special.has(token)) || embeddings.data.fill(0, id * WIDTH, (id + 1) * WIDTH),
  );
  const tensors = { "token_embd.weight": embeddings, "output_norm.weight": ones() };
  for (let layer = 0; layer < LAYERS; layer++)
    Object.assign(tensors, {
      [`blk.${layer}.attn_norm.weight`]: ones(),
      [`blk.${layer}.attn_q.weight`]: matrix(WIDTH, WIDTH, 0.2),
      [`blk.${layer}.attn_k.weight`]: matrix(WIDTH, WIDTH, 0.2),
      [`blk.${layer}.attn_v.weight`]: matrix(WIDTH, WIDTH, 0.4),
      [`blk.${layer}.attn_output.weight`]: matrix(WIDTH, WIDTH, 0.4),
      [`blk.${layer}.ffn_norm.weight`]: ones(),
      [`blk.${layer}.ffn_gate.weight`]: matrix(WIDTH, INNER, 0.4),
      [`blk.${layer}.ffn_up.weight`]: matrix(WIDTH, INNER, 0.4),
      [`blk.${layer}.ffn_down.weight`]: matrix(INNER, WIDTH, 0.4),
    });
  return written(metadata, tensors);
}

function written(
  metadata: Readonly<Record<string, Value>>,
  tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly data: Float32Array }>>,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const push = (view: ArrayBufferView) => {
    parts.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    length += view.byteLength;
  };
  const u32 = (value: number) => push(Uint32Array.of(value));
  const u64 = (value: number) => push(BigUint64Array.of(BigInt(value)));
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value);
    u64(bytes.length);
    push(bytes);
  };
  const pad = () => push(new Uint8Array((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT));

  push(new TextEncoder().encode("GGUF"));
  u32(3);
  u64(Object.keys(tensors).length);
  u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    text(key);
    if (typeof value === "string") {
      u32(TYPES.string);
      text(value);
    } else if (typeof value === "number") {
      u32(TYPES.uint32);
      u32(value);
    } else if ("float" in value) {
      u32(TYPES.float32);
      push(Float32Array.of(value.float));
    } else {
      u32(TYPES.array);
      const isText = !("int32" in value);
      u32(isText ? TYPES.string : TYPES.int32);
      u64(isText ? value.length : value.int32.length);
      if (isText) value.forEach(text);
      else push(Int32Array.from(value.int32));
    }
  }
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    text(name);
    u32(shape.length);
    shape.forEach(u64);
    u32(0);
    u64(offset);
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
  }
  pad();
  for (const { data } of Object.values(tensors)) {
    push(data);
    pad();
  }
  const file = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
