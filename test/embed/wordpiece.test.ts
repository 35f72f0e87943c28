import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { WordPiece } from "../../src/embed/wordpiece.js";
import { model, models } from "./models.js";

describe("WordPiece over a small vocabulary", () => {
  const vocabulary = ["[UNK]", "play", "##ing", "##s", "un", "##play", "!", "茶", "cafe", "'", "a"];
  const wordPiece = new WordPiece(vocabulary);
  const pieces = (text: string, limit = 16) => {
    const rows = new Uint16Array(limit);
    return [...rows.subarray(0, wordPiece.encode(text, rows))].map((row) => vocabulary[row]);
  };

  it("takes the longest known piece from the left", () => {
    expect(pieces("Playing unplays")).toEqual(["play", "##ing", "un", "##play", "##s"]);
  });

  it("makes one unknown piece of a word that cannot be spelt whole", () => {
    expect(pieces("playx play")).toEqual(["[UNK]", "play"]);
    expect(pieces("a".repeat(101))).toEqual(["[UNK]"]);
  });

  it("splits at punctuation and ideographs and strips accents", () => {
    expect(pieces("play!茶茶 CAFÉ's")).toEqual(["play", "!", "茶", "茶", "cafe", "'", "[UNK]"]);
  });

  it("stops when the rows are full", () => {
    expect(pieces("play play playing", 3)).toEqual(["play", "play", "play"]);
  });

  it("drops what cannot be seen", () => {
    expect(pieces("pl\u00ADay\u200B ing\u0000")).toEqual(["play", "[UNK]"]);
    expect(pieces(" \n\t\u0007")).toEqual([]);
  });

  it("refuses a vocabulary without the unknown piece", () => {
    expect(() => new WordPiece(["a"])).toThrow(RangeError);
  });
});

describe.skipIf(!model.folder)(`WordPiece beside the tokenizer of transformers.js${model.why}`, () => {
  let ours: (text: string) => string[];
  let theirs: (text: string) => string[];

  beforeAll(async () => {
    const { AutoTokenizer, env } = await import("@huggingface/transformers");
    env.localModelPath = models;
    const tokenizer = await AutoTokenizer.from_pretrained("Xenova/all-MiniLM-L6-v2", { local_files_only: true });
    theirs = (text) => tokenizer.tokenize(text, { add_special_tokens: false });
    const file = JSON.parse(await readFile(join(model.folder!, "tokenizer.json"), "utf8")) as {
      model: { vocab: Record<string, number> };
    };
    const vocabulary = Object.keys(file.model.vocab).sort((a, b) => file.model.vocab[a]! - file.model.vocab[b]!);
    const wordPiece = new WordPiece(vocabulary);
    const rows = new Uint16Array(4_096);
    ours = (text) => [...rows.subarray(0, wordPiece.encode(text, rows))].map((row) => vocabulary[row]!);
  });

  it.each([
    "I turned vegetarian in May; don't book the steakhouse!",
    "order #A-1043: 12,50 € (paid) — thanks…",
    "Straße, naïve café, Ångström, İstanbul, ﬁne, Ⅷ",
    "東京タワーへ行きたい。我喜欢喝绿茶！ 한국어도 괜찮아요",
    "Привет, как дела? Καλημέρα κόσμε. שלום עולם. مرحبا بالعالم. नमस्ते दुनिया",
    "e-mail anna.b+x@example.org or https://example.org/a_b?c=d&e=f#g",
    "🎉👩‍👩‍👧‍👦 ok 👍🏽 \uD83D broken",
    "tab\tnew\nline\r\nno\u00A0break\u2003em\u3000wide\u200Bzero\u00ADsoft\uFEFFbom\u0085nel\u000Bvt\u000Cff\u007Fdel",
    [99, 100, 101].map((length) => "x".repeat(length)).join(" "),
    "",
    "   ",
    "```ts\nconst a: number[] = [1, 2.5e-3];\n```",
    "𠀀𠀁 𝓯𝓪𝓷𝓬𝔂 ½ ² ① ™ ©",
  ])("agrees on %j", (text) => {
    expect(ours(text)).toEqual(theirs(text));
  });

  it("agrees on any text", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.stringMatching(/^[a-zA-Z0-9'".,-]{1,14}$/),
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    // A special token that is spelt out is a special token to theirs, and plain text to ours.
    fc.assert(
      fc.property(
        text.filter((value) => !/\[(?:UNK|PAD|CLS|SEP|MASK)\]/.test(value)),
        (value) => {
          expect(ours(value)).toEqual(theirs(value));
        },
      ),
      { numRuns: 500 },
    );
  });
});
