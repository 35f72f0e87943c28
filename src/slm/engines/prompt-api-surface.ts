/** What of the browser's Prompt API is used, under its names of today and of before, and its errors as ours. */

import { isMemoryError, MemoryError } from "../../errors.js";
import type { EngineMessage } from "../../ports.js";

export interface BrowserSession {
  promptStreaming(
    input: string,
    options: {
      readonly signal: AbortSignal;
      readonly responseConstraint?: Readonly<Record<string, unknown>>;
      readonly omitResponseConstraintInput?: boolean;
    },
  ): ReadableStream<string>;
  /** Since 2026; before it was `measureInputUsage`. */
  measureContextUsage?(input: string): Promise<number>;
  measureInputUsage?(input: string): Promise<number>;
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  destroy(): void;
}

interface Expected {
  readonly type: string;
  readonly languages: readonly string[];
}

interface SessionOptions {
  readonly expectedInputs: readonly Expected[];
  readonly expectedOutputs: readonly Expected[];
}

interface DownloadEvents {
  addEventListener(type: "downloadprogress", listener: (event: { readonly loaded: number }) => void): void;
}

export interface LanguageModelStatic {
  availability(options: SessionOptions): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(
    options: SessionOptions & {
      readonly signal?: AbortSignal;
      readonly initialPrompts?: readonly EngineMessage[];
      readonly monitor?: (events: DownloadEvents) => void;
    },
  ): Promise<BrowserSession>;
}

/** @throws MemoryError "unsupported" where there is none */
export function languageModel(): LanguageModelStatic {
  const { LanguageModel, document } = globalThis as { readonly LanguageModel?: LanguageModelStatic; readonly document?: unknown };
  if (LanguageModel) return LanguageModel;
  const why =
    document === undefined
      ? "it can be reached from a page only, not from a worker or a server"
      : globalThis.isSecureContext === false
        ? "this page is not served over https"
        : "this browser has no Prompt API (Chrome 138 and later have, on machines that are strong enough)";
  throw new MemoryError("unsupported", `promptApi() has no model to ask: ${why}`);
}

/** The browser and its version, since the model comes and changes with it. */
export function modelName(): string {
  const { userAgentData } = (globalThis.navigator ?? {}) as {
    readonly userAgentData?: { readonly brands?: readonly { readonly brand: string; readonly version: string }[] };
  };
  const brand = userAgentData?.brands?.find(({ brand }) => !/not.?a.?brand/i.test(brand));
  return brand ? `${brand.brand} ${brand.version}` : "browser";
}

/** Tokens of prompt and answer; a model without a limit has none that matters. */
export function contextOf({ contextWindow, inputQuota }: BrowserSession): number {
  const window = contextWindow ?? inputQuota;
  return window !== undefined && Number.isFinite(window) ? window : Number.MAX_SAFE_INTEGER;
}

export async function measureTokens(session: BrowserSession, text: string): Promise<number> {
  if (session.measureContextUsage) return session.measureContextUsage(text);
  if (session.measureInputUsage) return session.measureInputUsage(text);
  return Math.ceil(text.length / 4);
}

const nameOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether another session may answer: the call hung, or the browser's process for the model died. */
export function isBroken(error: unknown): boolean {
  return isMemoryError(error, "timeout") || /^(InvalidStateError|UnknownError|OperationError)$/.test(nameOf(error));
}

export function fromBrowserOpen(error: unknown): MemoryError {
  if (nameOf(error) === "NotAllowedError")
    return new MemoryError(
      "asset-unavailable",
      "the browser has not fetched its model yet, and does so after a click only: open it from one (and allow language-model in a frame)",
      { cause: error },
    );
  if (nameOf(error) === "QuotaExceededError")
    return new MemoryError("quota-exceeded", "there is no room for the browser's model on this device", { cause: error });
  if (nameOf(error) === "NotSupportedError")
    return new MemoryError("unsupported", `the browser's model does not do what was asked: ${said(error)}`, { cause: error });
  return new MemoryError("asset-unavailable", `the browser could not load its model: ${said(error)}`, { cause: error });
}

export function fromBrowserCall(error: unknown): MemoryError {
  if (isMemoryError(error)) return error;
  if (nameOf(error) === "QuotaExceededError")
    return new MemoryError("too-large", "the prompt is longer than the context of the browser's model", { cause: error });
  return new MemoryError("model-failed", `the browser's model failed to answer: ${said(error)}`, { cause: error });
}
