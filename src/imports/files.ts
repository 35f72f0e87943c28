/** The files inside what is imported: itself, what a zip holds, zips in zips; unpacked as they are read. */

import { MemoryError } from "../errors.js";
import type { ImportSource } from "../types.js";
import { type ZipFile, zipFiles } from "./zip.js";

export interface ExportFile {
  /** "" where it has none. */
  readonly name: string;
  /** Unpacked; 0 where it is not known. */
  readonly sizeBytes: number;
  /** What fails while it is read is damage of the file, not of whoever gives the bytes. */
  readonly isPacked: boolean;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Zips in a zip in a zip are none of an export's. */
const MAX_DEPTH = 2;
const HEAD = 4;

/** Data files; pages, media and notes are not looked into. */
const DATA = /\.(?:json|jsonl|ndjson|zip|gz)$/i;
/** Files of an account's export that hold no conversations. */
const OTHER =
  /(?:^|\/)(?:user|users|message_feedback|shared_conversations|export_manifest|model_comparisons|projects|memories|manifest[^/]*|projects\/[^/]*|user_settings|shopping|sora|ads[^/]*)\.json$|(?:^|\/)__MACOSX\/|(?:^|\/)\.|(?:^|\/)(?:projects|memories)(?:-\d+)?\.zip$/i;

/** @throws MemoryError "unsupported" for a zip that cannot be read */
export async function filesOf(source: ImportSource): Promise<readonly ExportFile[]> {
  if (!isBlob(source)) {
    const { head, chunks } = await peeked(bytesOf(source));
    if (isZip(head)) return packed(new Blob(await collected(chunks)), 0);
    return [unpacked({ name: "", sizeBytes: 0, isPacked: false, bytes: () => chunks }, head)];
  }
  const head = new Uint8Array(await source.slice(0, HEAD).arrayBuffer());
  if (isZip(head)) return packed(source, 0);
  const name = "name" in source ? String(source.name) : "";
  return [unpacked({ name, sizeBytes: source.size, isPacked: false, bytes: () => chunksOf(source.stream()) }, head)];
}

async function packed(blob: Blob, depth: number): Promise<ExportFile[]> {
  const files: ExportFile[] = [];
  const found: ZipFile[] = [];
  for await (const file of zipFiles(blob)) if (DATA.test(file.name) && !OTHER.test(file.name)) found.push(file);
  // Numbered parts in their order.
  found.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  for (const file of found) {
    const inner = { ...file, isPacked: true };
    if (!/\.zip$/i.test(file.name)) files.push(/\.gz$/i.test(file.name) ? gunzipped(inner) : inner);
    else if (depth < MAX_DEPTH) files.push(...(await packed(new Blob(await collected(file.bytes())), depth + 1)));
  }
  return files;
}

function unpacked(file: ExportFile, head: Uint8Array): ExportFile {
  return head[0] === 0x1f && head[1] === 0x8b ? gunzipped(file) : file;
}

function gunzipped({ name, bytes }: ExportFile): ExportFile {
  return {
    isPacked: true,
    name: name.replace(/\.gz$/i, ""),
    sizeBytes: 0,
    bytes: () => chunksOf(streamOf(bytes()).pipeThrough(new DecompressionStream("gzip"))),
  };
}

/** A piece of a file's text, and how many bytes it was. */
export interface TextPiece {
  readonly text: string;
  readonly sizeBytes: number;
}

/** The text of a file, in pieces; UTF-8, or UTF-16 where its first bytes say so. Damaged bytes become U+FFFD. */
export async function* textOf(file: ExportFile): AsyncGenerator<TextPiece> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of file.bytes()) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield { text: decoder.decode(chunk as BufferSource, { stream: true }), sizeBytes: chunk.byteLength };
  }
  const rest = decoder?.decode();
  if (rest) yield { text: rest, sizeBytes: 0 };
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5 || head[2] === 7);
}

function isBlob(source: ImportSource): source is Blob {
  return typeof Blob !== "undefined" && source instanceof Blob;
}

async function* bytesOf(source: Exclude<ImportSource, Blob>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks: AsyncIterable<unknown> = "getReader" in source ? chunksOf(source) : source;
  for await (const chunk of chunks) {
    if (typeof chunk === "string") yield encoder.encode(chunk);
    else if (ArrayBuffer.isView(chunk)) yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    else if (chunk instanceof ArrayBuffer) yield new Uint8Array(chunk);
    else throw new TypeError(`a stream to import gives bytes or strings, not ${typeof chunk}`);
  }
}

/** Safari has no async iteration of streams. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The first bytes of a stream, and the whole stream still. */
async function peeked(
  chunks: AsyncGenerator<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly chunks: AsyncIterable<Uint8Array> }> {
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD) {
    const { done, value } = await chunks.next();
    if (done) break;
    read.push(value);
    length += value.byteLength;
  }
  const head = new Uint8Array(await new Blob(read as BlobPart[]).slice(0, HEAD).arrayBuffer());
  return {
    head,
    chunks: (async function* () {
      yield* read;
      yield* chunks;
    })(),
  };
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice() as BlobPart);
  return parts;
}

export function unreadable(what: string): MemoryError {
  return new MemoryError(
    "unsupported",
    `${what} is no chat export that can be read: import takes those of ChatGPT, Claude and Telegram (JSON), JSON lines of messages, LoCoMo and LongMemEval, zipped or not`,
  );
}
