/** Cases of storage, with other words than those that were reported. */

import { describe, expect, it } from "vitest";
import type { Case } from "../../../eval/cases/case.js";
import { openedBeside } from "../../../eval/cases/storage.js";
import { runCase } from "../../../eval/cases.js";

const turns = ["I lent my tent to Bojana.", "The ferry leaves at 6:40.", "My shelf number is 77-C."].map((user, day) => ({
  user,
  at: `2026-04-0${day + 1}T10:00:00+02:00`,
}));

function withoutRoom(onWriteOfTurn: number, mustContain: string[]): Case {
  return {
    id: "no room",
    fault: "A full disk lost what was said.",
    kind: "storage",
    setup: { turns, inject: { onWriteOfTurn, throw: "QuotaExceededError", clearAfter: 2 } },
    action: {
      command: "record, retry, reopen",
      ask: "Who has my tent, and what is my shelf number?",
      at: "2026-05-01T10:00:00+02:00",
    },
    expect: {
      on: "recall",
      mustContain: ["Bojana", "77-C"],
      also: [
        { on: "result", mustContain },
        {
          on: "consistency",
          mustNotContain: ["entryWithoutTurn", "turnWithoutIndex", "duplicateTurn", "lostTurn"],
        },
      ],
    },
  };
}

describe("a case of a full disk", () => {
  it.each([1, 2, 3])("passes wherever the room ends, here at turn %i", async (turn) => {
    expect(await runCase(withoutRoom(turn, ["quota-exceeded"]))).toEqual([]);
  });

  it("fails when the caller is not told what is asked for", async () => {
    expect(await runCase(withoutRoom(2, ["all is well"]))).toEqual([expect.stringContaining('result: lacks "all is well"')]);
  });
});

describe("a case of an old tab", () => {
  const tab = { name: "A", holdsConnection: true, closesOnVersionchange: false };

  it("tells what the first opening was told, and opens again when the tab is gone", async () => {
    let isHeld = false;
    const opened: boolean[] = [];
    const told = await openedBeside([tab], {
      limitMs: 1_000,
      hold: async (isPolite) => {
        isHeld = !isPolite;
        return () => {
          isHeld = false;
        };
      },
      open: async () => {
        opened.push(!isHeld);
        if (isHeld) throw new Error("another tab");
      },
      close: async () => undefined,
    });
    expect(told).toContain("another tab");
    expect(opened).toEqual([false, true, true]);
  });

  it("fails when an opening is refused although nothing is in its way", async () => {
    const opening = openedBeside([tab], {
      limitMs: 1_000,
      hold: async () => () => undefined,
      open: async () => {
        throw new Error("no");
      },
      close: async () => undefined,
    });
    await expect(opening).rejects.toThrow("no");
  });
});
