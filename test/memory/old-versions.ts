/** A memory that was made by an older version is used as one of today. */

import { expect } from "vitest";
import type { Memory } from "../../src/index.js";
import type { EntryId, StoredEntry } from "../../src/types.js";

const OLD = "e1" as EntryId;

async function entriesOf(memory: Memory): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of memory.entries()) entries.push(entry);
  return entries;
}

async function found(memory: Memory, question: string): Promise<readonly string[]> {
  const { items } = await memory.recall(question, { deadlineMs: 60_000 });
  return items.map(({ text }) => text);
}

/** Recalls, records, corrects and forgets in a memory that a fixture made.
 * @param open opens it; it is opened twice, and closed */
export async function expectInUse(open: () => Promise<Memory>): Promise<void> {
  const first = await open();
  expect(await first.stats()).toMatchObject({ turns: 1, entries: 1 });
  expect(await found(first, "Do I like tea?")).toEqual(["likes tea"]);
  await first.untilEmbedded();
  expect((await first.stats()).vectors).toBeGreaterThan(0);
  expect(await first.get(OLD)).toMatchObject({ kind: "preference", sources: [{ turnId: "t1", quote: "I like tea" }] });

  const { stored } = await first.record({ user: "My locker code is 4417-B." });
  expect(stored).toHaveLength(1);
  await first.update(OLD, { text: "likes rooibos" });
  expect(await first.pin(OLD)).toMatchObject({ pinned: true, text: "likes rooibos" });
  expect(await first.consolidate()).toMatchObject({ left: 0 });
  await first.close();

  const second = await open();
  expect(await found(second, "Which rooibos do I like?")).toContain("likes rooibos");
  expect((await found(second, "What is my locker code?"))[0]).toContain("4417-B");
  const { degraded, storage } = await second.stats();
  expect([degraded, storage.backend]).toEqual([[], expect.any(String)]);
  expect(await second.forget({ entryIds: [OLD] })).toMatchObject({ entryIds: [OLD], turnIds: ["t1"], remaining: 0 });
  expect(await entriesOf(second)).toMatchObject([{ id: stored[0]?.id }]);
  expect(await found(second, "Which rooibos do I like?")).not.toContain("likes rooibos");
  await second.close();
}
