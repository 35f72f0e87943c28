/** One memory a turn: the entry that stands for a turn when writing is not what is measured. */

import { timeMentions } from "../src/text/time.js";
import type { ConversationId, Entry, EntryId, TurnId } from "../src/types.js";
import type { DatasetTurn } from "./data/dataset.js";

const MENTION_LENGTH = 600;
const MAX_MENTION_MS = 62 * 86_400_000;
/** Words of a neighbour that an entry carries, as `types.ts` says. */
export const CONTEXT_WORDS = 40;

export function lastWords(text: string, count: number): string {
  return text.trim().split(/\s+/).slice(-count).join(" ");
}

export function firstWords(text: string, count: number): string {
  return text.trim().split(/\s+/).slice(0, count).join(" ");
}

/** @param index position in the memory; ids sort by it */
export function turnEntry(turns: readonly DatasetTurn[], index: number): Entry {
  const turn = turns[index];
  if (!turn) throw new RangeError(`there is no turn ${index}`);
  const inSession = (other: DatasetTurn | undefined): DatasetTurn | undefined =>
    other?.sessionId === turn.sessionId ? other : undefined;
  const previous = inSession(turns[index - 1]);
  const next = inSession(turns[index + 1]);
  const mentions = timeMentions(turn.text, { at: turn.at, timeZone: "UTC", maxLength: MENTION_LENGTH })
    .map((mention) => mention.window)
    .filter((window) => window.to - window.from <= MAX_MENTION_MS);
  return {
    id: String(index).padStart(8, "0") as EntryId,
    conversationId: turn.sessionId as ConversationId,
    revision: 1,
    subject: turn.name ?? turn.role,
    text: turn.text,
    indexText: turn.text,
    kind: "fact",
    tags: [],
    saidAt: turn.at,
    createdAt: turn.at,
    validFrom: turn.at,
    sources: [
      {
        turnId: turn.id as TurnId,
        role: turn.role,
        quote: turn.text,
        ...(turn.name !== undefined ? { speaker: turn.name } : {}),
      },
    ],
    identifiers: [],
    salience: 0.5,
    evidence: 1,
    sessionId: turn.sessionId,
    ...(mentions.length > 0 ? { mentions } : {}),
    context: {
      ...(previous ? { previous: lastWords(previous.text, CONTEXT_WORDS) } : {}),
      ...(next ? { next: firstWords(next.text, CONTEXT_WORDS) } : {}),
    },
  };
}
