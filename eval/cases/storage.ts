/** Cases of a store that has no room, and of a tab that holds an old version of it. */

import { isMemoryError } from "keepsake";
import type { StageHost } from "./host.js";

export interface StorageSetup {
  readonly inject?: {
    /** From 1. */
    readonly onWriteOfTurn: number;
    /** Failures after which there is room again. */
    readonly clearAfter: number;
  };
  readonly tabs?: readonly {
    readonly name: string;
    readonly holdsConnection?: boolean;
    readonly closesOnVersionchange?: boolean;
  }[];
}

/** Records while there is no room.
 * @returns what the caller was told each time */
export async function failureOf(
  { clearAfter }: NonNullable<StorageSetup["inject"]>,
  host: Pick<StageHost, "fill">,
  record: () => Promise<void>,
): Promise<string> {
  const told: string[] = [];
  host.fill(true);
  while (told.length < clearAfter) {
    told.push(await record().then(() => "recorded, as if there were room", tellingOf));
  }
  host.fill(false);
  return told.join("\n");
}

/** What a caller learns of an error: its code and its words. */
function tellingOf(error: unknown): string {
  return isMemoryError(error) ? `${error.code}: ${error.message}` : String(error);
}

interface Opening {
  /** An opening must settle within this time. */
  readonly limitMs: number;
  readonly hold: (isPolite: boolean) => Promise<() => void>;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens beside a tab that holds an older version, then without it; and once more beside one that lets go.
 * @returns what the first opening was told
 * @throws Error when an opening does not settle, or fails where nothing is in its way */
export async function openedBeside(
  tabs: NonNullable<StorageSetup["tabs"]>,
  { limitMs, hold, open, close }: Opening,
): Promise<string> {
  const isPolite = tabs.some(({ closesOnVersionchange }) => closesOnVersionchange);
  const leave = await hold(isPolite);
  // A worker's messages and the error itself take a moment beyond the limit.
  const told = await settled(open(), limitMs + 1_000);
  await close();
  leave();
  await open();
  await close();
  if (isPolite) return told;
  const leaveAgain = await hold(true);
  const second = await settled(open(), limitMs);
  leaveAgain();
  if (second !== "opened") throw new Error(`beside a tab that lets go: ${second}`);
  return told;
}

async function settled(opening: Promise<void>, limitMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, limitMs, `hangs for ${limitMs} ms`);
  });
  const told = opening.then(() => "opened", tellingOf);
  const first = await Promise.race([told, late]);
  clearTimeout(timer);
  return first;
}
