/** What a benchmark looks like to the harness, whatever file it came from. */

import type { Role } from "../../src/types.js";

export interface DatasetTurn {
  /** Unique inside its memory, as the data set names it. */
  readonly id: string;
  readonly sessionId: string;
  readonly role: Role;
  /** A named speaker, in dialogue between people. */
  readonly name?: string;
  readonly text: string;
  /** When its session took place, UTC. */
  readonly at: number;
}

export interface DatasetQuestion {
  readonly id: string;
  readonly text: string;
  readonly category: string;
  /** "" where the data set has none. */
  readonly answer: string;
  /** Ids of the turns that hold the answer; never empty. */
  readonly evidence: readonly string[];
  readonly askedAt: number;
  /** Asked about something that was never said: counted apart. */
  readonly adversarial: boolean;
}

/** One history with the questions asked of it. Turns are in order of time, sessions whole. */
export interface DatasetMemory {
  readonly id: string;
  readonly turns: readonly DatasetTurn[];
  readonly questions: readonly DatasetQuestion[];
}

export interface Dataset {
  readonly name: "locomo" | "longmemeval";
  /** Where it was found. */
  readonly path: string;
  /** Defects of the files, repaired or left out, by kind; complete once `memories` has been walked. */
  readonly defects: Record<string, number>;
  memories(): AsyncIterable<DatasetMemory>;
}

export function countDefect(defects: Record<string, number>, kind: string, times = 1): void {
  if (times > 0) defects[kind] = (defects[kind] ?? 0) + times;
}
