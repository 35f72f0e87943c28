/** Plain messages, as lines or in an array: `{ role, content }` and its kin, `{ user, assistant }`, `{ messages: [...] }`. */

import type { Role } from "../types.js";
import {
  type ChatFormat,
  type ExportPart,
  type Fields,
  type ImportedMessage,
  idOf,
  isObject,
  listOf,
  type ReadOptions,
  wordsOf,
} from "./conversation.js";
import { firstTimeOf } from "./times.js";

const TEXT = ["text", "content", "message", "body", "value"];
const SPEAKER = ["role", "sender", "author", "from", "speaker"];
const NAME = ["name", "speaker_name", "username"];
const TIME = ["at", "timestamp", "time", "date", "created_at", "createdAt", "create_time", "ts"];
const CONVERSATION = [
  "conversation",
  "conversation_id",
  "conversationId",
  "session",
  "session_id",
  "sessionId",
  "thread_id",
  "chat_id",
];
const ID = ["id", "message_id", "uuid"];

const ROLES: Readonly<Record<string, Role>> = {
  user: "user",
  human: "user",
  me: "user",
  assistant: "assistant",
  ai: "assistant",
  bot: "assistant",
  gpt: "assistant",
  model: "assistant",
  chatgpt: "assistant",
  claude: "assistant",
  system: "system",
  developer: "system",
  tool: "tool",
  function: "tool",
};

export const messages: ChatFormat = {
  format: "messages",
  recognises: ({ path, value }) =>
    isObject(value) &&
    (path.length === 0 || path.at(-1) === "#") &&
    (isMessage(value) || isExchange(value) || listOf(value.messages).some((one) => isObject(one) && isMessage(one))),
  *read(part, options) {
    const { value } = part;
    if (!isObject(value)) return;
    const list = Array.isArray(value.messages) ? value.messages.filter(isObject) : undefined;
    const around = part.around.at(-1) ?? {};
    const outer = { ...around, ...value };
    const found = (list ?? [value]).flatMap((message) => messagesOf(message, outer, options));
    if (found.length > 0) yield { format: "messages", id: conversationId(value, list !== undefined, part), messages: found };
    else if (list) options.tally.emptyConversation();
  },
};

function isMessage(value: Fields): boolean {
  return textOf(value) !== undefined && SPEAKER.some((key) => typeof value[key] === "string");
}

function isExchange(value: Fields): boolean {
  return typeof value.user === "string" && (typeof value.assistant === "string" || value.assistant === undefined);
}

/** A list of messages is a conversation by itself; single messages are of one, unless they name theirs. */
function conversationId(value: Fields, isList: boolean, { path, around, document }: ExportPart): string {
  const named = first(value, CONVERSATION, idOf) ?? (isList ? first(value, ID, idOf) : undefined);
  if (named !== undefined) return named;
  const outer = around.at(-1);
  if (outer && path.includes("messages")) return first(outer, [...CONVERSATION, ...ID], idOf) ?? `list-${document}`;
  return isList ? `list-${document}` : "all";
}

function messagesOf(message: Fields, outer: Fields, { tally, timeZone }: ReadOptions): ImportedMessage[] {
  const at = firstTimeOf([...TIME.map((key) => message[key]), ...TIME.map((key) => outer[key])], timeZone);
  const dated = { ...(at !== undefined && { at }) };
  const id = first(message, ID, idOf);
  if (isExchange(message)) {
    const { user, assistant } = message;
    return [
      { role: "user" as const, text: String(user), ...dated, ...(id !== undefined && { id: `${id}:user` }) },
      { role: "assistant" as const, text: String(assistant ?? ""), ...dated, ...(id !== undefined && { id: `${id}:assistant` }) },
    ].filter(({ text }) => text.trim() !== "");
  }
  const spoken = first(message, SPEAKER, wordsOf);
  const role = spoken === undefined ? undefined : (ROLES[spoken.toLowerCase()] ?? "user");
  const text = textOf(message);
  if (role === "system" || role === "tool") tally.skip(role);
  else if (role === undefined) tally.skip("unknown");
  else if (text === undefined || text.trim() === "") tally.skip(hasOtherParts(message) ? "attachment" : "empty");
  else {
    // A role of no known name is a person's.
    const name = first(message, NAME, wordsOf) ?? (spoken !== undefined && !(spoken.toLowerCase() in ROLES) ? spoken : undefined);
    return [{ ...(id !== undefined && { id }), role, ...(name !== undefined && { name }), text, ...dated }];
  }
  return [];
}

/** Its words, "" for none; undefined for what has no text at all. */
function textOf(message: Fields): string | undefined {
  for (const key of TEXT) {
    const value = message[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value)) {
      const pieces = value.flatMap((piece) =>
        typeof piece === "string" ? piece : (isObject(piece) && wordsOf(piece.text)) || [],
      );
      return pieces.join("\n");
    }
  }
  return undefined;
}

function hasOtherParts(message: Fields): boolean {
  return TEXT.some((key) => listOf(message[key]).length > 0);
}

function first<T>(fields: Fields, keys: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const key of keys) {
    const found = read(fields[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
