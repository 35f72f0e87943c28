/** ChatGPT exports: `conversations.json`, its numbered parts and single conversations, of all ages. */

import { saidIn } from "./chatgpt-text.js";
import {
  type ChatFormat,
  type ExportPart,
  type Fields,
  fieldsOf,
  type ImportedConversation,
  type ImportedMessage,
  idOf,
  isObject,
  type ReadOptions,
  type Tally,
} from "./conversation.js";
import { firstTimeOf, withTimes } from "./times.js";
import { keptThread } from "./tree.js";

interface Node {
  readonly id: string;
  readonly parent: string | undefined;
  readonly isRoot: boolean;
  readonly at: number | undefined;
  /** undefined for the placeholder at the root. */
  readonly message: Fields | undefined;
}

export const chatGpt: ChatFormat = {
  format: "chatgpt",
  recognises: ({ value }) =>
    isObject(value) && (isObject(value.mapping) || ("current_node" in value && ("conversation_id" in value || "id" in value))),
  *read(part, options) {
    const conversation = conversationOf(part, options);
    if (conversation.messages.length > 0) yield conversation;
    else options.tally.emptyConversation();
  },
};

function conversationOf({ value, document }: ExportPart, { tally, timeZone }: ReadOptions): ImportedConversation {
  const fields = fieldsOf(value);
  const nodes = nodesOf(fields.mapping, timeZone);
  const thread = keptThread(nodes, idOf(fields.current_node));
  const kept = new Set(thread);
  tally.skip("other-branch", nodes.filter((node) => !kept.has(node) && messageOf(node, SILENT)).length);
  const messages = thread.flatMap((node) => messageOf(node, tally) ?? []);
  const began = firstTimeOf([fields.create_time, fields.update_time], timeZone);
  const earliest = Math.min(...nodes.flatMap(({ at }) => at ?? []));
  return {
    format: "chatgpt",
    id: idOf(fields.conversation_id) ?? idOf(fields.id) ?? thread[0]?.id ?? `unnamed-${document}`,
    messages: withTimes(messages, began ?? (Number.isFinite(earliest) ? earliest : undefined)),
  };
}

function nodesOf(mapping: unknown, timeZone: string): Node[] {
  return Object.entries(fieldsOf(mapping)).flatMap(([id, node]) => {
    if (!isObject(node)) return [];
    const message = isObject(node.message) ? node.message : undefined;
    const parent = idOf(node.parent);
    const at = message && firstTimeOf([message.create_time, message.update_time], timeZone);
    return [{ id, parent, isRoot: parent === undefined, at, message }];
  });
}

/** For what is left out as a whole. */
const SILENT: Tally = {
  skip: () => undefined,
  attach: () => undefined,
  emptyConversation: () => undefined,
  damage: () => undefined,
};

function messageOf({ id, message, at }: Node, tally: Tally): ImportedMessage | undefined {
  if (!message) return undefined;
  const { role } = fieldsOf(message.author);
  const { is_visually_hidden_from_conversation: isHidden } = fieldsOf(message.metadata);
  if (role === "system" || role === "tool") tally.skip(role);
  else if (role !== "user" && role !== "assistant") tally.skip("unknown");
  else if (isHidden === true) tally.skip("hidden");
  else if (role === "assistant" && (message.recipient ?? "all") !== "all") tally.skip("tool");
  else {
    const { text, attachments, skip } = saidIn(message, role);
    tally.attach(attachments);
    if (skip === undefined) return { id: idOf(message.id) ?? id, role, text, ...(at !== undefined && { at }) };
    tally.skip(skip);
  }
  return undefined;
}
