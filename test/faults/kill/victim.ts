/** What can be killed: a process, or a browser, that lives a life on a database of its own. */

import type { LifeMessage, LifeOrder } from "./life.js";

export interface Life {
  /** Ends it without a warning; resolves when nothing that it told can still arrive. */
  kill(): Promise<void>;
  /** Resolves when it ended by itself, with what is known of why. */
  readonly ended: Promise<string>;
}

export interface Victim {
  readonly kind: "node" | "chromium";
  /** Processes that work on one database at the same time, at most. */
  readonly processes: number;
  /** Handles in one process, at most. */
  readonly handles: number;
  start(order: LifeOrder, hear: (message: LifeMessage) => void): Promise<Life>;
  /** Copies what is stored now, and what was before the last life where that was kept, into a folder. */
  keep(to: string): Promise<void>;
  /** Removes everything that was stored. */
  close(): Promise<void>;
}
