/** Which meta rows are a person's own and go into a backup; the others belong to this device, or can be made again. */

/** Names, and beginnings of names that end in ":". */
const PERSONAL: readonly string[] = [
  // Marks of what was forgotten, so that it stays forgotten elsewhere.
  "forgotten:",
  // Entries that wait for consolidation: the queue, and its runs.
  "evicted",
  "evicted:",
  // What was learned of which turns are needed.
  "scorer",
];

export function isPersonalMeta(key: string): boolean {
  return PERSONAL.some((name) => (name.endsWith(":") ? key.startsWith(name) : key === name));
}
