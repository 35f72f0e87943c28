/** Gathers figures by name with the bootstrap interval over conversations or runs. */

import { bootstrapInterval, mean } from "../metrics.js";
import type { Findings } from "../report.js";

export class Figures {
  private readonly figures: Record<string, number> = {};
  private readonly intervals: Record<string, readonly [number, number]> = {};

  constructor(private readonly seed: number) {}

  /** @param values one a conversation; those that could not be computed (labels of one class) are left out */
  add(name: string, values: readonly number[]): void {
    const known = values.filter((value) => !Number.isNaN(value));
    this.figures[name] = mean(known);
    this.intervals[name] = bootstrapInterval(known, this.seed);
  }

  set(name: string, value: number): void {
    this.figures[name] = value;
  }

  get findings(): Omit<Findings, "notes"> {
    return { figures: this.figures, intervals: this.intervals, failed: 0 };
  }
}
