/** Finds the JSON in what a model wrote: around it stand thoughts, fences and chatter. */

const THOUGHT = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi;
const FENCE = /```(?:json|javascript|js)?\s*\n?([\s\S]*?)(?:```|$)/i;
/** Longer answers than any schema of ours allows; what comes after is not read. */
const MAX_LENGTH = 200_000;
/** Places where the value may begin that are tried. */
const MAX_STARTS = 16;

/** What may be the answer, most likely first: whole values before those that never end, longer ones before shorter.
 * @param opens the bracket that the wanted value begins with */
export function extractJson(raw: string, opens: "{" | "["): string[] {
  const text = raw.slice(0, MAX_LENGTH).replace(THOUGHT, " ");
  const fenced = FENCE.exec(text)?.[1];
  const found = [...(fenced === undefined ? [] : values(fenced, opens)), ...values(text, opens)];
  const ranked = found.sort((a, b) => Number(b.whole) - Number(a.whole) || b.text.length - a.text.length);
  return [...new Set(ranked.map((value) => value.text))];
}

function values(text: string, opens: "{" | "["): { readonly text: string; readonly whole: boolean }[] {
  const found: { readonly text: string; readonly whole: boolean }[] = [];
  let from = text.indexOf(opens);
  for (let starts = 0; from >= 0 && starts < MAX_STARTS; starts++) {
    const end = valueEnd(text, from);
    found.push({ text: text.slice(from, end), whole: end !== undefined });
    // A bracket in the chatter may never close; then the answer begins at a later one.
    from = text.indexOf(opens, end ?? from + 1);
  }
  return found;
}

/** Where the value that begins here ends; undefined when it never does. */
function valueEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth <= 0) return at + 1;
  }
  return undefined;
}
