/** One large download into a file: it goes on where it was cut, and what is no model is told by its first bytes. */

import { MemoryError } from "../../errors.js";
import type { LoadOptions } from "../../ports.js";

export interface SyncFile {
  getSize(): number;
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  flush(): void;
  close(): void;
}

/** What is known of a file on this device. */
export interface FileNote {
  readonly url: string;
  /** The server's name of this version of the file; "" where it tells none. */
  readonly etag: string;
  /** Of the whole file; 0 where the server does not tell. */
  readonly sizeBytes: number;
  readonly isWhole: boolean;
}

export interface DownloadOptions extends LoadOptions {
  /** Text that every such file begins with. */
  readonly begins: string;
  /** Told the size before the first byte is written. @throws what speaks against it */
  readonly admit?: (sizeBytes: number) => void;
}

/** How often a download that is cut goes on by itself, and the pause before, in milliseconds. */
const RESUMES = 3;
const PAUSE_MS = 500;
/** How often progress is told, in milliseconds. */
const TOLD_MS = 100;

/** @param known what is noted of the bytes that the file holds
 * @param takeNote is told as soon as the file's size and version are known
 * @returns the note of the whole file
 * @throws MemoryError "asset-unavailable" | "quota-exceeded"; the signal's reason. What came so far stays in the file */
export async function downloadInto(
  file: SyncFile,
  url: string,
  known: FileNote | undefined,
  takeNote: (note: FileNote) => Promise<void>,
  options: DownloadOptions,
): Promise<FileNote> {
  let note = known;
  for (let resumes = 0; ; resumes++) {
    const before = file.getSize();
    try {
      return await once();
    } catch (error) {
      file.flush();
      options.signal?.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      if (resumes >= RESUMES || (before === file.getSize() && before === 0)) throw cut(url, file.getSize(), note, error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (resumes + 1)));
    }
  }

  async function once(): Promise<FileNote> {
    const { response, from } = await request(url, note ? file.getSize() : 0, note, options.signal);
    const sizeBytes = totalOf(response, from);
    note = { url, etag: etagOf(response), sizeBytes, isWhole: false };
    options.admit?.(sizeBytes);
    await checkRoom(url, sizeBytes - from);
    await takeNote(note);
    file.truncate(from);
    let at = from;
    let told = 0;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (at === 0) checkBeginning(url, value, options.begins);
        at += put(url, file, value, at, sizeBytes);
        const now = performance.now();
        if (now - told < TOLD_MS) continue;
        told = now;
        options.onProgress?.({ task: "download", done: at, total: sizeBytes });
      }
    } catch (error) {
      await reader.cancel(error).catch(() => undefined);
      throw error;
    }
    if (sizeBytes > 0 && at < sizeBytes) throw new Error(`the server ended after ${at} of ${sizeBytes} bytes`);
    file.flush();
    options.onProgress?.({ task: "download", done: at, total: at });
    return { ...note, sizeBytes: at, isWhole: true };
  }
}

async function request(
  url: string,
  held: number,
  note: FileNote | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly response: Response; readonly from: number }> {
  const ask = (from: number): Promise<Response> =>
    // The browser's own cache would hold the weights a second time.
    fetch(url, { cache: "no-store", ...(from > 0 && { headers: { Range: `bytes=${from}-` } }), ...(signal && { signal }) });
  let from = held;
  let response = await ask(from);
  const isOther = note !== undefined && note.etag !== "" && etagOf(response) !== "" && etagOf(response) !== note.etag;
  if (from > 0 && (response.status === 416 || (response.status === 206 && isOther))) {
    // Not a part of what is held: another version, or more than there is.
    await response.body?.cancel();
    from = 0;
    response = await ask(0);
  }
  if (!response.ok || !response.body)
    throw new MemoryError("asset-unavailable", `${url} could not be fetched: the server answered with status ${response.status}`);
  if (/text\/html/i.test(response.headers.get("content-type") ?? ""))
    throw new MemoryError("asset-unavailable", `${url} is a web page, not a model: check the address`);
  return { response, from: response.status === 206 ? from : 0 };
}

function totalOf(response: Response, from: number): number {
  const [, whole] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  if (whole !== undefined) return Number(whole);
  // Of packed bytes the length tells nothing.
  if (response.headers.get("content-encoding")) return 0;
  return from + Number(response.headers.get("content-length") ?? 0);
}

const etagOf = (response: Response): string => response.headers.get("etag") ?? "";

function checkBeginning(url: string, bytes: Uint8Array, begins: string): void {
  const found = new TextDecoder("latin1").decode(bytes.subarray(0, begins.length));
  if (found !== begins)
    throw new MemoryError("asset-unavailable", `${url} is no ${begins} file: it begins with ${JSON.stringify(found)}`);
}

async function checkRoom(url: string, neededBytes: number): Promise<void> {
  const { usage: usageBytes = 0, quota: quotaBytes = Number.POSITIVE_INFINITY } = await navigator.storage.estimate();
  if (usageBytes + neededBytes > quotaBytes) throw noRoom(url, { neededBytes, usageBytes, quotaBytes });
}

function put(url: string, file: SyncFile, bytes: Uint8Array, at: number, sizeBytes: number): number {
  const lacking = () => noRoom(url, { neededBytes: Math.max(0, sizeBytes - at) });
  let written: number;
  try {
    written = file.write(bytes, { at });
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") throw lacking();
    throw error;
  }
  if (written < bytes.length) throw lacking();
  return written;
}

function noRoom(url: string, details: Readonly<Record<string, number>>): MemoryError {
  const megabytes = Math.ceil((details.neededBytes ?? 0) / 1e6);
  return new MemoryError("quota-exceeded", `there is no room for ${url} on this device: ${megabytes} MB more are needed`, {
    details,
  });
}

function cut(url: string, held: number, note: FileNote | undefined, cause: unknown): MemoryError {
  const of = note && note.sizeBytes > 0 ? ` of ${note.sizeBytes}` : "";
  const goesOn = held > 0 ? `; ${held}${of} bytes are kept, and the next open goes on from there` : "";
  return new MemoryError("asset-unavailable", `${url} could not be fetched (${String(cause)})${goesOn}`, { cause });
}
