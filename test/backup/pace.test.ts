/** A backup of any size passes through in pieces: what is held does not grow with it. */

import { expect, it } from "vitest";
import type { BackupRow } from "../../src/backup/format.js";
import { readBackup } from "../../src/backup/read-backup.js";
import { writeBackup } from "../../src/backup/write-backup.js";
import { rowsWith } from "./files.js";

/** Of 100,000 times this one page of some 250 KB: more than any test writes. */
const PAGES = 100_000;
const PAGE = rowsWith(
  Array.from({ length: 200 }, (_, row) =>
    Array.from({ length: 120 }, (_, word) => `w${(row * 7919 + word * 104_729) % 9_973}`).join(" "),
  ),
).slice(1);

function endless(asked: { pages: number }): AsyncGenerator<readonly BackupRow[], void> {
  return (async function* () {
    yield rowsWith([]);
    for (; asked.pages < PAGES; asked.pages++) yield PAGE;
  })();
}

it.each([
  ["plain", undefined],
  ["encrypted", "correct horse"],
])("is written no faster than it is taken, and read no further than it is asked for (%s)", async (_, password) => {
  const written = { pages: 0 };
  const chunks = writeBackup(endless(written), { password });
  const taken = { chunks: 0, bytes: 0 };
  const source = (async function* () {
    for await (const chunk of chunks) {
      taken.chunks++;
      taken.bytes += chunk.length;
      yield chunk.slice();
    }
  })();
  const ahead: number[] = [];
  let [rows, at] = [0, 0];
  for await (const piece of readBackup(source, { password })) {
    if ("damage" in piece) throw new Error(piece.damage.reason);
    rows += piece.rows.length;
    // Pages that were asked for and have not come out at the other end.
    ahead.push(written.pages - rows / PAGE.length);
    if (++at === 40) break;
  }
  expect(rows).toBeGreaterThan(10 * PAGE.length);
  expect(Math.max(...ahead)).toBeLessThan(4);
  expect(written.pages).toBeLessThan(PAGES / 100);
});
