/** Claude exports of all ages: `conversations.json`, its numbered parts, and single conversations of the web page's interface. */

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
  type Tally,
  wordsOf,
} from "./conversation.js";
import { firstTimeOf, withTimes } from "./times.js";
import { keptThread } from "./tree.js";

/** The parent of a first message. */
const ROOT = "00000000-0000-4000-8000-000000000000";
/** What older exports show in the place of blocks that they do not hold. */
const PLACEHOLDER = /\s*```[^\n`]*\n[^`]*not supported on your current device[^`]*```\s*/giu;

export const claude: ChatFormat = {
  format: "claude",
  recognises: ({ value }) => isObject(value) && Array.isArray(value.chat_messages),
  *read(part, options) {
    const conversation = conversationOf(part, options);
    if (conversation.messages.length > 0) yield conversation;
    else options.tally.emptyConversation();
  },
};

function conversationOf({ value, document }: ExportPart, { tally, timeZone }: ReadOptions): ImportedConversation {
  const fields = fieldsOf(value);
  const all = listOf(fields.chat_messages);
  const messages = all.filter(isObject);
  if (messages.length < all.length) tally.skip("unknown", all.length - messages.length);
  const nodes = messages.map((message, index) => ({
    message,
    id: idOf(message.uuid) ?? `#${index}`,
    parent: idOf(message.parent_message_uuid),
    isRoot: message.parent_message_uuid === ROOT,
    at: firstTimeOf([message.created_at, message.updated_at], timeZone),
  }));
  const isTree = nodes.some(({ parent }) => parent !== undefined);
  const thread = isTree ? keptThread(nodes, idOf(fields.current_leaf_message_uuid)) : nodes;
  tally.skip("other-branch", nodes.length - thread.length);
  const said = thread.flatMap(({ message, id, at }): ImportedMessage[] => {
    const role = roleOf(message);
    const text = role && textOf(message, tally);
    if (role === undefined) tally.skip(message.sender === "tool" ? "tool" : "unknown");
    return role && text !== undefined ? [{ id, role, text, ...(at !== undefined && { at }) }] : [];
  });
  const began = firstTimeOf([fields.created_at, fields.updated_at], timeZone);
  return {
    format: "claude",
    id: idOf(fields.uuid) ?? thread[0]?.id ?? `unnamed-${document}`,
    messages: withTimes(said, began),
  };
}

function roleOf({ sender }: Fields): "user" | "assistant" | undefined {
  if (sender === "human" || sender === "user") return "user";
  return sender === "assistant" ? "assistant" : undefined;
}

/** The text of the blocks that were said, else the message's own, else a paste that was sent alone. */
function textOf(message: Fields, tally: Tally): string | undefined {
  const blocks = listOf(message.content).filter(isObject);
  const texts = blocks.flatMap(({ type, text }) => ((type === "text" || type === "voice_note") && wordsOf(text)) || []);
  const plain = texts.length > 0 ? texts.join("\n\n") : wordsOf(message.text)?.replaceAll(PLACEHOLDER, "\n").trim();
  const attachments = listOf(message.attachments).map(fieldsOf);
  tally.attach(attachedIn(message, attachments));
  if (plain) return plain;
  const pasted = attachments.flatMap(({ extracted_content: text }) => wordsOf(text) ?? []);
  if (pasted.length > 0) return pasted.join("\n\n");
  if (attachments.length + listOf(message.files).length > 0) tally.skip("attachment");
  else if (blocks.some(({ type }) => type === "tool_use" || type === "tool_result")) tally.skip("tool");
  else tally.skip(blocks.some(({ type }) => type === "thinking") ? "reasoning" : "empty");
  return undefined;
}

/** One file may stand in both lists. */
function attachedIn(message: Fields, attachments: readonly Fields[]): number {
  const names = new Set(attachments.flatMap(({ file_name: name }) => wordsOf(name) ?? []));
  const files = [...listOf(message.files), ...listOf(message.files_v2)].map(fieldsOf);
  const ids = new Set(files.map(({ file_uuid: id, file_name: name }, index) => idOf(id) ?? wordsOf(name) ?? `#${index}`));
  return attachments.length + [...ids].filter((id) => !names.has(id)).length;
}
