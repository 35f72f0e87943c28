/** Reads an export: finds its files, tells what each is by its content, and gives its conversations one after another. */

import type { ImportFormat, ImportSource } from "../types.js";
import { locomo, longMemEval } from "./benchmarks.js";
import { chatGpt } from "./chatgpt.js";
import { claude } from "./claude.js";
import type { ChatFormat, ExportPart, ImportedConversation, ReadOptions } from "./conversation.js";
import { type ExportFile, filesOf, type TextPiece, textOf, unreadable } from "./files.js";
import { type JsonDamage, jsonParts } from "./json-parts.js";
import { isLines, lineParts } from "./lines.js";
import { messages } from "./messages.js";
import { telegram } from "./telegram.js";

/** The most particular first: plain messages are recognised by little. */
const FORMATS: readonly ChatFormat[] = [chatGpt, claude, locomo, longMemEval, telegram, messages];
/** Characters that are looked at to tell lines from one value. */
const HEAD = 1024 * 1024;
/** Characters between two countings of what was read. */
const SLICE = 16 * 1024;

export interface ReadExportOptions extends ReadOptions {
  readonly format?: ImportFormat | undefined;
  /** Told after every piece that is read. */
  readonly onBytes: (done: number, total: number) => void;
}

/** Conversations, or pieces of them, in the order of the files.
 * @throws MemoryError "unsupported" when nothing in it is a chat export */
export async function* readExport(source: ImportSource, options: ReadExportOptions): AsyncGenerator<ImportedConversation> {
  const files = await filesOf(source);
  const sizes = files.map(({ sizeBytes }) => sizeBytes);
  const total = sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  let known = false;
  for (const file of files) {
    const onBytes = (count: number) => options.onBytes((done += count), total);
    let isKnown = false;
    try {
      for await (const found of readFile(file, options, onBytes)) {
        isKnown = true;
        if (found) yield found;
      }
      if (!isKnown && files.length > 1) options.tally.damage(named(file), "nothing in it is a conversation that can be read");
    } catch (error) {
      // One file that cannot be unpacked costs only itself.
      if (!file.isPacked) throw error;
      options.tally.damage(named(file), error instanceof Error ? error.message : String(error));
    }
    known ||= isKnown;
  }
  if (!known) throw unreadable(files.length === 1 && files[0] ? named(files[0]) : "the zip");
}

/** `undefined` tells that a part was recognised, in which nothing was said. */
async function* readFile(
  file: ExportFile,
  options: ReadExportOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<ImportedConversation | undefined> {
  const formats = FORMATS.filter(({ format }) => options.format === undefined || options.format === format);
  let known: ChatFormat | undefined;
  for await (const part of partsOf(file, onBytes)) {
    if ("damage" in part) {
      options.tally.damage([named(file), ...part.path].join("/"), part.damage);
      continue;
    }
    const format = formats.find((one) => one.recognises(part));
    if (!format) {
      if (known && part.path.at(-1) === "#" && !part.isRest) options.tally.skip("unknown");
      continue;
    }
    known = format;
    yield undefined;
    yield* format.read(part, options);
  }
}

async function* partsOf(file: ExportFile, onBytes: (count: number) => void): AsyncGenerator<ExportPart | JsonDamage> {
  const pieces = textOf(file);
  const head: TextPiece[] = [];
  let start = "";
  let isDone = false;
  while (!isDone && start.length < HEAD && !start.trimStart().includes("\n")) {
    const { done, value } = await pieces.next();
    isDone = done === true;
    if (value) head.push(value);
    start += value?.text ?? "";
  }
  const text = (async function* () {
    for (const piece of head) yield* counted(piece, onBytes);
    if (!isDone) for await (const piece of pieces) yield* counted(piece, onBytes);
  })();
  const isNamedLines = /\.(?:jsonl|ndjson)$/i.test(file.name);
  yield* isNamedLines || isLines(start) ? lineParts(text) : jsonParts(text);
}

/** A piece in slices, each counted when it is asked for: what is read ahead is not seen to yet. */
function* counted({ text, sizeBytes }: TextPiece, onBytes: (count: number) => void): Generator<string> {
  let told = 0;
  for (let from = 0; from < text.length; from += SLICE) {
    const until = Math.round(sizeBytes * Math.min(1, (from + SLICE) / text.length));
    onBytes(until - told);
    told = until;
    yield text.slice(from, from + SLICE);
  }
  onBytes(sizeBytes - told);
}

function named({ name }: ExportFile): string {
  return name === "" ? "the source" : name;
}
