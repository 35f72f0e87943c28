/** Where a case is played: what Node and a browser do each in their own way. */

import type { Memory } from "keepsake";

export interface StageHost {
  /** A handle on the database of this name, which outlives it. */
  openMemory(options: {
    readonly name: string;
    readonly userId: string;
    readonly timeZone: string;
    now(): number;
  }): Promise<Memory>;
  /** From now on there is no room for anything new, until `false`. */
  fill(isFull: boolean): void;
  /** Everything in the databases, as it is stored. */
  dump(): Promise<string>;
  /** Holds the database open as a tab of the first version does, which still holds it then; absent where that is nothing.
   * @param isPolite lets go when another tab wants to upgrade
   * @returns closes that tab */
  holdOld?(name: string, isPolite: boolean): Promise<() => void>;
  /** Removes what was stored; every handle is closed. */
  close(): Promise<void>;
}
