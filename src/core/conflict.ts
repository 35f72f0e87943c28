/** Decides again what another handle overtook. */

import { isMemoryError } from "../errors.js";

/** A decision that is overtaken this often fails with "conflict": handles do not meet so often by chance. */
const MAX_TRIES = 10;
/** Tries that may insist on all that they looked at; the later ones only on what must not go wrong. */
const STRICT_TRIES = 6;

/** @param decide rests on what the indexes hold now, and writes only what still holds in the store; it is told when it has been
 * overtaken so often that it should insist on less
 * @param catchUp brings the indexes level with the store
 * @throws what `decide` throws, "conflict" only after ten tries */
export async function untilSettled<T>(decide: (isLate: boolean) => Promise<T>, catchUp: () => Promise<void>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await decide(tries > STRICT_TRIES);
    } catch (error) {
      if (!isMemoryError(error, "conflict") || tries === MAX_TRIES) throw error;
      await catchUp();
    }
  }
}
