/** Uses of a database that know of each other, in whatever tab and worker: many handles at once, or one repair. A Web Lock ends with
 * its tab; where there are none (an insecure context), nobody waits for anybody. */

export interface DatabaseUse {
  /** Whether repairs are really kept off. */
  readonly isKnown: boolean;
  readonly end: () => void;
}

/** Waits while a repair runs.
 * @throws the signal's reason */
export async function shareDatabase(name: string, signal?: AbortSignal): Promise<DatabaseUse> {
  const use = await requestUse(name, { mode: "shared", ...(signal && { signal }) }).catch(() => {
    signal?.throwIfAborted();
    // Locks are not for this frame.
    return undefined;
  });
  return use ?? NOT_KNOWN;
}

/** For a caller that nobody can keep off. */
export const NOT_KNOWN: DatabaseUse = { isKnown: false, end: () => undefined };

/** @returns `undefined` where it is not to be had, though the options do not wait for it */
export function requestUse(name: string, options: LockOptions): Promise<DatabaseUse | undefined> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: LockManager } }).navigator ?? {};
  if (!locks) return Promise.resolve(NOT_KNOWN);
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>((end) => resolve({ isKnown: true, end }));
      resolve(undefined);
      return undefined;
    };
    locks.request(`keepsake-use:${name}`, options, hold).catch(reject);
  });
}
