import { describe, expect, it } from "vitest";
import { Salvage } from "../../src/store/salvage.js";
import type { Entry, Turn } from "../../src/types.js";
import { entry, entryId, turn, userId } from "./samples.js";

const ME = userId("me");

describe("what is salvaged", () => {
  it("is in the order in which it was said, with the use of what there is", () => {
    const salvage = new Salvage();
    for (const sequence of [3, 1, Number.NaN, 2]) salvage.keepTurn(ME, { ...turn(`t${sequence}`), sequence });
    salvage.keepUsage(ME, entryId("gone"), { accessCount: 1, lastAccessedAt: 1 });
    salvage.keepUsage(ME, entryId("e1"), { accessCount: 2, lastAccessedAt: 2 });
    salvage.keepEntry(ME, { ...entry("e1"), revision: 1 });
    const [user] = salvage.result.users;
    expect(user?.turns.map(({ id }) => id)).toEqual(["tNaN", "t1", "t2", "t3"]);
    expect(user?.usage).toEqual([{ entryId: "e1", usage: { accessCount: 2, lastAccessedAt: 2 } }]);
    expect(salvage.result.lost).toEqual([]);
  });

  it("is without the rows that no store would take, each of which is named", () => {
    const salvage = new Salvage();
    salvage.keepTurn(ME, { ...turn("t1"), text: 7, sequence: 1 } as unknown as Turn);
    salvage.keepTurn(ME, { ...turn("t2"), sequence: 2 });
    salvage.keepTurn(ME, { ...turn("t2", "another"), sequence: 3 });
    salvage.keepEntry(ME, { ...entry("e1"), text: 7, revision: 1 } as unknown as Entry);
    salvage.keepMeta(ME, "a function", () => undefined);
    const { users, lost } = salvage.result;
    expect(users).toMatchObject([{ turns: [{ id: "t2", text: "said in t2" }], entries: [], meta: {} }]);
    expect(lost).toEqual([
      expect.stringContaining("turn t1"),
      expect.stringContaining("turn t2 is there twice"),
      expect.stringContaining("entry e1"),
      expect.stringContaining("a function"),
    ]);
  });

  it("names a hundred of what is lost", () => {
    const salvage = new Salvage();
    for (let number = 0; number < 200; number++) salvage.lose(`row ${number}`);
    expect(salvage.result.lost).toHaveLength(100);
  });
});
