/** Every string in a stored value, however deep: what a person could read of it. */

/** Containers that are looked into; what nests deeper was not written by us. */
const MAX_DEPTH = 40;

/** @returns strings as they are, what stands in JSON, and the text of bytes; numbers, vectors and names of fields are none */
export function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") {
    const inner = depth <= MAX_DEPTH && isJson(value) ? parsed(value) : undefined;
    return inner === undefined ? [value] : stringsIn(inner, depth + 1);
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  if (value instanceof Uint8Array) return [new TextDecoder().decode(value)];
  if (value instanceof ArrayBuffer) return [new TextDecoder().decode(new Uint8Array(value))];
  if (ArrayBuffer.isView(value)) return [];
  const members: Iterable<unknown> =
    value instanceof Map
      ? [...value.entries()].flat()
      : Array.isArray(value) || value instanceof Set
        ? value
        : Object.values(value);
  const found: string[] = [];
  for (const member of members) found.push(...stringsIn(member, depth + 1));
  return found;
}

function isJson(text: string): boolean {
  return text.startsWith("{") || text.startsWith("[");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
