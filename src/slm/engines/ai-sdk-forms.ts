/** What the AI SDK's models take and give, read in the forms of all their versions: a provider may be of another than the app's. */

import type { EngineMessage } from "../../ports.js";

type Part = { readonly type: "text"; readonly text: string };
type PromptMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user" | "assistant"; readonly content: readonly Part[] };

export function promptOf(messages: readonly EngineMessage[]): PromptMessage[] {
  return messages.map(({ role, content }) =>
    role === "system" ? { role, content } : { role, content: [{ type: "text", text: content }] },
  );
}

/** @param told a result or a piece of a stream */
export function textOf(told: object): string {
  if ("delta" in told) return stringOf(told.delta);
  const parts: unknown[] = "content" in told && Array.isArray(told.content) ? told.content : [];
  const text = parts
    .filter((part): part is { readonly type: "text"; readonly text: unknown } => typeOf(part) === "text")
    .map((part) => stringOf(part.text))
    .join("");
  // Some of V4 keep an answer to a schema apart.
  return text === "" && "structuredOutputText" in told ? stringOf(told.structuredOutputText) : text;
}

/** A word in V2, and `{ unified, raw }` from V3 on. */
export function finishOf(told: object | undefined): string | undefined {
  const reason = member(told, "finishReason");
  const word = member(reason, "unified") ?? reason;
  return typeof word === "string" ? word : undefined;
}

/** Numbers in V2, and `{ total }` from V3 on. */
export function usageOf(told: object | undefined): { readonly promptTokens?: number; readonly completionTokens?: number } {
  const usage = member(told, "usage");
  const prompt = numberOf(member(usage, "inputTokens"));
  const completion = numberOf(member(usage, "outputTokens"));
  return {
    ...(prompt !== undefined && { promptTokens: prompt }),
    ...(completion !== undefined && { completionTokens: completion }),
  };
}

/** What an APICallError tells of the response. */
export function statusOf(error: unknown): {
  readonly status?: number | undefined;
  readonly isUnreachable: boolean;
  readonly kind: string;
  readonly retryAfter?: string | undefined;
} {
  const status = numberOf(member(error, "statusCode"));
  const retryAfter = member(member(error, "responseHeaders"), "retry-after");
  const told = member(member(error, "data"), "error");
  return {
    status,
    isUnreachable: status === undefined && member(error, "isRetryable") === true,
    kind: `${stringOf(member(told, "code"))} ${stringOf(member(told, "type"))}`,
    ...(typeof retryAfter === "string" && { retryAfter }),
  };
}

export function messageOf(error: unknown): string {
  const message = member(error, "message");
  return typeof message === "string" && message !== "" ? message : String(error);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function typeOf(part: unknown): unknown {
  return member(part, "type");
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "number" ? value : member(value, "total");
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
