/** What the roles are asked on the benchmarks: a question, the memory that holds its evidence, and the models that play. */

import type { SlmEngine } from "../../src/ports.js";
import type { StructuredAsker } from "../../src/slm/structured/ask.js";
import type { DatasetMemory } from "../data/dataset.js";
import type { OpenedEmbedder } from "../embedders.js";
import type { TurnMemory } from "../turn-memory.js";

export interface BenchRun {
  /** The model under the name of each of its roles. */
  readonly as: (role: string) => SlmEngine;
  readonly askers: { readonly controller: StructuredAsker; readonly selector: StructuredAsker; readonly writer: StructuredAsker };
  readonly said: DatasetMemory;
  /** What was said as memories, one a turn. */
  readonly memory: TurnMemory;
  readonly opened: OpenedEmbedder;
}

/** Figures of a form, each 0 to 1. */
export type FormFigures = Readonly<Record<string, number>>;

export const K = 10;
export const clock = { now: () => performance.now() };
