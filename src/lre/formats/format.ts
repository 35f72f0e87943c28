/** What a chat format has to say about a message, so that windows can group, count and keep messages they do not own. */

import type { Tokenizer } from "../../ports.js";
import type { ToolCall, Unit } from "../unit.js";

/** What of a message matters for keeping it. The message itself is never taken apart. */
export interface MessageView {
  readonly role: Unit["role"];
  readonly name?: string;
  /** Text and thoughts, joined. */
  readonly text: string;
  readonly calls: readonly (ToolCall & { readonly id: string })[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** Images, files and parts of kinds that this build does not know, as text to be counted or as a flat number of tokens. */
  readonly others: readonly (string | number)[];
}

/** Reads one chat format. */
export interface ChatFormat<M> {
  readonly name: string;
  view(message: M): MessageView;
  /** A message that shows the ledger. */
  ledger(text: string): M;
}

/** A unit that remembers the messages it was made of. */
export interface MessageUnit<M> extends Unit {
  readonly messages: readonly M[];
}

/** Tokens that an image or a file is taken to cost: what a picture of about a megapixel costs with the large providers. */
export const MEDIA_TOKENS = 1_000;
/** What chat formats spend on a message beside its text: role and separators. */
const TOKENS_PER_MESSAGE = 4;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as text: strings as they are, others as JSON. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : (JSON.stringify(value) ?? "");
}

/** Gathers messages into units as they come: a call and its results never part. */
export class UnitBuilder<M> {
  private messages: M[] = [];
  private views: MessageView[] = [];
  private waiting = new Set<string>();
  private count = 0;

  constructor(
    private readonly format: ChatFormat<M>,
    private readonly tokenizer: Tokenizer,
  ) {}

  /** @returns the unit that this message closes, if it does */
  add(message: M): MessageUnit<M> | undefined {
    const view = this.format.view(message);
    const answers =
      view.results.length > 0 &&
      this.views.some((other) => other.calls.some((call) => view.results.some(({ id }) => id === call.id)));
    // While results are due, what comes between belongs to the same unit; a new call shows that they will not come.
    const interjects = this.waiting.size > 0 && view.calls.length === 0 && view.role !== "assistant";
    const closed = answers || interjects ? undefined : this.flush();
    this.messages.push(message);
    this.views.push(view);
    const resolved = new Set(view.results.map(({ id }) => id));
    for (const { id } of view.calls) if (!resolved.has(id)) this.waiting.add(id);
    for (const id of resolved) this.waiting.delete(id);
    return closed;
  }

  /** Whether a call of the unit under way has no result yet. */
  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** The unit under way, without closing it. */
  get open(): MessageUnit<M> | undefined {
    return this.messages.length > 0 ? this.build() : undefined;
  }

  flush(): MessageUnit<M> | undefined {
    if (this.messages.length === 0) return undefined;
    const unit = this.build();
    this.count++;
    this.messages = [];
    this.views = [];
    this.waiting.clear();
    return unit;
  }

  private build(): MessageUnit<M> {
    const { views } = this;
    const first = views.find(({ calls }) => calls.length > 0) ?? (views[0] as MessageView);
    const text = views.flatMap((view) => (view.text === "" ? [] : [view.text])).join("\n");
    const calls = views.flatMap((view) => view.calls.map(({ name, input }) => ({ name, input })));
    const results = views.flatMap((view) => view.results.map((result) => result.text));
    return {
      id: String(this.count),
      role: first.role,
      text,
      tokens: this.price(text, calls, results),
      messages: this.messages,
      ...(first.name !== undefined && { speaker: first.name }),
      ...(calls.length > 0 && { calls }),
      ...(results.length > 0 && { results }),
    };
  }

  private price(text: string, calls: readonly ToolCall[], results: readonly string[]): number {
    const count = (piece: string): number => this.tokenizer.count(piece);
    let tokens = TOKENS_PER_MESSAGE * this.messages.length + count(text);
    for (const { name, input } of calls) tokens += count(name) + count(input);
    for (const result of results) tokens += count(result);
    for (const view of this.views) for (const other of view.others) tokens += typeof other === "number" ? other : count(other);
    return tokens;
  }
}
