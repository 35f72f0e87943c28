/** An export as a stream that a page can save, and the check of its options. */

import type { ExportOptions } from "./types.js";

/** The options as they were checked.
 * @throws TypeError */
export function exportOptions(options: ExportOptions): ExportOptions {
  if (typeof options !== "object" || options === null) throw new TypeError("the options of export are an object");
  const { password, onProgress, signal } = options;
  if (password !== undefined && (typeof password !== "string" || password === ""))
    throw new TypeError("password is a string that is not empty");
  if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError("onProgress is a function");
  return { ...(password !== undefined && { password }), ...(onProgress && { onProgress }), ...(signal && { signal }) };
}

/** Nothing is read before it is asked for, and at most a chunk ahead. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
