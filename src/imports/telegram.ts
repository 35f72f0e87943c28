/** Telegram Desktop's `result.json`: one chat, or all of them under `chats.list` and `left_chats.list`. */

import {
  type ChatFormat,
  type ExportPart,
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
import { firstTimeOf, timeOf } from "./times.js";

const MEDIA = ["photo", "file", "media_type", "location_information", "contact_information", "poll", "game_title", "venue"];

export const telegram: ChatFormat = {
  format: "telegram",
  recognises({ path, value }) {
    if (!isObject(value) || path.at(-1) !== "#" || path.at(-2) !== "messages") return false;
    return (value.type === "message" || value.type === "service") && ("date" in value || "date_unixtime" in value);
  },
  *read(part, options) {
    const chat = part.around.at(-1) ?? {};
    const message = messageOf(fieldsOf(part.value), chat, ownIdOf(part, chat), options);
    if (message) yield { format: "telegram", id: conversationId(chat, part), messages: [message] } satisfies ImportedConversation;
  },
};

/** Ids of persons and groups are counted apart. */
function conversationId({ id, type, name }: Fields, { document }: ExportPart): string {
  const known = idOf(id);
  if (known !== undefined) return `${wordsOf(type) ?? "chat"}-${known}`;
  return wordsOf(name) ?? `unnamed-${document}`;
}

/** Whose export it is: said at its head, or the one who is not the other of two. */
function ownIdOf({ around }: ExportPart, chat: Fields): { readonly own?: string; readonly other?: string } {
  const owner = idOf(fieldsOf(around[0]?.personal_information).user_id);
  const partner = chat.type === "personal_chat" || chat.type === "bot_chat" ? idOf(chat.id) : undefined;
  return { ...(owner !== undefined && { own: `user${owner}` }), ...(partner !== undefined && { other: `user${partner}` }) };
}

function messageOf(
  message: Fields,
  chat: Fields,
  { own, other }: { readonly own?: string; readonly other?: string },
  { tally, timeZone }: ReadOptions,
): ImportedMessage | undefined {
  if (message.type === "service") return void tally.skip("service");
  if (typeof chat.type === "string" && chat.type.endsWith("_channel")) return void tally.skip("channel");
  const text = textOf(message.text) ?? textOf(message.text_entities);
  const isMedia = MEDIA.some((key) => message[key] !== undefined && message[key] !== null);
  if (isMedia) tally.attach(1);
  if (text === undefined) return void tally.skip(isMedia ? "attachment" : "empty");
  const from = idOf(message.from_id);
  const isForwarded = wordsOf(message.forwarded_from) !== undefined;
  const isOwn =
    !isForwarded &&
    (chat.type === "saved_messages" || (from !== undefined && (from === own || (other !== undefined && from !== other))));
  const speaker = wordsOf(message.forwarded_from) ?? wordsOf(message.from) ?? (isOwn ? undefined : (from ?? "somebody"));
  const id = idOf(message.id);
  const at = firstTimeOf([message.date_unixtime, message.date], timeZone) ?? timeOf(message.edited_unixtime, timeZone);
  return {
    ...(id !== undefined && { id }),
    role: chat.type === "bot_chat" && !isOwn && !isForwarded ? "assistant" : "user",
    ...(!isOwn && speaker !== undefined && { name: speaker }),
    text,
    ...(at !== undefined && { at }),
  };
}

/** Plain, or in pieces where some of it is a link or bold. */
function textOf(text: unknown): string | undefined {
  if (typeof text === "string") return wordsOf(text);
  return wordsOf(
    listOf(text)
      .map((piece) => (typeof piece === "string" ? piece : (wordsOf(fieldsOf(piece).text) ?? "")))
      .join(""),
  );
}
