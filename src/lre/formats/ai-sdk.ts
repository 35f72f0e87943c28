/** AI SDK messages, both kinds: model messages (`content`) and UI messages (`parts`). */

import { asText, type ChatFormat, isRecord, MEDIA_TOKENS, type MessageView } from "./format.js";

/** The fields that are read; everything else is carried along untouched. */
export interface AiSdkMessage {
  readonly role: string;
  readonly id?: string;
  /** Model messages. */
  readonly content?: unknown;
  /** UI messages. */
  readonly parts?: unknown;
}

const ROLES: Readonly<Record<string, MessageView["role"]>> = {
  system: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  data: "user",
};

interface Found {
  readonly texts: string[];
  readonly calls: MessageView["calls"][number][];
  readonly results: MessageView["results"][number][];
  readonly others: (string | number)[];
}

/** Output of a tool: `{ type: "text" | "json" | …, value }` in model messages, anything in UI messages. */
const readOutput = (output: unknown): string =>
  isRecord(output) && "value" in output && "type" in output ? asText(output.value) : asText(output);

/** A call of a UI message holds its own result once it is there. */
function readUiTool(part: Record<string, unknown>, type: string, found: Found): void {
  const id = asText(part.toolCallId);
  const name = type === "dynamic-tool" ? asText(part.toolName) : type.slice("tool-".length);
  found.calls.push({ id, name, input: asText(part.input ?? part.args) });
  const output = part.output ?? part.errorText ?? part.result;
  if (output !== undefined) found.results.push({ id, text: readOutput(output) });
}

function readPart(part: unknown, found: Found): void {
  if (!isRecord(part)) {
    found.others.push(asText(part));
    return;
  }
  const type = String(part.type);
  if ((type === "text" || type === "reasoning") && typeof part.text === "string") found.texts.push(part.text);
  else if (type === "tool-call")
    found.calls.push({ id: asText(part.toolCallId), name: asText(part.toolName), input: asText(part.input ?? part.args) });
  else if (type === "tool-result" || type === "tool-error") {
    found.results.push({ id: asText(part.toolCallId), text: readOutput(part.output ?? part.result ?? part.error) });
  } else if ((type.startsWith("tool-") || type === "dynamic-tool") && part.toolCallId !== undefined)
    readUiTool(part, type, found);
  else if (type === "image" || type === "file") found.others.push(MEDIA_TOKENS);
  else if (type !== "step-start") found.others.push(asText(part));
}

export const aiSdkFormat: ChatFormat<AiSdkMessage> = {
  name: "ai-sdk",
  view(message) {
    const found: Found = { texts: [], calls: [], results: [], others: [] };
    const content = message.parts ?? message.content;
    if (Array.isArray(content)) for (const part of content as unknown[]) readPart(part, found);
    else found.texts.push(asText(content ?? ""));
    return {
      role: ROLES[message.role] ?? "user",
      text: found.texts.join("\n"),
      calls: found.calls,
      results: found.results,
      others: found.others,
    };
  },
  ledger: (text) => ({ role: "system", content: text }),
};
