/** JSON lines however they are cut into pieces, and lines beyond all measure. */

import { describe, expect, it } from "vitest";
import { lineParts } from "../../src/imports/lines.js";

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(chunks: AsyncIterable<string>) {
  const found: unknown[] = [];
  for await (const part of lineParts(chunks))
    found.push("damage" in part ? part.damage.replace(/:.*/s, "") : [part.document, part.value]);
  return found;
}

describe("JSON lines", () => {
  const text = '{"a":1}\n\n[\n{"b":"two\\nlines"},\n{"c":\n{"d":4}';
  const parts = [[0, { a: 1 }], [3, { b: "two\nlines" }], "line 5", [5, { d: 4 }]];

  it.each([1, 2, 7, 1_000])("are the same in pieces of %i characters", async (size) => {
    expect(await read(pieces(text, size))).toEqual(parts);
  });

  it("go on after a line that is too long, which is told once", async () => {
    async function* long(): AsyncGenerator<string> {
      yield '{"a":1}\n{"text":"';
      for (let megabyte = 0; megabyte < 70; megabyte++) yield "x".repeat(1024 * 1024);
      yield '"}\n{"b":2}';
    }
    expect(await read(long())).toEqual([[0, { a: 1 }], "line 2 is longer than 67108864 characters", [2, { b: 2 }]]);
  });
});
