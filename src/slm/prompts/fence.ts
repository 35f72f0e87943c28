/** Puts text of others into a prompt as data. */

/** A text as one JSON string: it has no line of its own to speak from, and no mark that could close its frame.
 * @param most characters that are shown, 20 or more */
export function quoted(text: string, most = 600): string {
  const shown = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return JSON.stringify(shown.replace(/\s+/gu, " ").trim());
}

/** Numbered data, one a line. */
export function numbered(texts: readonly string[], most?: number): string {
  return texts.map((text, index) => `${index + 1}. ${quoted(text, most)}`).join("\n");
}
