import { describe, expect, it } from "vitest";
import { type AiSdkMessage, aiSdkFormat } from "../../src/lre/formats/ai-sdk.js";
import { type AnthropicMessage, anthropicFormat } from "../../src/lre/formats/anthropic.js";
import { type ChatFormat, MEDIA_TOKENS, UnitBuilder } from "../../src/lre/formats/format.js";
import { type OpenAiMessage, openAiFormat } from "../../src/lre/formats/openai.js";
import { fitMessages, MessageWindow } from "../../src/lre/message-window.js";
import { defaultTokenizer } from "../../src/text/tokens.js";

const OPENAI: OpenAiMessage[] = [
  { role: "system", content: "You book trains." },
  {
    role: "user",
    content: [
      { type: "text", text: "Is this my ticket?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "find_ticket", arguments: '{"name":"Ana"}' } },
      { id: "c2", type: "function", function: { name: "find_train", arguments: "{}" } },
    ],
  },
  { role: "tool", tool_call_id: "c1", content: '{"ticket":"TK99812X"}' },
  { role: "tool", tool_call_id: "c2", content: "[]" },
  { role: "assistant", content: "Yes, ticket TK99812X." },
  { role: "user", content: "Thanks!" },
];

const ANTHROPIC: AnthropicMessage[] = [
  { role: "user", content: "Is this my ticket?" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "I look it up.", signature: "xyz" },
      { type: "tool_use", id: "t1", name: "find_ticket", input: { name: "Ana" } },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "t1",
        content: [
          { type: "text", text: "TK99812X" },
          { type: "image", source: {} },
        ],
      },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Yes, ticket TK99812X." },
      { type: "hologram", payload: { depth: 3 } },
    ],
  },
];

const AI_SDK: AiSdkMessage[] = [
  { role: "system", content: "You book trains." },
  {
    role: "user",
    content: [
      { type: "text", text: "Is this my ticket?" },
      { type: "image", image: "AAAA" },
    ],
  },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "t1", toolName: "find_ticket", input: { name: "Ana" } }] },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "t1", toolName: "find_ticket", output: { type: "json", value: { ticket: "TK99812X" } } },
    ],
  },
  { role: "assistant", content: "Yes, ticket TK99812X." },
];

const UI: AiSdkMessage[] = [
  {
    id: "m1",
    role: "user",
    parts: [
      { type: "text", text: "Is this my ticket?" },
      { type: "file", mediaType: "image/png", url: "blob:x" },
    ],
  },
  {
    id: "m2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "tool-find_ticket", toolCallId: "t1", state: "output-available", input: { name: "Ana" }, output: "TK99812X" },
      { type: "text", text: "Yes, ticket TK99812X." },
      { type: "data-seatmap", data: { rows: 12 } },
    ],
  },
];

const unitsOf = <M>(messages: readonly M[], format: ChatFormat<M>) => {
  const builder = new UnitBuilder(format, defaultTokenizer);
  const units = messages.flatMap((message) => builder.add(message) ?? []);
  const last = builder.flush();
  return last ? [...units, last] : units;
};

const ROUND_TRIPS: readonly (readonly [string, () => { sent: readonly unknown[]; given: readonly unknown[] }])[] = [
  ["OpenAI", () => ({ given: OPENAI, sent: fitMessages(OPENAI, openAiFormat, { budgetTokens: 10_000 }).messages })],
  ["Anthropic", () => ({ given: ANTHROPIC, sent: fitMessages(ANTHROPIC, anthropicFormat, { budgetTokens: 10_000 }).messages })],
  ["AI SDK model", () => ({ given: AI_SDK, sent: fitMessages(AI_SDK, aiSdkFormat, { budgetTokens: 10_000 }).messages })],
  ["AI SDK UI", () => ({ given: UI, sent: fitMessages(UI, aiSdkFormat, { budgetTokens: 10_000 }).messages })],
];

describe("chat messages", () => {
  it.each(ROUND_TRIPS)("come out as they went in when they fit: %s", (_name, run) => {
    const { given, sent } = run();
    expect(sent).toHaveLength(given.length);
    sent.forEach((message, i) => expect(message).toBe(given[i]));
  });

  it("keep a call and all of its results in one unit", () => {
    expect(unitsOf(OPENAI, openAiFormat).map(({ messages }) => messages.length)).toEqual([1, 1, 3, 1, 1]);
    expect(unitsOf(ANTHROPIC, anthropicFormat).map(({ messages }) => messages.length)).toEqual([1, 2, 1]);
    expect(unitsOf(AI_SDK, aiSdkFormat).map(({ messages }) => messages.length)).toEqual([1, 1, 2, 1]);
    const [, call] = unitsOf(ANTHROPIC, anthropicFormat);
    expect(call).toMatchObject({
      role: "assistant",
      calls: [{ name: "find_ticket", input: '{"name":"Ana"}' }],
      results: ["TK99812X"],
    });
    expect(unitsOf(UI, aiSdkFormat)[1]).toMatchObject({ calls: [{ name: "find_ticket" }], results: ["TK99812X"] });
  });

  it("count images and parts that nobody knows", () => {
    expect(unitsOf(OPENAI, openAiFormat)[1]?.tokens).toBeGreaterThan(MEDIA_TOKENS);
    expect(unitsOf(ANTHROPIC, anthropicFormat)[1]?.tokens).toBeGreaterThan(MEDIA_TOKENS);
    expect(unitsOf(UI, aiSdkFormat)[0]?.tokens).toBeGreaterThan(MEDIA_TOKENS);
    const [, , holo] = unitsOf(ANTHROPIC, anthropicFormat);
    expect(holo?.tokens).toBeGreaterThan(defaultTokenizer.count("Yes, ticket TK99812X.") + 8);
  });

  it("never send a call without its results or a result without its call, at any budget", () => {
    for (let budgetTokens = 0; budgetTokens < 200; budgetTokens += 5) {
      const { messages } = fitMessages(OPENAI, openAiFormat, { budgetTokens, recent: 1, profile: "agent" });
      expect(messages.some(({ role }) => role === "tool")).toBe(messages.some(({ tool_calls }) => tool_calls !== undefined));
      expect(messages.filter(({ role }) => role === "tool").length % 2).toBe(0);
    }
  });

  it("put the ledger behind the system message", () => {
    const long = OPENAI.map((message) =>
      message.tool_call_id === "c1"
        ? { ...message, content: `{"ticket":"TK99812X","terms":"${"no refunds ".repeat(80)}"}` }
        : message,
    );
    const { messages } = fitMessages(
      long.map((message) => (message.content === "Yes, ticket TK99812X." ? { ...message, content: "Yes." } : message)),
      openAiFormat,
      { budgetTokens: 60, recent: 2, profile: "agent" },
    );
    expect(messages[0]).toBe(OPENAI[0]);
    expect(messages[1]).toEqual({ role: "system", content: expect.stringContaining("ticket: TK99812X") });
  });

  it("always send a call that still waits for its result", () => {
    const window = new MessageWindow(openAiFormat, { budgetTokens: 0, recent: 0 });
    window.add(...OPENAI.slice(0, 4));
    expect(window.fit().messages).toEqual([OPENAI[0], OPENAI[2], OPENAI[3]]);
    window.add(...OPENAI.slice(4));
    expect(window.fit().messages).toEqual([OPENAI[0]]);
  });
});
