/** What comes in from another tab while a consolidation waits for its model. */

import type { Memory } from "keepsake";
import type { CaseTurn } from "./case.js";

export interface Race {
  readonly duringCall: readonly { readonly record?: CaseTurn; readonly command?: string; readonly query?: string }[];
}

/** Consolidates with a model that answers only after everything else has happened.
 * @param step does in the other tab what happens there */
export async function playRace(
  memory: Memory,
  race: Race,
  step: (during: Race["duringCall"][number]) => Promise<void>,
): Promise<void> {
  let begun: () => void = () => undefined;
  let answer: () => void = () => undefined;
  const isCalled = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const isOver = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const consolidator = {
    id: "case/slow",
    place: "engine" as const,
    async consolidate() {
      begun();
      await isOver;
      return [];
    },
  };
  const consolidating = memory.consolidate({ consolidator, optedIn: true });
  await Promise.race([isCalled, consolidating]);
  for (const during of race.duringCall) await step(during);
  answer();
  await consolidating;
}
