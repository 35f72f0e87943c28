/** Makes a damaged file anew from what reads of it: into one beside it first, which then takes its name.
 *
 * Killed at any moment there is the old file, or the whole of the new one beside it, and then the next opening gives it the name. */
import { existsSync, renameSync, rmSync } from "node:fs";
import type { RepairReport } from "../../ports.js";
import { reportOf, type Salvaged } from "../salvage.js";

/** Ends of the names of the file beside it, while it is filled and once it is whole. */
const FILLING = ".filling";
const WHOLE = ".repaired";
/** What SQLite keeps beside a file. */
const SIDES = ["", "-wal", "-shm", "-journal"];

/** Gives a repaired file its name, where a repair was killed before it could. */
export function finishRepair(file: string): void {
  if (!existsSync(file) && existsSync(file + WHOLE)) renameSync(file + WHOLE, file);
}

/** @param fill writes everything into a new file of this path, and closes it
 * @param keepAs where the damaged file goes */
export async function replaceFile(
  file: string,
  salvaged: Salvaged,
  { fill, keepAs }: { readonly fill: (file: string) => Promise<void>; readonly keepAs: string },
): Promise<RepairReport> {
  for (const side of SIDES) for (const end of [FILLING, WHOLE]) rmSync(file + end + side, { force: true });
  await fill(file + FILLING);
  // Closing has emptied its log, so it is one file.
  renameSync(file + FILLING, file + WHOLE);
  for (const side of SIDES) if (side !== "" && existsSync(file + side)) renameSync(file + side, keepAs + side);
  renameSync(file, keepAs);
  finishRepair(file);
  return { ...reportOf(salvaged), keptAs: keepAs };
}
