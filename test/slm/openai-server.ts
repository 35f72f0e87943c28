/** A server of OpenAI's form over an engine: chat completions, streamed or not, with JSON schemas and errors as OpenAI tells them. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isMemoryError } from "../../src/errors.js";
import type { CompleteOptions, Completion, EngineMessage, SlmEngine } from "../../src/ports.js";

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** The name that the server gives to its model. */
export const SERVED_MODEL = "smollm2-135m";

interface Body {
  readonly model: string;
  readonly messages: readonly EngineMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly stop?: string | readonly string[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly schema: Readonly<Record<string, unknown>> };
  };
}

export async function serve(listener: RequestListener): Promise<RunningServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param apiKey what a caller has to bring */
export function serveOpenAi(engine: SlmEngine, apiKey: string): Promise<RunningServer> {
  return serve((request, response) => {
    void answer(engine, apiKey, request, response).catch((error: unknown) => {
      const isTooLarge = isMemoryError(error, "too-large");
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) return response.destroy();
      return fail(response, isTooLarge ? 400 : 500, message, isTooLarge ? "context_length_exceeded" : "server_error");
    });
  });
}

export function fail(response: ServerResponse, status: number, message: string, code: string, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } }));
}

export async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Body;
}

async function answer(engine: SlmEngine, apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  if (method !== "POST" || url !== "/v1/chat/completions") return fail(response, 404, `no ${url} here`, "not_found");
  if (headers.authorization !== `Bearer ${apiKey}`) return fail(response, 401, "Incorrect API key provided", "invalid_api_key");
  const body = await bodyOf(request);
  if (body.model !== SERVED_MODEL) return fail(response, 404, `The model ${body.model} does not exist`, "model_not_found");
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Error("the caller is gone")));
  const ask = (onToken?: (piece: string) => void) =>
    engine.complete(body.messages, { ...optionsOf(body), signal: gone.signal, ...(onToken && { onToken }) });
  if (body.stream) await stream(response, body, ask);
  else {
    const completion = await ask();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...envelope("chat.completion"), choices: [whole(completion)], usage: usageOf(completion) }));
  }
}

async function stream(
  response: ServerResponse,
  { stream_options }: Body,
  ask: (onToken: (piece: string) => void) => Promise<Completion>,
): Promise<void> {
  const send = (data: object) => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ ...envelope("chat.completion.chunk"), ...data })}\n\n`);
  };
  const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const completion = await ask((content) => send(choice({ content }, null)));
  send(choice({}, completion.finish));
  if (stream_options?.include_usage) send({ choices: [], usage: usageOf(completion) });
  response.end("data: [DONE]\n\n");
}

function optionsOf(body: Body): CompleteOptions {
  const { temperature, seed, stop, response_format: format } = body;
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop: typeof stop === "string" ? [stop] : stop }),
    ...(format?.json_schema && { schema: format.json_schema.schema }),
  };
}

const envelope = (object: string) => ({ id: "chatcmpl-1", object, created: 1_700_000_000, model: SERVED_MODEL });

const whole = ({ text, finish }: Completion) => ({
  index: 0,
  message: { role: "assistant", content: text },
  finish_reason: finish,
});

function usageOf({ promptTokens = 0, completionTokens = 0 }: Completion) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
