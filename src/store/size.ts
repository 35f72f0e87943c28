/** How large a write is, and from where on that is asked first; the same for every backend. */
import type { StoreWrite } from "../ports.js";

/** From here on a write asks first how much room there is: some milliseconds, which a single turn is not worth. */
export const LARGE_BYTES = 2 ** 20;
/** What is taken for a byte of ours: a fresh row lies in the log and in the tables at once. */
export const OVERHEAD = 2;

/** About the bytes that a write stores. */
export function sizeOf({ turns = [], entries = [], vectors, graph }: StoreWrite): number {
  let bytes = 0;
  for (const { text } of turns) bytes += 300 + text.length;
  for (const entry of entries) {
    bytes +=
      600 +
      entry.text.length +
      entry.indexText.length +
      (entry.context?.previous?.length ?? 0) +
      (entry.context?.next?.length ?? 0);
    for (const { quote } of entry.sources) bytes += 100 + quote.length;
  }
  for (const { name, statement } of graph?.nodes ?? []) bytes += 400 + name.length + statement.length;
  bytes += 200 * ((graph?.edges?.length ?? 0) + (graph?.support?.length ?? 0));
  for (const { rows } of vectors?.of ?? []) bytes += rows.byteLength;
  return bytes;
}

export function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
