/** The name tagger of a memory: its file is loaded when something is to leave the device, or comes from another, and then kept. */

import { NameTagger } from "../ltm/scrub/name-tagger.js";

type Load = () => Promise<ArrayBuffer>;

/** By what loads it, so that all who ask share one. */
const opened = new WeakMap<Load, NameTagger>();

/** @returns `undefined` where the memory was opened without one
 * @throws what loading throws: without it more names would go than was promised */
export async function nameTagger(load: Load | undefined): Promise<NameTagger | undefined> {
  if (!load) return undefined;
  const tagger = opened.get(load) ?? (await NameTagger.open(new Uint8Array(await load())));
  opened.set(load, tagger);
  return tagger;
}
