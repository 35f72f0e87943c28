/** Tells the other handles on a database that something was written; the journal tells what. */

import type { UserId } from "../types.js";

type ChangeMessage =
  | { readonly userId: UserId; readonly revision: number }
  /** Everything of the user is gone, the journal too: revisions begin anew. */
  | { readonly userId: UserId; readonly erased: true };

export interface ChangeListener {
  readonly onHeard: () => void;
  readonly onErased: () => void;
}

export class ChangeChannel {
  readonly #channel: BroadcastChannel | undefined;
  readonly #userId: UserId;
  #heard = 0;

  constructor(name: string, userId: UserId, { onHeard, onErased }: ChangeListener) {
    this.#userId = userId;
    this.#channel = openChannel(name);
    if (!this.#channel) return;
    this.#channel.onmessage = (event: unknown) => {
      const { data } = event as { readonly data: ChangeMessage };
      if (data?.userId !== userId) return;
      if ("erased" in data) {
        this.#heard = 0;
        onErased();
      } else {
        this.#heard = Math.max(this.#heard, data.revision);
        onHeard();
      }
    };
    // In Node an open channel keeps the process alive.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  /** Whether this platform has channels at all. */
  get isOpen(): boolean {
    return this.#channel !== undefined;
  }

  /** The newest revision that another handle told of; 0 for none. */
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

/** Tells every handle on a database that a user was erased. */
export function tellErased(name: string, userId: UserId): void {
  const channel = openChannel(name);
  channel?.postMessage({ userId, erased: true } satisfies ChangeMessage);
  channel?.close();
}

/** Absent in some webviews: a handle then learns of others' writes when it looks at the store. */
function openChannel(name: string): BroadcastChannel | undefined {
  return typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(`keepsake:${name}`);
}
