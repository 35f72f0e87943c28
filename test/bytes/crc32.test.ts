import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "../../src/bytes/crc32.js";

it("is the CRC-32 that zlib computes over the same bytes", () => {
  fc.assert(
    fc.property(fc.float32Array({ maxLength: 600 }), fc.nat(3), (rows, from) => {
      const view = rows.subarray(Math.min(from, rows.length));
      const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
      expect(crc32(view)).toBe(zlibCrc32(bytes));
    }),
  );
});

it("is the same over bytes that begin anywhere, in as many pieces as they come", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), fc.nat(200), (bytes, from, cut) => {
      const view = bytes.subarray(Math.min(from, bytes.length));
      const [start, end] = [view.subarray(0, cut), view.subarray(cut)];
      expect(crc32(end, crc32(start))).toBe(zlibCrc32(view));
    }),
  );
});

it("tells a zero from a minus zero, and one bit from another", () => {
  const sums = [new Float32Array([0]), new Float32Array([-0]), new Float32Array([1]), new Float32Array([1 + 2 ** -23])].map(
    (rows) => crc32(rows),
  );
  expect(new Set(sums).size).toBe(4);
});
