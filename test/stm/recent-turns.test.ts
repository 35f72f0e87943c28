import { describe, expect, it } from "vitest";
import { RecentTurns } from "../../src/stm/recent-turns.js";
import type { TurnId } from "../../src/types.js";
import { turn } from "./turns.js";

const ids = (recent: RecentTurns) => recent.turns.map(({ id }) => id);

describe("the last turns of a conversation", () => {
  it("are held once each, forgotten when they were, and the oldest go first", () => {
    const recent = new RecentTurns([turn("a", "1"), turn("b", "2")], { maxTurns: 2 });
    recent.add([turn("b", "2")]);
    expect(ids(recent)).toEqual(["a", "b"]);
    recent.add([turn("c", "3"), turn("c", "3")]);
    expect(ids(recent)).toEqual(["b", "c"]);
    recent.remove(["b" as TurnId]);
    expect(ids(recent)).toEqual(["c"]);
  });

  it("are shown to the roles with their speakers", () => {
    const recent = new RecentTurns([turn("a", "1"), turn("b", "2", { name: "Ann", role: "assistant", at: 7 })]);
    expect(recent.recent(1)).toEqual([{ role: "assistant", name: "Ann", text: "2", at: 7 }]);
    expect(recent.recent(0)).toEqual([]);
  });

  it("are one at least", () => {
    expect(() => new RecentTurns([], { maxTurns: 0 })).toThrow(RangeError);
    expect(() => new RecentTurns([], { maxTurns: Number.NaN })).toThrow(RangeError);
  });
});
