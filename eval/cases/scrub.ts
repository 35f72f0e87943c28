/** Plays what leaves the device in a case, call by call, and what comes back of an echo. */

import { Scrubber } from "../../src/ltm/scrub/scrubber.js";

export interface ScrubSetup {
  readonly texts: readonly string[];
  /** Which texts each call sends; all in one by default. */
  readonly calls?: readonly { readonly send: readonly number[] }[];
  /** Persons that the memory knows. */
  readonly names?: readonly string[];
}

export interface PlayedScrub {
  readonly outbound: readonly string[];
  readonly restored: readonly string[];
  /** Whether what the cases name holds. */
  readonly invariants: ReadonlyMap<string, boolean>;
}

export async function playScrub({ texts, calls = [{ send: [...texts.keys()] }], names = [] }: ScrubSetup): Promise<PlayedScrub> {
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const scrubber = new Scrubber({ key, people: names.map((name) => ({ name })) });
  const outbound: string[] = [];
  const restored: string[] = [];
  const labelsOf = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { send } of calls) {
    const sent = await scrubber.scrub(send.map((at) => texts[at] ?? ""));
    outbound.push(...sent.texts);
    restored.push(...sent.texts.map((text) => scrubber.restore(text, sent.labels)));
    for (const [label, words] of sent.labels) labelsOf.get(words)?.add(label);
  }
  const labels = [...labelsOf.values()];
  return {
    outbound,
    restored,
    invariants: new Map([
      [
        "onePlaceholderPerPerson",
        new Set(labels.flatMap((own) => [...own])).size === labels.reduce((sum, own) => sum + own.size, 0),
      ],
      ["samePlaceholderInAllCalls", labels.every((own) => own.size <= 1)],
    ]),
  };
}
