/** Models to propose in the place of a GGUF file that is too large here: there is no list of them to look one up in. */

/** Under the Apache licence, with a chat template; bytes of the file. Largest first. */
const KNOWN = [
  { name: "SmolLM2-360M-Instruct in Q8_0", sizeBytes: 386_000_000 },
  { name: "SmolLM2-135M-Instruct in Q8_0", sizeBytes: 145_000_000 },
  { name: "SmolLM2-135M-Instruct in Q4_1", sizeBytes: 98_400_000 },
] as const;

/** @param sizeBytes of the wanted file
 * @param mostBytes that there is room for
 * @returns words to end a refusal with; none where no smaller model is known */
export function smallerInWords(sizeBytes: number, mostBytes: number): string {
  const next = KNOWN.find((known) => known.sizeBytes < sizeBytes && known.sizeBytes <= mostBytes);
  return next ? `, such as ${next.name} (${Math.round(next.sizeBytes / 1e6)} MB)` : "";
}
