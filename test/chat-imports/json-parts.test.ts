import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExportPart } from "../../src/imports/conversation.js";
import { type JsonDamage, jsonParts } from "../../src/imports/json-parts.js";
import { isLines, lineParts } from "../../src/imports/lines.js";

async function partsOf(pieces: readonly string[]): Promise<(ExportPart | JsonDamage)[]> {
  const found: (ExportPart | JsonDamage)[] = [];
  for await (const part of jsonParts(
    (async function* () {
      yield* pieces;
    })(),
  ))
    found.push(part);
  return found;
}

const valuesOf = (parts: readonly (ExportPart | JsonDamage)[]) => parts.map((part) => ("damage" in part ? "damage" : part.value));

/** A text cut at random places. */
const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...at].map((start, index) => text.slice(start, [...at, text.length][index]));
};

describe("JSON as a stream", () => {
  it("gives the members of a list as JSON.parse does, wherever the text is cut and however it is spaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.constantFrom(0, 1, 2),
        async (list, places, indent) => {
          const text = JSON.stringify(list, undefined, indent);
          expect(valuesOf(await partsOf(cut(text, places)))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it("gives the members of an object in one, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (fields, places) => {
          const { conversations: _, messages: __, chats: ___, left_chats: ____, ...rest } = fields;
          const text = JSON.stringify(rest);
          expect(valuesOf(await partsOf(cut(text, places)))).toEqual([JSON.parse(text)]);
        },
      ),
    );
  });

  it("takes a key that JavaScript has its own use for as any other", async () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    const [value] = valuesOf(await partsOf([text]));
    expect(Object.entries(value as object)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
    ]);
  });

  it("goes into the lists of a Telegram export, and knows what stands around a message", async () => {
    const text = JSON.stringify({ a: 1, chats: { about: "x", list: [{ name: "Ana", messages: [{ id: 1 }], end: true }] } });
    expect(await partsOf([text])).toEqual([
      {
        path: ["chats", "list", "#", "messages", "#"],
        value: { id: 1 },
        around: [{ a: 1 }, { about: "x" }, { name: "Ana", end: true }],
        document: 0,
      },
      {
        path: ["chats", "list", "#"],
        value: { name: "Ana", end: true },
        around: [{ a: 1 }, { about: "x" }],
        document: 0,
        isRest: true,
      },
      { path: ["chats"], value: { about: "x" }, around: [{ a: 1 }], document: 0, isRest: true },
      { path: [], value: { a: 1 }, around: [], document: 0, isRest: true },
    ]);
  });
});

describe("damaged JSON", () => {
  it.each([
    ["a broken member", '[{"a":1},{"a":},{"a":3}]', [{ a: 1 }, "damage", { a: 3 }]],
    ["a wrong bracket", '[{"a":1},{"a":[2},{"a":3}]', [{ a: 1 }, "damage", { a: 3 }]],
    ["a file that ends early", '[{"a":1},{"a":2},{"a":', [{ a: 1 }, { a: 2 }, "damage"]],
    ["a file that ends between members", '[{"a":1},', [{ a: 1 }, "damage"]],
    ["a missing quote", '[{"a":"1"},{"a":"2},{"a":"3"},{"a":"4"}]', [{ a: "1" }, "damage", { a: "3" }, { a: "4" }]],
    ["a missing quote, over lines", '[\n{"a":"1"},\n{"a":"2},\n{"a":"3"}\n]', [{ a: "1" }, "damage", { a: "3" }]],
    ["a stray word", '[{"a":1}, nonsense, {"a":3}]', [{ a: 1 }, "damage", { a: 3 }]],
  ])("costs only what it touches: %s", async (_, text, expected) => {
    expect(valuesOf(await partsOf([text]))).toEqual(expected);
    expect(valuesOf(await partsOf([...text]))).toEqual(expected);
  });

  it("never throws, whatever the text", async () => {
    const noise = fc.array(fc.constantFrom("{", "}", "[", "]", '"', ",", ":", "\\", "\n", "a", "1", '{"a":1}', '"messages":['), {
      maxLength: 30,
    });
    await fc.assert(fc.asyncProperty(noise, async (pieces) => void (await partsOf(pieces))));
  });
});

describe("JSON lines", () => {
  it("are told from one value by their first line", () => {
    expect(isLines('{"role":"user"}\n{"role":"assistant"}')).toBe(true);
    expect(isLines('\ufeff{"role":"user"}\r\n')).toBe(true);
    expect(isLines('{\n"role":"user"}')).toBe(false);
    expect(isLines('[{"role":"user"}]\n')).toBe(false);
    expect(isLines('{"role":"user"}')).toBe(false);
  });

  it("cost only themselves when they are broken", async () => {
    const found: (ExportPart | JsonDamage)[] = [];
    for await (const part of lineParts(
      (async function* () {
        yield '{"a":1}\r\n\n{"a":"x\n{"a"';
        yield ':3}\n[{"a":4},\n]';
      })(),
    ))
      found.push(part);
    expect(valuesOf(found)).toEqual([{ a: 1 }, "damage", { a: 3 }, "damage"]);
  });
});
