/** Trains the name tagger and writes `workers/names.bin`: `npm run train:names -- [--data DIR] [--out FILE] [--cache DIR] [--seed N]
 * [--share S] [--half]`.
 *
 * Learns on own templates, listed names and LongMemEval users' sentences (MIT) without sessions whose id holds "sharegpt"; LoCoMo is
 * never read. The same inputs and seed give the same bytes. With `--share` below 1 it makes so much fewer
 * sentences; with `--half` it knows half of the names, to measure the others. */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FORMAT, MAGIC, type NameModelHeader, SECTIONS } from "../../src/ltm/scrub/names/model.js";
import { randomOf, trainingSentences } from "./generate.js";
import { PROVENANCE } from "./inputs.js";
import { learn } from "./learn.js";
import { listsOf } from "./lists.js";
import { openPools } from "./pools.js";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../../shared/data", import.meta.url)) },
    out: { type: "string", default: fileURLToPath(new URL("../../workers/names.bin", import.meta.url)) },
    cache: { type: "string", default: join(tmpdir(), "keepsake-train-names") },
    seed: { type: "string", default: "7" },
    share: { type: "string", default: "1" },
    half: { type: "boolean", default: false },
  },
});

const random = randomOf(Number(options.seed));
const pools = openPools(options.cache, options.data, options.half ? "first" : "all");
const lists = listsOf(pools, random);
const sentences = trainingSentences(pools, random, Number(options.share));
const weights = learn(sentences, lists.model, random);
const parts: Record<(typeof SECTIONS)[number], Uint8Array> = {
  latin: bytesOf(weights.latin.steps),
  chinese: bytesOf(weights.chinese.steps),
  likeness: bytesOf(lists.model.weights.likeness),
  given: lists.model.lists.given.bytes,
  family: lists.model.lists.family.bytes,
  common: lists.model.lists.common.bytes,
  lessCommon: lists.model.lists.lessCommon.bytes,
  ambiguous: lists.model.lists.ambiguous.bytes,
  dictionary: lists.model.lists.dictionary.bytes,
};
const body = Buffer.concat(SECTIONS.map((name) => parts[name]));
const header: NameModelHeader = {
  format: FORMAT,
  version: `names/2${options.half ? "-half" : ""}`,
  provenance: `own templates; LongMemEval_S dev (MIT), users' sentences without ShareGPT sessions; ${PROVENANCE}; faker-js (MIT); seed ${options.seed}, share ${options.share} of the sentences`,
  sha256: createHash("sha256").update(body).digest("hex"),
  sections: SECTIONS.map((name) => ({ name, length: parts[name].length })),
  scales: { latin: weights.latin.scale, chinese: weights.chinese.scale, likeness: lists.model.scales.likeness },
  hashes: lists.hashes,
  familyCharacters: lists.familyCharacters,
  doubleFamilyNames: [...lists.model.doubleFamilyNames],
  givenCharacters: lists.givenCharacters,
};
const text = Buffer.from(JSON.stringify(header));
const length = Buffer.alloc(4);
length.writeUInt32LE(text.length);
const file = Buffer.concat([Buffer.from(MAGIC), length, text, body]);
await writeFile(options.out, file);
console.log(`${options.out}: ${header.version}, ${file.length} bytes, ${sentences.length} sentences, SHA-256 ${header.sha256}`);

function bytesOf(steps: Int8Array): Uint8Array {
  return new Uint8Array(steps.buffer, steps.byteOffset, steps.length);
}
