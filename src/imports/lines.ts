/** JSON lines: every line is read by itself, so that a broken one costs only itself. */

import type { ExportPart } from "./conversation.js";
import type { JsonDamage } from "./json-parts.js";

/** Characters of a line beyond which it is given up. */
const MAX_LINE = 64 * 1024 * 1024;

export async function* lineParts(chunks: AsyncIterable<string>): AsyncGenerator<ExportPart | JsonDamage> {
  let rest = "";
  let number = 0;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* linePart(line, number++);
    if (rest.length > MAX_LINE) {
      yield { path: ["#"], damage: `line ${number + 1} is longer than ${MAX_LINE} characters` };
      rest = "";
    }
  }
  yield* linePart(rest, number);
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
