import { expect, it } from "vitest";

it("an app finds in Node by the same names what it finds in a browser", async () => {
  const [browser, node] = await Promise.all([import("keepsake"), import("keepsake/node")]);
  const names = Object.keys(node);
  expect(Object.keys(browser).filter((name) => !names.includes(name))).toEqual([]);
});
