/** What is still whole in a damaged run of JSON objects. */

/** The objects that can be read, in order, and `undefined` for each run of text between them that cannot.
 * @param firstKey with which the objects of this list begin; without it nothing is looked for */
export function salvaged(text: string, firstKey: string | undefined): unknown[] {
  if (firstKey === undefined) return [undefined];
  const found: unknown[] = [];
  const lose = () => {
    if (found.length === 0 || found.at(-1) !== undefined) found.push(undefined);
  };
  for (const piece of pieces(text, firstKey)) {
    try {
      found.push(JSON.parse(piece));
    } catch {
      lose();
    }
  }
  // Something was wrong, or this would not have been called: all of it reads only when the damage fell between two objects.
  if (!found.includes(undefined)) found.push(undefined);
  return found;
}

/** The text cut wherever an object of the list seems to begin, without the comma before it. */
function pieces(text: string, firstKey: string): string[] {
  const key = JSON.stringify(firstKey).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const starts = [...text.matchAll(new RegExp(`(?<=^|[}\\]"]\\s*,?\\s*)\\{\\s*${key}\\s*:`, "g"))].map(({ index }) => index);
  return starts.map((start, at) =>
    text
      .slice(start, starts[at + 1] ?? text.length)
      .trim()
      .replace(/[,\]]\s*$/, "")
      .trim(),
  );
}
