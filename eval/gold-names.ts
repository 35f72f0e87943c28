/** Names of the people whom three conversations of LoCoMo mention, with those who speak: read by hand, names alone. What is knowledge
 * of the world must hold none of them, whatever the detectors say. */

export const GOLD_NAMES: Readonly<Record<string, readonly string[]>> = {
  "conv-26": (
    "Caroline Caro Melanie Mel Mell Oliver Oscar Luna Charlotte Nicole Amy Ellis Nutt Matt Patterson Bailey Sara Bareilles Bach Mozart " +
    "Sheeran"
  ).split(" "),
  "conv-42": "Joanna Jo Nate Max Tilly Peter Parker Wayne".split(" "),
  "conv-44": "Audrey Andrew Andy Toby Max Pixie Jack Russell".split(" "),
};

/** @returns whether a text holds one of the names as a word of its own, in whatever case */
export function namesOneOf(names: readonly string[]): (text: string) => boolean {
  if (names.length === 0) return () => false;
  const pattern = new RegExp(`(?<![\\p{L}])(?:${names.join("|")})(?![\\p{L}])`, "iu");
  return (text) => pattern.test(text);
}
