/** Decides again what another handle overtook. */

import { isMemoryError } from "../errors.js";

/** A decision that is overtaken this often fails with "conflict": two tabs do not meet so often by chance. */
const MAX_TRIES = 5;

/** @param decide rests on what the indexes hold now, and writes only what still holds in the store; it is told when it is
 * asked for the last time
 * @param catchUp brings the indexes level with the store
 * @throws what `decide` throws, "conflict" only after five tries */
export async function untilSettled<T>(decide: (isLast: boolean) => Promise<T>, catchUp: () => Promise<void>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await decide(tries === MAX_TRIES);
    } catch (error) {
      if (!isMemoryError(error, "conflict") || tries === MAX_TRIES) throw error;
      await catchUp();
    }
  }
}
