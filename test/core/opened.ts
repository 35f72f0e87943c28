/** Memories in Node over a folder of their own, so that a test can open two handles on one database. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { type Memory, type NodeMemoryOptions, openMemory } from "../../src/node/index.js";
import type { Entry, StoredEntry } from "../../src/types.js";

export interface Opened {
  readonly directory: string;
  /** A handle on the database of the running test; closed after it. */
  open(options?: Partial<NodeMemoryOptions>): Promise<Memory>;
}

/** Call once a test file, at its top. */
export function openedMemories(): Opened {
  const directory = mkdtempSync(join(tmpdir(), "keepsake-core-"));
  const handles: Memory[] = [];
  let run = 0;
  afterEach(async () => {
    run++;
    for (const handle of handles.splice(0)) await handle.close();
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  return {
    directory,
    async open(options = {}) {
      const memory = await openMemory({
        name: `test ${run}`,
        userId: "me",
        directory,
        timeZone: "Europe/Berlin",
        deadlineMs: 5_000,
        ...options,
      });
      handles.push(memory);
      return memory;
    },
  };
}

export async function entriesOf(memory: Memory): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of memory.entries()) entries.push(entry);
  return entries;
}

/** Everything of an entry that a person could read. */
export function wordsIn({ text, indexText, context, sources }: Entry): string {
  return [text, indexText, context?.previous ?? "", context?.next ?? "", ...sources.map(({ quote }) => quote)].join("\n");
}
