/** Locks between the handles on one user's rows: Web Locks where there are any, which end with their tab; else between the handles of
 * this process. */

export interface HandleLocks {
  /** Runs the task as the only one under this name, once it is free.
   * @throws the signal's reason while it waits; what the task throws */
  hold<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Shares the name with others. @returns ends the share, and resolves when it has ended */
  share(name: string): () => Promise<void>;
  /** Runs the task if nobody holds or shares the name now. @returns whether it ran */
  ifFree(name: string, task: () => Promise<void>): Promise<boolean>;
}

/** @param scope stands before all names */
export function handleLocks(scope: string): HandleLocks {
  const locks = (globalThis as { readonly navigator?: { readonly locks?: LockManager } }).navigator?.locks;
  return locks ? new WebLocks(locks, scope) : new ProcessLocks(scope);
}

class WebLocks implements HandleLocks {
  readonly #locks: LockManager;
  readonly #scope: string;

  constructor(locks: LockManager, scope: string) {
    this.#locks = locks;
    this.#scope = scope;
  }

  hold<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#locks.request(this.#scope + name, { signal }, task) as Promise<T>;
  }

  share(name: string): () => Promise<void> {
    const ended = new AbortController();
    const { signal } = ended;
    const until = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    // Ended before it was granted, or locks are not for this frame: nobody is kept from anything then.
    const shared = this.#locks.request(this.#scope + name, { mode: "shared", signal }, () => until).catch(() => undefined);
    return async () => {
      ended.abort();
      await shared;
    };
  }

  async ifFree(name: string, task: () => Promise<void>): Promise<boolean> {
    return (await this.#locks.request(this.#scope + name, { ifAvailable: true }, async (lock) => {
      if (lock) await task();
      return lock !== null;
    })) as boolean;
  }
}

/** Of this process, by their full name. */
const held = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

class ProcessLocks implements HandleLocks {
  readonly #scope: string;

  constructor(scope: string) {
    this.#scope = scope;
  }

  async hold<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const key = this.#scope + name;
    while (held.has(key)) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const goOn = () => {
          signal.removeEventListener("abort", goOn);
          resolve();
        };
        held.get(key)?.waiting.push(goOn);
        signal.addEventListener("abort", goOn, { once: true });
      });
    }
    signal.throwIfAborted();
    take(key);
    try {
      return await task();
    } finally {
      leave(key);
    }
  }

  share(name: string): () => Promise<void> {
    const key = this.#scope + name;
    take(key);
    let isShared = true;
    return async () => {
      if (isShared) leave(key);
      isShared = false;
    };
  }

  async ifFree(name: string, task: () => Promise<void>): Promise<boolean> {
    const key = this.#scope + name;
    if (held.has(key)) return false;
    take(key);
    try {
      await task();
      return true;
    } finally {
      leave(key);
    }
  }
}

function take(key: string): void {
  const lock = held.get(key) ?? { count: 0, waiting: [] };
  lock.count++;
  held.set(key, lock);
}

function leave(key: string): void {
  const lock = held.get(key);
  if (!lock || --lock.count > 0) return;
  held.delete(key);
  for (const go of lock.waiting) go();
}
