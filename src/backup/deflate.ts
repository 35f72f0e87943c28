/** Deflate by the platform's own streams, a frame at a time. */

import { MemoryError } from "../errors.js";

/** @throws MemoryError "unsupported" where the platform has no CompressionStream */
export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return (await through(bytes, (format) => new CompressionStream(format))) as Uint8Array;
}

/** @returns undefined when it comes out longer than `length`, which a small file can be made to
 * @throws TypeError for what is no deflated data; MemoryError "unsupported" */
export function inflate(bytes: Uint8Array, length: number): Promise<Uint8Array | undefined> {
  return through(bytes, (format) => new DecompressionStream(format), length);
}

type Transform = Pick<TransformStream<Uint8Array, Uint8Array>, "readable" | "writable">;

async function through(
  bytes: Uint8Array,
  open: (format: "deflate-raw") => unknown,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array | undefined> {
  if (typeof CompressionStream === "undefined")
    throw new MemoryError("unsupported", "this platform has no CompressionStream, which backups need; use a newer browser");
  const { readable, writable } = open("deflate-raw") as Transform;
  const writer = writable.getWriter();
  // What fails here fails the reading below as well.
  void writer.write(bytes).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const reader = readable.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length <= most) continue;
    await reader.cancel();
    return undefined;
  }
  return joined(parts, length);
}

export function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
