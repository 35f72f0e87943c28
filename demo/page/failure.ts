/** Turns an error into a sentence that says what happened and one that says what to do. */

import { isMemoryError, type MemoryErrorCode } from "keepsake";

export interface Failure {
  readonly happened: string;
  readonly advice: string;
}

const ADVICE: Readonly<Record<MemoryErrorCode, string>> = {
  closed: "Reload the page to open the memory again.",
  "not-found": "It may have been deleted in another tab. Look at the list again.",
  "dimension-mismatch": "Choose “Rebuild indexes” in the Storage tab.",
  "invalid-vector": "Choose “Rebuild indexes” in the Storage tab.",
  conflict: "Another tab changed it at the same moment. Try again.",
  "quota-exceeded": "Delete some memories, or free space on this device, and try again.",
  "storage-unavailable": "Open the page in a window that is not private, and allow it to store site data.",
  "storage-corrupt": "Choose “Rebuild indexes” in the Storage tab; if that does not help, erase everything there.",
  "storage-newer": "Close all tabs of this page and load it again, to get the newest version.",
  "storage-blocked": "Close the other tabs of this page, then reload this one.",
  "storage-failed": "Try again; if it stays like this, restart the browser.",
  "worker-failed": "Try again: the memory starts anew by itself, and what was saved is still there.",
  "backup-damaged": "Choose another copy of the file.",
  "wrong-password": "Type the password that the backup was saved with.",
  "peer-missing": "This demo does not need that package; reload the page.",
  "asset-unavailable": "Check that the page's own server can be reached, and reload.",
  "model-failed": "Try again; recall works without a model, too.",
  timeout: "Try again in a moment.",
  "too-large": "Split the text into shorter messages.",
  unsupported: "Try a newer browser.",
};

/** Whether this is the person's own cancelling, which is no failure. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function describeFailure(error: unknown): Failure {
  if (isMemoryError(error)) return { happened: sentence(error.message), advice: ADVICE[error.code] };
  const message = error instanceof Error ? error.message : String(error);
  return { happened: sentence(message), advice: "Reload the page; if it happens again, please report it with this message." };
}

function sentence(text: string): string {
  const trimmed = text.trim() || "something failed without saying why";
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/u.test(capital) ? capital : `${capital}.`;
}
