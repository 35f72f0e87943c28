import { expect, it } from "vitest";
import { blankRows, isSoundSegment, liveRows, OpenSegment, ROWS_PER_SEGMENT, segmentOf } from "../../src/store/segments.js";
import { entryId } from "./samples.js";

/** Segment 1 (rows 256 to 511) of one-dimensional vectors; row n holds n and belongs to "e<n>". */
function fullSegment() {
  const open = new OpenSegment(1);
  for (let sequence = 256; sequence < 512; sequence++) open.set(sequence, entryId(`e${sequence}`), new Float32Array([sequence]));
  return open.seal(1);
}

it("puts row 255 into the first segment and row 256 into the second", () => {
  expect([0, 255, 256, 511, 512].map(segmentOf)).toEqual([0, 0, 1, 1, 2]);
});

it("reads a full segment as it was filled", () => {
  const { entryIds, rows } = liveRows(fullSegment(), 1);
  expect(entryIds).toHaveLength(ROWS_PER_SEGMENT);
  expect([entryIds[0], entryIds[255], rows[0], rows[255]]).toEqual(["e256", "e511", 256, 511]);
});

it("keeps nothing of a row that was blanked, and passes over it in reading", () => {
  const blanked = blankRows(fullSegment(), [256, 300, 511], 1)!;
  for (const offset of [0, 44, 255]) {
    expect(blanked.rows[offset]).toBe(0);
    expect(blanked.entryIds[offset]).toBe("");
  }
  expect(JSON.stringify(blanked.entryIds)).not.toContain("e300");
  const { entryIds, rows } = liveRows(blanked, 1);
  expect(entryIds).toHaveLength(253);
  expect([entryIds[0], rows[0], entryIds[43], rows[43]]).toEqual(["e257", 257, "e301", 301]);
});

it("is nothing any more when only holes are left", () => {
  const all = Array.from({ length: 256 }, (_, offset) => 256 + offset);
  expect(blankRows(fullSegment(), all, 1)).toBeUndefined();
});

it("knows a segment that fails its checksum, and never gives it a new one", () => {
  const sealed = fullSegment();
  expect(isSoundSegment(sealed, 1)).toBe(true);
  sealed.rows[17] = sealed.rows[17]! + 1;
  expect(isSoundSegment(sealed, 1)).toBe(false);
  expect(blankRows(sealed, [256], 1)).toBeUndefined();
});

it("knows a segment that is not of the shape that was stored", () => {
  for (const foreign of [
    { ...fullSegment(), rows: new Float32Array(3) },
    { ...fullSegment(), entryIds: [] },
    { ...fullSegment(), rows: "rows" as unknown as Float32Array },
    undefined as unknown as ReturnType<typeof fullSegment>,
  ])
    expect(isSoundSegment(foreign, 1)).toBe(false);
  expect(isSoundSegment(fullSegment(), 2)).toBe(false);
});
