/** A context window over an app's own chat messages: they go in and come out as they are. */

import { defaultTokenizer } from "../text/tokens.js";
import { ContextWindow } from "./context-window.js";
import { type ChatFormat, type MessageUnit, UnitBuilder } from "./formats/format.js";
import type { ContextWindowOptions, LeftOut, WindowSelection } from "./window-options.js";

/** What to send, and what did not fit. */
export interface FittedMessages<M> {
  /** The app's own objects, unchanged and in order; one message more, behind leading system messages, when there is a ledger. */
  readonly messages: readonly M[];
  readonly tokens: number;
  /** Left-out units, by their number in order of arrival, from "0". */
  readonly leftOut: readonly LeftOut[];
  /** Above 0 only when system or pinned messages, or a call still waiting for its result, do not fit. */
  readonly overBudgetTokens: number;
  /** The units and their probabilities, for those who want to look. */
  readonly selection: WindowSelection<MessageUnit<M>>;
}

/** Groups messages into units (a tool call stays with its results) and keeps them in a {@link ContextWindow}. */
export class MessageWindow<M> {
  private readonly window: ContextWindow<MessageUnit<M>>;
  private readonly builder: UnitBuilder<M>;

  constructor(
    private readonly format: ChatFormat<M>,
    private readonly options: ContextWindowOptions,
  ) {
    this.window = new ContextWindow(options);
    this.builder = new UnitBuilder(format, options.tokenizer ?? defaultTokenizer);
  }

  add(...messages: readonly M[]): void {
    for (const message of messages) {
      const closed = this.builder.add(message);
      if (closed) this.window.push(closed);
    }
  }

  /** @param budgetTokens another budget for this once */
  fit(budgetTokens: number = this.options.budgetTokens): FittedMessages<M> {
    const closed = this.builder.isWaiting ? undefined : this.builder.flush();
    if (closed) this.window.push(closed);
    // A call that waits for its result always goes; it is counted as a recent unit is.
    const open = this.builder.open;
    const openTokens = open?.tokens ?? 0;
    const inside = this.options.recentInside === true;
    const selection = this.window.select(inside ? Math.max(0, budgetTokens - openTokens) : budgetTokens);
    const kept = selection.kept.flatMap(({ unit }) => unit.messages);
    if (open) kept.push(...open.messages);
    const messages: M[] = [...kept];
    if (selection.ledger.length > 0) {
      const leading = kept.findIndex((message) => this.format.view(message).role !== "system");
      messages.splice(leading < 0 ? kept.length : leading, 0, this.format.ledger(selection.ledgerText));
    }
    const overOpen = inside ? Math.max(0, openTokens - budgetTokens) : 0;
    return {
      messages,
      tokens: selection.tokens + openTokens,
      leftOut: selection.leftOut,
      overBudgetTokens: selection.overBudgetTokens + overOpen,
      selection,
    };
  }
}

/** The messages to send, once: for apps that hold the whole history anyway. */
export function fitMessages<M>(messages: readonly M[], format: ChatFormat<M>, options: ContextWindowOptions): FittedMessages<M> {
  const window = new MessageWindow(format, options);
  window.add(...messages);
  return window.fit();
}
