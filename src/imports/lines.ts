/** JSON lines: every line is read by itself, so that a broken one costs only itself. */

import type { ExportPart } from "./conversation.js";
import type { JsonDamage } from "./json-parts.js";

/** Characters of a line beyond which it is given up. */
const MAX_LINE = 64 * 1024 * 1024;

export async function* lineParts(chunks: AsyncIterable<string>): AsyncGenerator<ExportPart | JsonDamage> {
  // A line's pieces are joined once: joining them with each chunk would take the square of a long line's length.
  let pieces: string[] = [];
  let length = 0;
  let number = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      if (length <= MAX_LINE) yield* linePart(pieces.join("") + chunk.slice(from, end), number);
      [pieces, length, from] = [[], 0, end + 1];
      number++;
    }
    const isHeld = length <= MAX_LINE;
    length += chunk.length - from;
    if (length <= MAX_LINE) pieces.push(chunk.slice(from));
    else if (isHeld) {
      yield { path: ["#"], damage: `line ${number + 1} is longer than ${MAX_LINE} characters` };
      pieces = [];
    }
  }
  if (length <= MAX_LINE) yield* linePart(pieces.join(""), number);
}

function* linePart(line: string, document: number): Generator<ExportPart | JsonDamage> {
  // Some writers put the lines into an array, with commas after them.
  const text = line.trim().replace(/,$/, "");
  if (text === "" || text === "[" || text === "]") return;
  try {
    yield { path: ["#"], value: JSON.parse(text), around: [], document };
  } catch (error) {
    yield { path: ["#"], damage: `line ${document + 1}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether a text is made of JSON lines, by its first: an object that ends with it. */
export function isLines(head: string): boolean {
  const [first = "", ...others] = head
    .replace(/^\ufeff/, "")
    .trimStart()
    .split("\n");
  if (!first.trimStart().startsWith("{") || others.length === 0) return false;
  try {
    JSON.parse(first);
    return true;
  } catch {
    return false;
  }
}
