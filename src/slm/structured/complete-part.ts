/** What is whole in a JSON text that was cut: complete elements of its arrays, and complete members of its outermost object.
 *
 * A list that was cut before its first element was whole says nothing: it is not an empty one. */

/** Deeper nesting than any schema of ours. */
const MAX_DEPTH = 32;

/** @param text begins with a bracket
 * @returns the text up to its last whole part, closed; undefined when nothing of it is whole */
export function completePart(text: string): string | undefined {
  const stack: string[] = [];
  let kept: string | undefined;
  let inString = false;
  /** Half an element is no element: a place counts only where everything around it but the outermost value is an array. */
  const keep = (end: number): void => {
    if (stack.slice(1).every((closer) => closer === "]")) kept = text.slice(0, end) + [...stack].reverse().join("");
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === ",") keep(at);
    else if (character === "{" || character === "[") {
      stack.push(character === "{" ? "}" : "]");
      if (stack.length > MAX_DEPTH) return undefined;
    } else if (character === "}" || character === "]") {
      if (stack.pop() !== character) return kept;
      if (stack.length === 0) return text.slice(0, at + 1);
      keep(at + 1);
    }
  }
  return kept;
}
