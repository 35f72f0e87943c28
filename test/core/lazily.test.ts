/** Parts that are loaded when they are first asked for. */

import { expect, test } from "vitest";
import { lazily } from "../../src/core/lazily.js";
import { isMemoryError } from "../../src/errors.js";

test("loads once for all who ask", async () => {
  let loads = 0;
  const part = lazily(async () => ({ number: ++loads }));
  expect(loads).toBe(0);
  const [first, second] = await Promise.all([part(), part()]);
  expect(first).toBe(second);
  expect(await part()).toBe(first);
  expect(loads).toBe(1);
});

test("says what could not be loaded, and tries again at the next call", async () => {
  const offline = new TypeError("Failed to fetch dynamically imported module");
  const results = [() => Promise.reject(offline), () => Promise.resolve("there")];
  const part = lazily(async () => results.shift()?.());
  const error = await part().catch((reason: unknown) => reason);
  expect(isMemoryError(error, "asset-unavailable")).toBe(true);
  expect((error as Error).cause).toBe(offline);
  expect(await part()).toBe("there");
});
