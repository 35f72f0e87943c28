/** How one thread learns of the death of another: a Web Lock that is held for as long as its holder lives. */

export interface LifeLock {
  /** For {@link watchLifeLock}. */
  readonly name: string;
  /** Resolves with whether the lock is held; without locks (insecure context) or leave to use them (sandboxed frame) it
   * is not, and a death goes unseen. */
  readonly isHeld: Promise<boolean>;
  /** Ends the hold before the thread does; whoever still watches sees a death. */
  release(): void;
}

/** A name that no other lock of this origin has. `crypto.randomUUID` is missing on insecure origins. */
export function newLifeLockName(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return `keepsake:life:${digits.join("")}`;
}

/** Holds a Web Lock until it is released or this thread dies. */
export function holdLifeLock(name: string): LifeLock {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const locks = globalThis.navigator?.locks;
  const isHeld = new Promise<boolean>((resolve) => {
    if (!locks) return resolve(false);
    const held = locks.request(name, () => {
      resolve(true);
      return released;
    });
    held.catch(() => resolve(false));
  });
  return { name, isHeld, release };
}

/** Tells of the holder's death; call once the lock is known to be held.
 * @param signal ends the watch
 * @param onDeath is told once; never where this thread may not use locks */
export function watchLifeLock(name: string, signal: AbortSignal, onDeath: () => void): void {
  const told = () => {
    if (!signal.aborted) onDeath();
  };
  // A rejection is the end of the watch, or a refusal to use locks: neither tells of a death.
  globalThis.navigator?.locks?.request(name, { signal }, told).catch(() => undefined);
}
