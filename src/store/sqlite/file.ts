/** The file of a database: a name that every file system takes, one for each database name. */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** Characters of an encoded name beyond which a hash takes its place; file systems allow 255 bytes in all. */
const MAX_CHARACTERS = 160;

/** The path of the database file for `name`.
 *
 * Lower-case ASCII letters, digits and hyphens stay; any other code unit becomes `_` and four hex digits, capitals
 * too, since "Work" and "work" are one file on macOS and Windows. */
export function databaseFile(directory: string, name: string): string {
  const encoded = name.replace(/[^a-z0-9-]/g, (unit) => `_${hex(unit)}`);
  const short =
    encoded.length <= MAX_CHARACTERS
      ? encoded
      : `_sha256_${createHash("sha256").update(Buffer.from(name, "utf16le")).digest("hex")}`;
  return join(directory, `keepsake-${short}.sqlite`);
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, "0");
}
