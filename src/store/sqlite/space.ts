/** How large the file of a database is, and how much room its disk has left. */
import { stat, statfs } from "node:fs/promises";
import { databaseFile } from "./file.js";

/** @returns the bytes of the file, and those together with what the disk has free; nothing for a database in memory */
export async function spaceOf(
  directory: string,
  name: string,
): Promise<{ readonly usageBytes?: number; readonly quotaBytes?: number }> {
  if (directory === ":memory:") return {};
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(databaseFile(directory, name)), statfs(directory)]);
  return { usageBytes: size, quotaBytes: size + bavail * bsize };
}
