/** The hashes by which the name tagger finds its features and its lists. The model file holds for these and no others. */

/** Of a string's UTF-16 units, 32 bits (FNV-1a, folded). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return hash | 0;
}

export function mix(one: number, other: number): number {
  let hash = Math.imul(one ^ other, 0x9e3779b1);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x85ebca6b) ^ (hash >>> 13);
}
