/** What the parts of the page share: the open memory and ways to tell each other what happened. */

import type { Conversation, Memory, Recall, RecallOptions } from "keepsake";

/** One question or statement, and what the memory came up with. */
export interface Asked {
  readonly text: string;
  readonly recall: Recall;
  /** Whether it asked for something, or told something. */
  readonly question: boolean;
  /** From the call to its result, as the page saw it. */
  readonly elapsedMs: number;
}

export interface Desk {
  readonly memory: Memory;
  readonly conversation: Conversation;
  readonly deadlineMs: NonNullable<RecallOptions["deadlineMs"]>;
  /** Ends with this user's view. */
  readonly signal: AbortSignal;
  /** Shows a failure. */
  readonly report: (error: unknown) => void;
  /** Shows a line of news. */
  readonly tell: (text: string) => void;
  /** Shows in the inspector how a recall came about. */
  readonly inspect: (asked: Asked) => void;
  /** Reads the chat and the lists anew after something was loaded or forgotten. */
  readonly reload: () => Promise<void>;
  readonly switchUser: (userId: string) => void;
}

/** One tab of the inspector. */
export interface Panel {
  readonly name: string;
  readonly element: HTMLElement;
  /** Called with each recall. */
  show?(asked: Asked): void;
  /** Called when the panel comes to be seen, and when the memory changed while it is. */
  refresh?(): Promise<void>;
}
