/** The wllama worker with a server of its own for weights, on a machine that lacks something: its name says what. */

import { hostEngine } from "../../src/slm/engines/engine-host.js";
import { wllamaHost } from "../../src/slm/engines/wllama-host.js";

const fault = self.name;
const SIZE = 100_000;
const CHUNK = 10_000;
/** What the server says of a model that is refused before its first byte. */
const LARGE = 3_000_000_000;
/** Begins like weights, and is none. */
const weights = Uint8Array.from({ length: SIZE }, (_, at) => (at < 4 ? "GGUF".charCodeAt(at) : (at * 31) % 251));
const asked: string[] = [];
let served = 0;

/** Sends up to `cutAt` of them, and then breaks off. */
function body(from: number, cutAt: number): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (at >= cutAt) return controller.error(new TypeError("network error"));
      if (at >= SIZE) return controller.close();
      controller.enqueue(weights.slice(at, at + CHUNK));
      at += CHUNK;
    },
  });
}

function answer(headers: Headers): Response {
  const range = headers.get("range") ?? "";
  asked.push(range);
  const first = served++ === 0;
  if (fault === "gone") return new Response("not here", { status: 404 });
  if (fault === "page in its place") return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
  if (fault === "another file") return new Response("PK and so on");
  const [, start] = /^bytes=(\d+)-$/.exec(range) ?? [];
  const takesRanges = fault !== "cut, no ranges";
  const from = takesRanges ? Number(start ?? 0) : 0;
  const isCut = fault === "cut always" || (fault.startsWith("cut") && first);
  const common = { etag: fault === "cut, another version" && !first ? '"2"' : '"1"', "content-type": "application/octet-stream" };
  const stream = body(from, isCut ? Math.min(SIZE, from + SIZE / 2) - CHUNK : Number.POSITIVE_INFINITY);
  return from > 0
    ? new Response(stream, { status: 206, headers: { ...common, "content-range": `bytes ${from}-${SIZE - 1}/${SIZE}` } })
    : new Response(stream, { headers: { ...common, "content-length": `${fault.startsWith("large") ? LARGE : SIZE}` } });
}

const { fetch: real } = globalThis;
globalThis.fetch = async (input, init) => {
  const url = String(input instanceof Request ? input.url : input);
  if (!url.includes("/served/")) return real(input, init);
  const response = answer(new Headers(init?.headers));
  init?.signal?.addEventListener("abort", () => response.body?.cancel().catch(() => undefined));
  new BroadcastChannel("rigged-wllama").postMessage(asked);
  return response;
};

if (fault === "disk gets full") {
  const prototype = (globalThis as unknown as { readonly FileSystemSyncAccessHandle: { readonly prototype: Writer } })
    .FileSystemSyncAccessHandle.prototype;
  const { write } = prototype;
  prototype.write = function (bytes, options) {
    if ((options?.at ?? 0) >= SIZE * 0.9) throw new DOMException("no room", "QuotaExceededError");
    return write.call(this, bytes, options);
  };
}
if (fault === "disk is full") navigator.storage.estimate = async () => ({ usage: 900_000, quota: 950_000 });
if (fault === "large, little room") navigator.storage.estimate = async () => ({ usage: 50e6, quota: 250e6 });
if (fault === "large, little memory") Object.defineProperty(navigator, "deviceMemory", { value: 2 });
if (fault === "little memory") Object.defineProperty(navigator, "deviceMemory", { value: 0.0001 });
if (fault === "no files") navigator.storage.getDirectory = () => Promise.reject(new DOMException("no", "SecurityError"));

interface Writer {
  write(bytes: Uint8Array, options?: { readonly at?: number }): number;
}

hostEngine(
  wllamaHost(async () => {
    if (fault === "no peer") throw new Error("it is not installed");
    return import("@wllama/wllama");
  }),
);
