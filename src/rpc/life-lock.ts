/** How one thread learns of the death of another: a Web Lock that is held for as long as its holder lives. */

/** Holds a Web Lock for as long as this worker lives, so that whoever waits for the lock learns of its death.
 * Resolves once the lock is held, or at once where there are no locks (insecure context). */
export function holdLifeLock(name: string): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return Promise.resolve();
  return new Promise((held) => {
    void locks.request(name, () => {
      held();
      return new Promise<never>(() => undefined);
    });
  });
}

/** Tells of the holder's death; call once the lock is known to be held. Does nothing where there are no locks.
 * @param signal ends the watch
 * @param onDeath is told once, also when the lock cannot be watched */
export function watchLifeLock(name: string, signal: AbortSignal, onDeath: () => void): void {
  const locks = globalThis.navigator?.locks;
  if (!locks) return;
  const told = () => {
    if (!signal.aborted) onDeath();
  };
  locks.request(name, { signal }, told).catch(told);
}
