/** How a new file takes the place of a damaged one: it is filled beside it, then takes its name.
 *
 * Killed at any moment there is the old file as it was, or the whole of the new one beside it, and then the next opening goes on
 * with the change of names from where it stopped. Nobody else has the file open meanwhile: see file-use.ts. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Ends of the names of the file beside it, while it is filled and once it is whole, and of the damaged file that it replaced. */
const FILLING = ".filling";
const WHOLE = ".repaired";
const DAMAGED = ".damaged-";
/** What SQLite keeps beside a file. */
const SIDES = ["-wal", "-shm", "-journal"];

/** Whether a repair was killed after the new file was whole. */
export function isHalfReplaced(file: string): boolean {
  return existsSync(file + WHOLE);
}

/** @param fill writes everything into a new file of this path, and closes it
 * @returns where the damaged file lies now */
export async function replaceFile(file: string, fill: (file: string) => Promise<void>): Promise<string> {
  removeHalfFilled(file);
  try {
    await fill(file + FILLING);
  } catch (error) {
    removeHalfFilled(file);
    throw error;
  }
  // Closing has emptied its log, so it is one file.
  renameSync(file + FILLING, file + WHOLE);
  return finishReplacement(file);
}

/** Gives the new file its name, from wherever that was left off.
 * @returns where the damaged file lies now */
export function finishReplacement(file: string): string {
  const keepAs = damagedName(file);
  // The log of the damaged file would be taken for the new one's; it goes where the file goes that it belongs to.
  for (const side of [...SIDES, ""]) if (existsSync(file + side)) renameSync(file + side, keepAs + side);
  renameSync(file + WHOLE, file);
  return keepAs;
}

/** What a repair was filling when it was killed: copies of what the file itself holds, which no forgetting would reach. */
export function removeHalfFilled(file: string): void {
  for (const side of ["", ...SIDES]) rmSync(file + FILLING + side, { force: true });
}

/** Everything that repairs have left beside the file. A damaged file cannot be searched for what is one user's, so it goes whole. */
export function removeLeftovers(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) return;
  removeHalfFilled(file);
  const start = basename(file) + DAMAGED;
  for (const name of readdirSync(folder)) if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
}

/** The same for every try to finish one repair, so that a file and its log stay together. */
function damagedName(file: string): string {
  for (let stamp = Math.floor(statSync(file + WHOLE).mtimeMs); ; stamp++)
    if (!existsSync(file + DAMAGED + stamp)) return file + DAMAGED + stamp;
}
