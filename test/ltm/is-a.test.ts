import fc from "fast-check";
import { expect, it } from "vitest";
import { IsALinks } from "../../src/ltm/is-a.js";

const link = (from: string, to: string, type: "IsA" | "RelatedTo" = "IsA") => ({ from, type, to });

it("tells which edge would close a circle, by kinds alone", () => {
  const links = new IsALinks([link("dog", "pet"), link("pet", "animal"), link("animal", "dog", "RelatedTo")]);
  expect([links.wouldClose("animal", "dog"), links.wouldClose("dog", "animal"), links.wouldClose("dog", "dog")]).toEqual([
    true,
    false,
    true,
  ]);
  links.remove(link("pet", "animal"));
  expect(links.wouldClose("animal", "dog")).toBe(false);
});

it("takes what it does not know of for a circle", () => {
  const links = new IsALinks([link("dog", "pet")], new Set(["pet"]));
  expect([links.wouldClose("fish", "dog"), links.wouldClose("dog", "fish")]).toEqual([true, false]);
});

it("tells which two as one would lie above themselves", () => {
  const links = new IsALinks([link("a", "b"), link("b", "c"), link("d", "c")]);
  expect([links.wouldCloseAsOne("a", "c"), links.wouldCloseAsOne("a", "b"), links.wouldCloseAsOne("a", "d")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("comes to an end among circles that are there, and never lets one in", () => {
  const ids = fc.constantFrom(..."abcdefg");
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, ids)), (wanted) => {
      const links = new IsALinks([]);
      const kept = wanted.filter(([from, to]) => {
        const closes = links.wouldClose(from, to);
        if (!closes) links.add(link(from, to));
        return !closes;
      });
      const rest = new Set(kept.flat());
      // What has nothing above it goes, until nothing is left.
      for (let before = -1; before !== rest.size; ) {
        before = rest.size;
        for (const id of rest) if (!kept.some(([from, to]) => from === id && rest.has(to))) rest.delete(id);
      }
      expect(rest.size).toBe(0);
    }),
  );
  const circular = new IsALinks([link("a", "b"), link("b", "a")]);
  expect(circular.wouldClose("c", "a")).toBe(false);
});
