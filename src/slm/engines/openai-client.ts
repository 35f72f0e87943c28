/** An engine over an endpoint's client, for whichever thread: kept apart, since its types speak of an optional peer. */

import type { OpenAI } from "openai";
import type { SlmEngine } from "../../ports.js";
import type { OpenAiCompatibleOptions } from "./openai-compatible.js";
import { OpenAiEngine } from "./openai-engine.js";

/** Ollama's default. */
export const DEFAULT_CONTEXT = 4_096;

/** @param peer the class of the package `openai` */
export function engineOf(peer: typeof OpenAI, options: OpenAiCompatibleOptions): SlmEngine {
  const { model, contextTokens = DEFAULT_CONTEXT, schema = true, timeoutMs } = options;
  const baseURL = urlOf(options.baseURL);
  const id = engineId(baseURL, model);
  return new OpenAiEngine({ peer, client: clientOf(peer, baseURL, options), model, id, contextTokens, schema, timeoutMs });
}

export function engineId({ host }: URL, model: string): string {
  return `openai-compatible/${host}/${model}`;
}

/** @throws TypeError for what is no HTTP address */
export function urlOf(base: string | URL): URL {
  const url = URL.canParse(base, globalThis.location?.href) ? new URL(base, globalThis.location?.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError(`baseURL is an HTTP address, got ${String(base)}`);
  return url;
}

function clientOf(Client: typeof OpenAI, baseURL: URL, { apiKey, headers }: OpenAiCompatibleOptions): OpenAI {
  return new Client({
    baseURL: baseURL.href,
    // The client wants one, and would look for others in the environment.
    apiKey: apiKey ?? "none",
    organization: null,
    project: null,
    ...(headers && { defaultHeaders: headers }),
    // Whether a page may know its key is the app's decision.
    dangerouslyAllowBrowser: true,
    // A role that waits is late; time limits are the engine's.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    // It would write what was said into the console.
    logLevel: "off",
  });
}
