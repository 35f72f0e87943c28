/** The conversations of two benchmarks of long-term memory, LoCoMo and LongMemEval, without their questions. */

import {
  type ChatFormat,
  type Fields,
  fieldsOf,
  type ImportedConversation,
  type ImportedMessage,
  idOf,
  isObject,
  listOf,
  type ReadOptions,
  wordsOf,
} from "./conversation.js";
import { timeOf } from "./times.js";

/** Between two people, in sessions `session_1`, `session_2` … */
export const locomo: ChatFormat = {
  format: "locomo",
  recognises: ({ value }) => isObject(value) && isObject(value.conversation) && "session_1" in value.conversation,
  *read({ value, document }, options) {
    const sample = fieldsOf(value);
    const id = idOf(sample.sample_id) ?? `unnamed-${document}`;
    const conversation = fieldsOf(sample.conversation);
    const numbers = Object.keys(conversation)
      .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
      .sort((one, other) => Number(one) - Number(other));
    for (const number of numbers) {
      const at = timeOf(conversation[`session_${number}_date_time`], options.timeZone);
      const messages = listOf(conversation[`session_${number}`]).flatMap((turn) => dialogueTurn(fieldsOf(turn), at, options));
      if (messages.length > 0) yield { format: "locomo", id, sessionId: number, messages } satisfies ImportedConversation;
    }
  },
};

function dialogueTurn(turn: Fields, at: number | undefined, { tally }: ReadOptions): ImportedMessage[] {
  const caption = wordsOf(turn.blip_caption);
  if (caption !== undefined || turn.img_url !== undefined) tally.attach(1);
  const words = wordsOf(turn.text);
  const text = [caption === undefined ? "" : `[Image: ${caption}]`, words ?? ""].filter((part) => part !== "").join(" ");
  const name = wordsOf(turn.speaker);
  if (text === "") tally.skip("empty");
  return text === "" ? [] : [spoken({ id: idOf(turn.dia_id), name, at, text, role: "user" })];
}

/** Of one person with an assistant; every session is a conversation. */
export const longMemEval: ChatFormat = {
  format: "longmemeval",
  recognises: ({ value }) => isObject(value) && Array.isArray(value.haystack_sessions),
  *read({ value, document }, options) {
    const instance = fieldsOf(value);
    const dates = listOf(instance.haystack_dates);
    const names = listOf(instance.haystack_session_ids);
    const id = idOf(instance.question_id) ?? `unnamed-${document}`;
    for (const [number, session] of listOf(instance.haystack_sessions).entries()) {
      const at = timeOf(dates[number], options.timeZone);
      const messages = listOf(session).flatMap((turn, position) => chatTurn(fieldsOf(turn), at, position, options));
      if (messages.length > 0) yield { format: "longmemeval", id: `${id}-${idOf(names[number]) ?? number}`, messages };
      else options.tally.emptyConversation();
    }
  },
};

function chatTurn(turn: Fields, at: number | undefined, position: number, { tally }: ReadOptions): ImportedMessage[] {
  const text = wordsOf(turn.content);
  const { role } = turn;
  if (role !== "user" && role !== "assistant") tally.skip("unknown");
  else if (text === undefined) tally.skip("empty");
  else return [spoken({ id: String(position), name: undefined, at, text, role })];
  return [];
}

function spoken(turn: {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly at: number | undefined;
  readonly text: string;
  readonly role: "user" | "assistant";
}): ImportedMessage {
  const { id, name, at, text, role } = turn;
  return {
    role,
    text,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(at !== undefined && { at }),
  };
}
