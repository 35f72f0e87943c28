import fc from "fast-check";
import { expect, it } from "vitest";
import { checksumOf } from "../../src/store/checksum.js";

it("is the same for a structured clone, and does not see properties that are undefined", () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: false, maxDepth: 3 }), (value) => {
      expect(checksumOf(structuredClone(value))).toBe(checksumOf(value));
    }),
  );
  expect(checksumOf({ a: 1, b: undefined })).toBe(checksumOf({ a: 1 }));
});

it("changes with every single unit of a text, wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 40, unit: "binary" }),
      fc.nat(),
      fc.integer({ min: 1, max: 0xffff }),
      (text, at, by) => {
        const index = at % text.length;
        const changed = text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ by) + text.slice(index + 1);
        expect(checksumOf({ text: changed })).not.toBe(checksumOf({ text }));
      },
    ),
  );
});

it("tells shapes and kinds apart", () => {
  const values = [
    "",
    0,
    -0,
    "0",
    null,
    undefined,
    true,
    [],
    {},
    [""],
    [[]],
    [0, 1],
    [1, 0],
    { a: 1 },
    { b: 1 },
    { a: "1" },
    "ab",
    "ba",
    ["a", "b"],
    ["ab"],
    { a: { b: 1 } },
    { a: 1, b: 1 },
  ];
  expect(new Set(values.map(checksumOf)).size).toBe(values.length);
});
