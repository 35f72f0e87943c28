/** Calls of a model one after another: it has one state. */

/** @returns runs a task when all before are over, and settles when it is over itself, also after an abort: whoever watches the worker
 * sees by that whether the model still listens. A task that was aborted before its turn never begins
 * @throws what the task throws; the signal's reason */
export function serially(): <T>(signal: AbortSignal | undefined, task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, task) => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}
