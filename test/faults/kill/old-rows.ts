/** What a database of the first version holds before it is opened by this one. */

import type { JournalRecord } from "../../../src/ports.js";
import type { Entry, Turn } from "../../../src/types.js";
import { conversationId, entry, turn, turnId } from "../../store/samples.js";
import { Ledger } from "../ledger.js";

export interface OldRows {
  readonly turns: readonly Turn[];
  readonly entries: readonly Entry[];
  readonly journal: JournalRecord;
}

/** One statement a turn, all written at once. */
export function oldRows(count: number): OldRows {
  const numbers = Array.from({ length: count }, (_, number) => String(number).padStart(6, "0"));
  const text = (number: string) => `I kept the lantern number ${number} in the shed of house ${Number(number) % 97}.`;
  const turns = numbers.map((number, sequence): Turn => ({ ...turn(`old turn ${number}`, text(number)), sequence }));
  const entries = numbers.map(
    (number): Entry => ({
      ...entry(`01KA000000000000000000${number}`.slice(0, 28), text(number)),
      conversationId: conversationId("default"),
      identifiers: [],
      tags: [],
      sources: [{ turnId: turnId(`old turn ${number}`), role: "user", quote: text(number) }],
      revision: 1,
    }),
  );
  const operations = [
    { type: "put-turns", turnIds: turns.map(({ id }) => id) },
    { type: "put-entries", entryIds: entries.map(({ id }) => id) },
  ] as const;
  return { turns, entries, journal: { revision: 1, at: 1_780_000_000_500, operations } };
}

/** All of it was acknowledged by the code of that version. */
export function ledgerOf({ turns, entries }: OldRows): Ledger {
  const ledger = new Ledger();
  for (const turn of turns) ledger.turns.set(turn.id, { ...turn, isStatement: true });
  for (const { id, text, sources } of entries) ledger.entries.set(id, { id, text, turnIds: sources.map(({ turnId }) => turnId) });
  return ledger;
}
