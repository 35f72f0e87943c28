/** A mark that a database has been written to, kept where IndexedDB is not: in the origin's private file system.
 *
 * Chromium removes every IndexedDB database of an origin when its files fail a check (measured: a browser killed in the middle of a
 * write, started twice), and makes empty ones in their place; it says so only to whoever opens first. What evicts an origin, or
 * clears its data, takes the mark as well. */

const FOLDER = "keepsake";

/** @returns whether a database of this name was written to, as far as can be told */
export async function wasWritten(name: string): Promise<boolean> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
    await folder.getFileHandle(await fileOf(name));
    return true;
  } catch {
    // There is no mark, or none can be had here: in a private window, an insecure origin, an older browser.
    return false;
  }
}

/** Never rejects: where no mark can be left, nothing will be told. */
export async function markWritten(name: string): Promise<void> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
    await folder.getFileHandle(await fileOf(name), { create: true });
  } catch {
    // As above.
  }
}

/** A name of a database may be of any length and any characters. */
async function fileOf(name: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
