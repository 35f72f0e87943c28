/** What crosses threads in an import: its progress arrives whole, whenever the answer comes. */

import { expect, it } from "vitest";
import { progressPort, withProgress } from "../../src/rpc/import-source.js";

const progress = (done: number) => ({ done, total: 3, conversations: 0, messages: 0 });

it("tells the last progress before the import counts as ended", async () => {
  const told: number[] = [];
  const { port, ended, stop } = progressPort(({ done }) => told.push(done));
  const answer = await withProgress(port, async (onProgress) => {
    for (const done of [1, 2, 3]) onProgress(progress(done));
    return "report";
  });
  expect(answer).toBe("report");
  await ended;
  expect(told).toEqual([1, 2, 3]);
  stop();
});

it("ends also when the import fails", async () => {
  const { port, ended, stop } = progressPort(() => undefined);
  await expect(withProgress(port, () => Promise.reject(new RangeError("damaged")))).rejects.toThrow("damaged");
  await ended;
  stop();
});
