/** The check of what `import` is given. */

import type { ImportFormat, ImportOptions, ImportSource } from "./types.js";

const FORMATS: readonly ImportFormat[] = ["chatgpt", "claude", "telegram", "messages", "backup", "locomo", "longmemeval"];

/** The options as they were checked.
 * @throws TypeError */
export function importOptions(source: ImportSource, options: ImportOptions): ImportOptions {
  if (!isSource(source)) throw new TypeError("import takes a File, a Blob, a ReadableStream or an async iterable of bytes");
  if (typeof options !== "object" || options === null) throw new TypeError("the options of import are an object");
  const { format, conversation, password, partial, onProgress, signal } = options;
  if (format !== undefined && !FORMATS.includes(format))
    throw new TypeError(`format is one of ${FORMATS.join(", ")}, not ${String(format)}`);
  if (conversation !== undefined && (typeof conversation !== "string" || conversation === ""))
    throw new TypeError("conversation is a string that is not empty");
  if (password !== undefined && (typeof password !== "string" || password === ""))
    throw new TypeError("password is a string that is not empty");
  if (partial !== undefined && typeof partial !== "boolean") throw new TypeError("partial is true or false");
  if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError("onProgress is a function");
  return {
    ...(format !== undefined && { format }),
    ...(conversation !== undefined && { conversation }),
    ...(password !== undefined && { password }),
    ...(partial !== undefined && { partial }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  };
}

function isSource(source: unknown): boolean {
  if (typeof source !== "object" || source === null) return false;
  return source instanceof Blob || "getReader" in source || Symbol.asyncIterator in source;
}
