import { expect, it } from "vitest";
import { withTotalLoss } from "./kill/life.js";

const LOST = [
  { kind: "lost", what: "the turn t1" },
  { kind: "lost", what: "the entry e1" },
  { kind: "inconsistent", what: "the memory tells of 1 entries" },
] as const;
const GONE = [{ reason: "the database held memories and is not there any more" }];

it("counts a database that the browser removed as lost, and says why beside", () => {
  expect(withTotalLoss(LOST, GONE)).toEqual([
    { kind: "recreated", what: GONE[0]?.reason },
    { kind: "lost", what: expect.stringContaining("2 turns and entries") },
  ]);
});

it("tells only why where nothing was acknowledged yet, and leaves all as it is where nothing was removed", () => {
  expect(withTotalLoss([], GONE).map(({ kind }) => kind)).toEqual(["recreated"]);
  expect(withTotalLoss(LOST, [{ reason: "no worker" }])).toEqual(LOST);
});
