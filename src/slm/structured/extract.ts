/** Finds the JSON in what a model wrote: around it stand thoughts, fences and chatter. */

const THOUGHT = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi;
const FENCE = /```(?:json|javascript|js)?\s*\n?([\s\S]*?)(?:```|$)/di;
/** Places where the value may begin that are tried. */
const MAX_STARTS = 16;

/** Brackets of the prompt's own that are passed over. */
const MAX_PASSED = 256;

/** What may be the answer, most likely first: whole values before those that never end, longer ones before shorter.
 * @param opens the bracket that the wanted value begins with
 * @param isEchoed whether the bracket at an index of `raw` is not the model's own: no value begins there */
export function extractJson(raw: string, opens: "{" | "[", isEchoed: (at: number) => boolean = () => false): string[] {
  // Thoughts leave their room, so that a place in the one is the same in the other.
  const text = raw.replace(THOUGHT, (thought) => " ".repeat(thought.length));
  const [from, to] = FENCE.exec(text)?.indices?.[1] ?? [0, 0];
  const found = [...values(text.slice(0, to), from, opens, isEchoed), ...values(text, 0, opens, isEchoed)];
  const ranked = found.sort((a, b) => Number(b.whole) - Number(a.whole) || b.text.length - a.text.length);
  return [...new Set(ranked.map((value) => value.text))];
}

function values(
  text: string,
  start: number,
  opens: "{" | "[",
  isEchoed: (at: number) => boolean,
): { readonly text: string; readonly whole: boolean }[] {
  const found: { readonly text: string; readonly whole: boolean }[] = [];
  let passed = 0;
  let from = text.indexOf(opens, start);
  while (from >= 0 && found.length < MAX_STARTS && passed < MAX_PASSED) {
    if (isEchoed(from)) {
      passed++;
      from = text.indexOf(opens, from + 1);
      continue;
    }
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
