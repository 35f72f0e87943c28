/** One conversation of a memory: its own short-term memory, the shared mid- and long-term ones. */

import type { ConversationRef, MemoryBackend } from "./backend.js";
import { count, text } from "./options.js";
import type {
  ContextOptions,
  ContextWindow,
  ConversationId,
  Message,
  Recall,
  RecallOptions,
  TurnInput,
  Written,
} from "./types.js";

export class Conversation {
  readonly #backend: MemoryBackend;
  readonly #ref: ConversationRef;

  constructor(backend: MemoryBackend, ref: ConversationRef) {
    this.#backend = backend;
    this.#ref = ref;
  }

  get id(): ConversationId {
    return this.#ref.id;
  }

  get incognito(): boolean {
    return this.#ref.incognito;
  }

  /** What the memory holds on `query`, in the light of this conversation's recent turns.
   * @throws TypeError, RangeError at the door; MemoryError; the signal's reason */
  async recall(query: string, options: RecallOptions = {}): Promise<Recall> {
    if (typeof query !== "string") throw new TypeError(`recall takes a string, not ${typeof query}`);
    if (options.k !== undefined) count("k", options.k, 1, 100);
    if (options.contextTokens !== undefined) count("contextTokens", options.contextTokens, 1, 100_000);
    if (options.deadlineMs !== undefined) count("deadlineMs", options.deadlineMs, 1, 60_000);
    checkTime(options.at);
    const { signal, ...rest } = options;
    return this.#backend.recall(this.#ref, query, rest, { signal });
  }

  /** Remembers what was said: into the short-term memory, and what matters of it into the mid-term one. Resolves when
   * it is committed to disk.
   * @throws TypeError at the door; MemoryError; the signal's reason, and nothing is stored then */
  async record(turn: TurnInput, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Written> {
    checkTurn(turn);
    return this.#backend.record(this.#ref, turn, { signal });
  }

  /** The messages to put before the model: the recalled block, then turns word for word, the newest and, of the older ones,
   * those that are likely to be needed; before them the identifiers of what was left out.
   * @param options.maxTokens 0 to 1,000,000; the memory's `stmTokens`, beside the block, by default
   * @throws TypeError, RangeError at the door; MemoryError; the signal's reason */
  async context(options: ContextOptions & { readonly signal?: AbortSignal | undefined } = {}): Promise<ContextWindow> {
    const { signal, ...rest } = options;
    if (rest.maxTokens !== undefined) count("maxTokens", rest.maxTokens, 0, 1_000_000);
    if (rest.pinned !== undefined && !(Array.isArray(rest.pinned) && rest.pinned.every((id) => typeof id === "string")))
      throw new TypeError("pinned is an array of message ids");
    return this.#backend.context(this.#ref, rest, { signal });
  }

  /** The conversation's last messages, oldest first, as they were stored.
   * @param limit 1 to 10,000; default 100 */
  async history({ limit = 100 }: { readonly limit?: number } = {}): Promise<readonly Message[]> {
    return this.#backend.history(this.#ref, count("limit", limit, 1, 10_000));
  }
}

function checkTurn(turn: TurnInput): void {
  if (typeof turn !== "object" || turn === null) throw new TypeError("record takes { user, assistant } or { messages }");
  if (turn.sessionId !== undefined) text("sessionId", turn.sessionId);
  if (turn.private !== undefined && typeof turn.private !== "boolean") throw new TypeError("private is true or false");
  if (turn.recalled !== undefined && !Array.isArray(turn.recalled?.items))
    throw new TypeError("recalled is what recall returned");
  if ("messages" in turn) {
    if (!Array.isArray(turn.messages)) throw new TypeError("messages is an array of { role, text }");
    for (const message of turn.messages) checkMessage(message);
    return;
  }
  if (typeof turn.user !== "string") throw new TypeError("user is a string");
  if (turn.assistant !== undefined && typeof turn.assistant !== "string") throw new TypeError("assistant is a string");
  checkTime(turn.at);
}

function checkMessage(message: Message): void {
  if (typeof message?.text !== "string") throw new TypeError("a message has a text");
  if (!["user", "assistant", "system", "tool"].includes(message.role))
    throw new TypeError(`a message's role is user, assistant, system or tool, not ${String(message.role)}`);
  if (message.id !== undefined && (typeof message.id !== "string" || message.id === ""))
    throw new TypeError("a message's id is a string that is not empty");
  if (message.name !== undefined && typeof message.name !== "string") throw new TypeError("a message's name is a string");
  checkTime(message.at);
}

/** A Date holds ±8.64e15 ms; windows around a time reach a few centuries further. */
const MAX_TIME = 8.6e15;

function checkTime(at: unknown): void {
  if (at !== undefined && !(typeof at === "number" && Math.abs(at) <= MAX_TIME))
    throw new RangeError(`at is a time in milliseconds, not ${String(at)}`);
}
