/** What two tabs do on one database at the same time, and the serial orders that could have come to the same. */

import fc from "fast-check";
import type { Memory } from "../../src/index.js";
import { isMemoryError } from "../../src/index.js";
import type { Store } from "../../src/ports.js";
import type { Entry, Turn } from "../../src/types.js";

export type Step =
  /** The message of this number, by its id: the same from both tabs is one message. */
  | { readonly do: "record"; readonly fact: number; readonly conversation: number }
  /** The words of this number, as a message of this tab alone. */
  | { readonly do: "say"; readonly fact: number; readonly conversation: number }
  | { readonly do: "update" | "pin" | "forget" | "recall"; readonly fact: number };

const FACTS = ["keeps the violin in the attic", "swims on Tuesdays", "lent the ladder to Oskar", "parked on level four"];
const AT = Date.UTC(2026, 4, 7, 12);

const fact = fc.nat(FACTS.length - 1);
const conversation = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("record" as const), fact, conversation }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("say" as const), fact, conversation }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("update", "pin", "forget", "recall"), fact }) },
);

/** The steps of two tabs. */
export const schedules = fc.tuple(fc.array(step, { minLength: 1, maxLength: 4 }), fc.array(step, { minLength: 1, maxLength: 4 }));

/** Where a step stands: its tab and its place there. */
export interface Placed {
  readonly tab: number;
  readonly step: Step;
}

/** Does one step as an app would: what is not there (any more) is left alone. */
export async function perform(memory: Memory, { tab, step }: Placed, run: number): Promise<void> {
  const text = `Person ${run} ${FACTS[step.fact]}.`;
  const id = `${run} fact ${step.fact}`;
  if (step.do === "recall") await memory.recall(text, { deadlineMs: 60_000 });
  else if (step.do === "record" || step.do === "say")
    await memory.conversation(`${run} conversation ${step.conversation}`).record({
      messages: [{ id: step.do === "record" ? id : `${id} in tab ${tab}`, role: "user", text, at: AT + step.fact }],
    });
  else {
    const entry = await entryOf(memory, id);
    if (!entry) return;
    try {
      if (step.do === "forget") await memory.forget({ entryIds: [entry.id] });
      else await memory.update(entry.id, step.do === "pin" ? { pinned: true } : { text: `${text} Tab ${tab} says so.` });
    } catch (error) {
      if (!isMemoryError(error, "not-found")) throw error;
    }
  }
}

async function entryOf(memory: Memory, turnId: string): Promise<Entry | undefined> {
  for await (const entry of memory.entries()) if (entry.sources.some((source) => source.turnId === turnId)) return entry;
  return undefined;
}

/** Every order in which the steps of two tabs could have been done one after another. */
export function interleavings(one: readonly Placed[], other: readonly Placed[]): (readonly Placed[])[] {
  const [first, ...rest] = one;
  const [second, ...others] = other;
  if (!first || !second) return [[...one, ...other]];
  return [
    ...interleavings(rest, other).map((order) => [first, ...order]),
    ...interleavings(one, others).map((order) => [second, ...order]),
  ];
}

/** What a store holds, without what two runs of the same steps never share: ids that were given, and the time of day. */
export async function stateOf(store: Store): Promise<unknown> {
  const [entries, turns] = [await store.listEntries({ limit: 1_000 }), await store.listTurns({ limit: 1_000 })];
  const order = (one: string, other: string) => (one < other ? -1 : 1);
  return {
    turns: turns.map(({ id, conversationId, text }: Turn) => [conversationId, id, text]).sort(byConversation),
    entries: entries
      .map(({ text, subject, kind, tags, pinned, evidence, sources, context, validTo }) => ({
        text,
        subject,
        kind,
        tags,
        pinned: pinned ?? false,
        evidence,
        sources: sources.map(({ turnId, quote }) => [turnId, quote]),
        context: context ?? {},
        isOver: validTo !== undefined,
      }))
      .sort((one, other) => order(JSON.stringify(one), JSON.stringify(other))),
  };
}

/** Turns of one conversation keep their order; conversations have none among them. */
function byConversation([one = ""]: readonly string[], [other = ""]: readonly string[]): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
