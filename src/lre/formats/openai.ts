/** OpenAI chat messages: `content` as text or parts, `tool_calls`, and `tool` messages by `tool_call_id`. */

import { asText, type ChatFormat, isRecord, MEDIA_TOKENS, type MessageView } from "./format.js";

/** The fields that are read; everything else is carried along untouched. */
export interface OpenAiMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: string;
}

const ROLES: Readonly<Record<string, MessageView["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};
const MEDIA = new Set(["image_url", "input_image", "file", "input_file", "input_audio"]);
/** Fields whose content is read elsewhere, or costs nothing. */
const READ = new Set(["role", "content", "name", "tool_calls", "tool_call_id", "id", "refusal", "function_call"]);

function readParts(content: unknown): { text: string; others: (string | number)[] } {
  if (!Array.isArray(content)) return { text: asText(content ?? ""), others: [] };
  const texts: string[] = [];
  const others: (string | number)[] = [];
  for (const part of content as unknown[]) {
    if (typeof part === "string") texts.push(part);
    else if (isRecord(part) && typeof part.text === "string") texts.push(part.text);
    else if (isRecord(part) && typeof part.refusal === "string") texts.push(part.refusal);
    else if (isRecord(part) && MEDIA.has(String(part.type))) others.push(MEDIA_TOKENS);
    else others.push(asText(part));
  }
  return { text: texts.join("\n"), others };
}

function readCalls(calls: unknown): MessageView["calls"] {
  if (!Array.isArray(calls)) return [];
  return (calls as unknown[]).filter(isRecord).map((call) => {
    const described = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : call;
    return { id: asText(call.id), name: asText(described.name), input: asText(described.arguments ?? described.input ?? "") };
  });
}

export const openAiFormat: ChatFormat<OpenAiMessage> = {
  name: "openai",
  view(message) {
    const role = ROLES[message.role] ?? "user";
    const { text, others } = readParts(message.content);
    const rest = Object.entries(message).filter(([key, value]) => !READ.has(key) && value !== undefined && value !== null);
    const isResult = role === "tool";
    return {
      role,
      ...(message.name !== undefined && !isResult && { name: message.name }),
      text: isResult ? "" : text,
      calls: readCalls(message.tool_calls),
      results: isResult ? [{ id: message.tool_call_id ?? "", text }] : [],
      others: [...others, ...rest.map(([, value]) => asText(value))],
    };
  },
  ledger: (text) => ({ role: "system", content: text }),
};
