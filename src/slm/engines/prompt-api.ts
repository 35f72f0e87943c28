/** `keepsake/prompt-api`: the model that the browser brings (Chrome's Prompt API); it lives in the window and is served from there. */

import { MemoryError } from "../../errors.js";
import type {
  CompleteOptions,
  Completion,
  EngineCapabilities,
  EngineMessage,
  LoadOptions,
  SlmEngine,
  SlmProvider,
} from "../../ports.js";
import { untilAborted } from "../../rpc/cancel.js";
import { AnswerText } from "./answer-text.js";
import { checkPrompt, checkTimeout, EngineCalls, wellFormed } from "./engine-calls.js";
import {
  type BrowserSession,
  contextOf,
  fromBrowserCall,
  fromBrowserOpen,
  isBroken,
  type LanguageModelStatic,
  languageModel,
  measureTokens,
  modelName,
} from "./prompt-api-surface.js";

export interface PromptApiOptions {
  /** BCP 47 tags of the languages that people write and are answered in, such as "en" or "de"; English by default. */
  readonly languages?: readonly string[];
  /** Milliseconds that one call may take before it is given up and tried once more, more than 0; 30,000 by default. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Characters of a token, about: the browser counts none of an answer, and may tell it in larger pieces. */
const TOKEN_CHARACTERS = 4;
/** What the speed is measured with. */
const TRIAL: readonly EngineMessage[] = [{ role: "user", content: "Count from one to ten in words." }];
const TRIAL_TOKENS = 12;

/** Names the browser's own model for `openMemory({ slm })`. Open it after a click where the browser may still have to fetch the model:
 * it refuses a download that nobody asked for. Temperature and seed cannot be set there.
 *
 * `open` rejects with MemoryError "unsupported" where the browser has none, "asset-unavailable" where it is not fetched yet, or the
 * signal's reason. */
export function promptApi({ languages = ["en"], timeoutMs = TIMEOUT_MS }: PromptApiOptions = {}): SlmProvider {
  checkTimeout(timeoutMs);
  if (languages.length === 0) throw new RangeError("languages names one language or more");
  return { open: (load) => open(languages, timeoutMs, load) };
}

async function open(languages: readonly string[], timeoutMs: number, load: LoadOptions = {}): Promise<SlmEngine> {
  const { signal, onProgress } = load;
  signal?.throwIfAborted();
  const model = languageModel();
  const expected = expectedOf(languages);
  if ((await untilAborted(model.availability(expected), signal)) === "unavailable")
    throw new MemoryError("unsupported", `this browser or device has no model of its own for ${languages.join(", ")}`);
  const creating = model.create({
    ...expected,
    ...(signal && { signal }),
    monitor: (events) =>
      events.addEventListener("downloadprogress", ({ loaded }) =>
        // A share: the browser does not tell bytes.
        onProgress?.({ task: "load the browser's model", done: Math.round(loaded * 100), total: 100 }),
      ),
  });
  const kept = await taken(creating, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw fromBrowserOpen(error);
  });
  const engine = new PromptApiEngine(model, kept, languages, timeoutMs);
  try {
    await engine.measure(signal);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class PromptApiEngine implements SlmEngine {
  readonly id = `prompt-api/${modelName()}`;
  capabilities: EngineCapabilities;
  readonly #model: LanguageModelStatic;
  /** Keeps the model loaded; each answer has a session of its own, so that none knows of the others. */
  readonly #kept: BrowserSession;
  readonly #languages: readonly string[];
  readonly #calls: EngineCalls;

  constructor(model: LanguageModelStatic, kept: BrowserSession, languages: readonly string[], timeoutMs: number) {
    this.#model = model;
    this.#kept = kept;
    this.#languages = languages;
    // A session that hangs is destroyed, and the next has its own state.
    this.#calls = new EngineCalls({ id: this.id, timeoutMs, exclusive: false });
    this.capabilities = {
      schema: true,
      grammar: false,
      scores: false,
      contextTokens: contextOf(kept),
      device: "the browser's own model",
    };
  }

  /** Answers once, so that the model is loaded and its speed known. */
  async measure(signal: AbortSignal | undefined): Promise<void> {
    const started = performance.now();
    let first: number | undefined;
    const onToken = () => {
      first ??= performance.now();
    };
    const { promptTokens = 1, completionTokens = 1 } = await this.complete(TRIAL, {
      maxTokens: TRIAL_TOKENS,
      onToken,
      signal,
    });
    const ended = performance.now();
    const seconds = (from: number, to: number): number => Math.max(1, to - from) / 1_000;
    const tokensPerSecond = {
      prompt: promptTokens / seconds(started, first ?? ended),
      completion: completionTokens / seconds(first ?? started, ended),
    };
    this.capabilities = { ...this.capabilities, tokensPerSecond };
  }

  async complete(messages: readonly EngineMessage[], options: CompleteOptions = {}): Promise<Completion> {
    checkPrompt(messages, options);
    const { signal, onToken } = options;
    let told = 0;
    const once = () => {
      // A second try tells the answer anew; what was told of the first is not told twice.
      let said = 0;
      const tell = (piece: string) => {
        const fresh = piece.slice(Math.max(0, told - said));
        said += piece.length;
        told = Math.max(told, said);
        if (fresh !== "") onToken?.(fresh);
      };
      return this.#calls.run(signal, (until) => this.#answer(wellFormed(messages), options, until, tell));
    };
    try {
      return await once().catch((error: unknown) => {
        if (signal?.aborted || !isBroken(error)) throw error;
        return once();
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : fromBrowserCall(error);
    }
  }

  async close(): Promise<void> {
    await this.#calls.close();
    this.#kept.destroy();
  }

  async #answer(
    messages: readonly EngineMessage[],
    { schema, maxTokens = Number.POSITIVE_INFINITY, stop }: CompleteOptions,
    until: AbortSignal,
    tell: (piece: string) => void,
  ): Promise<Completion> {
    const own = new AbortController();
    const signal = AbortSignal.any([until, own.signal]);
    let session: BrowserSession | undefined;
    try {
      const promptTokens = await this.#fitting(messages);
      const { before, last } = inOrder(messages);
      session = await taken(
        this.#model.create({ ...expectedOf(this.#languages), signal, ...(before.length > 0 && { initialPrompts: before }) }),
        signal,
      );
      const reader = session
        .promptStreaming(last, {
          signal,
          // The prompt says already what form the answer has.
          ...(schema && { responseConstraint: schema, omitResponseConstraintInput: true }),
        })
        .getReader();
      const answer = new AnswerText(stop, tell);
      let tokens = 0;
      while (!answer.stopped && tokens < maxTokens) {
        const { done, value = "" } = await reader.read();
        if (done) return { text: answer.end(), finish: "stop", promptTokens, completionTokens: tokens };
        answer.add(value);
        tokens += Math.max(1, Math.floor(value.length / TOKEN_CHARACTERS));
      }
      const finish = answer.stopped ? "stop" : "length";
      return { text: answer.end(), finish, promptTokens, completionTokens: tokens };
    } finally {
      // Ends what is still being said.
      own.abort();
      session?.destroy();
    }
  }

  /** @returns the prompt's tokens
   * @throws MemoryError "too-large": the browser itself would forget what came first */
  async #fitting(messages: readonly EngineMessage[]): Promise<number> {
    const tokens = await measureTokens(this.#kept, messages.map(({ content }) => content).join("\n"));
    const { contextTokens } = this.capabilities;
    if (tokens < contextTokens) return tokens;
    throw new MemoryError(
      "too-large",
      `the prompt has ${tokens} tokens, and the browser's model a context of ${contextTokens} for prompt and answer`,
    );
  }
}

/** What the system says stands first, and the person has the last word: the browser refuses anything else. */
function inOrder(messages: readonly EngineMessage[]): { readonly before: readonly EngineMessage[]; readonly last: string } {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const said = messages.filter(({ role }) => role !== "system");
  const isAsked = said.at(-1)?.role === "user";
  const before = isAsked ? said.slice(0, -1) : said;
  return {
    before: system.length > 0 ? [{ role: "system", content: system.join("\n\n") }, ...before] : before,
    last: (isAsked && said.at(-1)?.content) || "",
  };
}

/** A session that comes after its caller has gone is given back. @throws the signal's reason */
async function taken(creating: Promise<BrowserSession>, signal: AbortSignal | undefined): Promise<BrowserSession> {
  try {
    return await untilAborted(creating, signal);
  } catch (error) {
    creating.then(
      (session) => session.destroy(),
      () => undefined,
    );
    throw error;
  }
}

const expectedOf = (languages: readonly string[]) => ({
  expectedInputs: [{ type: "text", languages }],
  expectedOutputs: [{ type: "text", languages }],
});
