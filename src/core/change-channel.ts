/** Tells the other handles on a database that something was written; the journal tells what. */

import type { UserId } from "../types.js";

interface ChangeMessage {
  readonly userId: UserId;
  readonly revision: number;
}

export class ChangeChannel {
  readonly #channel: BroadcastChannel | undefined;
  readonly #userId: UserId;
  /** The newest revision that another handle told of. */
  #heard = 0;

  constructor(name: string, userId: UserId, onHeard: (revision: number) => void) {
    this.#userId = userId;
    // Absent in some webviews: a handle then learns of others' writes when its own are refused.
    this.#channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(`keepsake:${name}`);
    if (!this.#channel) return;
    this.#channel.onmessage = (event: unknown) => {
      const { data } = event as { readonly data: ChangeMessage };
      if (data?.userId !== userId || !(data.revision > this.#heard)) return;
      this.#heard = data.revision;
      onHeard(data.revision);
    };
    // In Node an open channel keeps the process alive.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  get heard(): number {
    return this.#heard;
  }

  tell(revision: number): void {
    this.#channel?.postMessage({ userId: this.#userId, revision } satisfies ChangeMessage);
  }

  close(): void {
    this.#channel?.close();
  }
}
