/** Anthropic messages: content blocks, `tool_use` in assistant messages and `tool_result` in user messages. */

import { asText, type ChatFormat, isRecord, MEDIA_TOKENS, type MessageView } from "./format.js";

/** The fields that are read; everything else is carried along untouched. */
export interface AnthropicMessage {
  readonly role: "user" | "assistant" | (string & {});
  readonly content: unknown;
}

const MEDIA = new Set(["image", "document", "container_upload"]);

/** Text of a tool's result, with its images counted apart. */
function readResult(content: unknown, others: (string | number)[]): string {
  if (!Array.isArray(content)) return asText(content ?? "");
  const texts: string[] = [];
  for (const block of content as unknown[]) {
    if (isRecord(block) && typeof block.text === "string") texts.push(block.text);
    else if (isRecord(block) && MEDIA.has(String(block.type))) others.push(MEDIA_TOKENS);
    else others.push(asText(block));
  }
  return texts.join("\n");
}

export const anthropicFormat: ChatFormat<AnthropicMessage> = {
  name: "anthropic",
  view(message) {
    const texts: string[] = [];
    const calls: MessageView["calls"][number][] = [];
    const results: MessageView["results"][number][] = [];
    const others: (string | number)[] = [];
    for (const block of Array.isArray(message.content)
      ? (message.content as unknown[])
      : [{ type: "text", text: asText(message.content ?? "") }]) {
      if (!isRecord(block)) others.push(asText(block));
      else if (block.type === "text") texts.push(asText(block.text));
      else if (block.type === "thinking") texts.push(asText(block.thinking));
      else if (block.type === "tool_use" || block.type === "server_tool_use") {
        calls.push({ id: asText(block.id), name: asText(block.name), input: asText(block.input) });
      } else if (String(block.type).endsWith("tool_result")) {
        results.push({ id: asText(block.tool_use_id), text: readResult(block.content, others) });
      } else others.push(MEDIA.has(String(block.type)) ? MEDIA_TOKENS : asText(block));
    }
    const role =
      message.role === "assistant" ? "assistant" : message.role === "system" ? "system" : results.length > 0 ? "tool" : "user";
    return { role, text: texts.join("\n"), calls, results, others };
  },
  // Their API has no system role among messages.
  ledger: (text) => ({ role: "user", content: [{ type: "text", text }] }),
};
