/** What policies keep of a dialogue's evidence when only a share of its tokens may stay. */

import { estimateTokens } from "../../src/text/tokens.js";
import type { Dialogue } from "./dialogues.js";
import type { Figures } from "./figures.js";
import { unitsOf } from "./units.js";

/** The newest turns that are always kept (the paper's R_k). */
export const RECENT = 5;

/** Whether the recent turns count inside the budget, the harder setting, or are kept beside it, as in the paper. */
export type RecentSetting = "inside" | "beside";

/** What is to be kept under a budget: turns by index. */
export interface Ask {
  readonly dialogue: Dialogue;
  /** Number of the dialogue in its set. */
  readonly number: number;
  readonly costs: readonly number[];
  readonly budgetTokens: number;
  readonly recent: RecentSetting;
}

export type Policy = (ask: Ask) => ReadonlySet<number>;

/** Tokens of each turn, as the context window counts them. */
export const costsOf = (dialogue: Dialogue): number[] =>
  unitsOf(dialogue).map(({ text, caption }) => Math.max(1, estimateTokens(caption ? `${text}\n${caption}` : text)));

export const percent = (share: number): string => `${share * 100}%`;

/** The newest turns that stay whatever the others are worth, and what is left of the budget for those. */
export function settleRecent({ costs, budgetTokens, recent }: Ask): { kept: Set<number>; left: number; first: number } {
  const kept = new Set<number>();
  const first = Math.max(0, costs.length - RECENT);
  let left = budgetTokens;
  for (let at = costs.length - 1; at >= first; at--) {
    if (recent === "inside") {
      if ((costs[at] as number) > left) break;
      left -= costs[at] as number;
    }
    kept.add(at);
  }
  return { kept, left, first };
}

interface Retention {
  /** Share of evidence turns that are kept. */
  readonly evidence: number;
  /** Share of questions with all of their evidence kept. */
  readonly all: number;
}

function retentionOf(dialogue: Dialogue, kept: ReadonlySet<number>): Retention {
  let gold = 0;
  let found = 0;
  dialogue.gold.forEach((label, at) => {
    gold += label;
    if (label === 1 && kept.has(at)) found++;
  });
  const asked = dialogue.questions.filter(({ evidence }) => evidence.length > 0);
  const whole = asked.filter(({ evidence }) => evidence.every((at) => kept.has(at)));
  return { evidence: found / Math.max(1, gold), all: whole.length / Math.max(1, asked.length) };
}

/** Retention of policies on one data set. */
export class RetentionTable {
  private readonly costs: readonly (readonly number[])[];

  constructor(
    private readonly figures: Figures,
    private readonly set: "locomo" | "longmemeval",
    private readonly dialogues: readonly Dialogue[],
    private readonly shares: readonly number[],
  ) {
    this.costs = dialogues.map(costsOf);
  }

  /** Adds `<set>.evidence@<share>` and `<set>.all@<share>` of a policy, dialogues without evidence left aside.
   * @param name ends the figures' names; "" for ours */
  add(name: string, policy: Policy, recent: RecentSetting = "inside"): void {
    const suffix = name === "" ? "" : `.${name}`;
    for (const share of this.shares) {
      const results = this.dialogues.flatMap((dialogue, number) => {
        if (!dialogue.gold.includes(1)) return [];
        const costs = this.costs[number] as readonly number[];
        const budgetTokens = Math.floor(share * costs.reduce((sum, cost) => sum + cost, 0));
        return [retentionOf(dialogue, policy({ dialogue, number, costs, budgetTokens, recent }))];
      });
      this.figures.add(
        `${this.set}.evidence@${percent(share)}${suffix}`,
        results.map(({ evidence }) => evidence),
      );
      this.figures.add(
        `${this.set}.all@${percent(share)}${suffix}`,
        results.map(({ all }) => all),
      );
    }
  }

  /** What an unbounded context costs: all evidence, at so many tokens. */
  addUnbounded(): void {
    this.figures.add(
      `${this.set}.tokens.unbounded`,
      this.costs.map((costs) => costs.reduce((sum, cost) => sum + cost, 0)),
    );
    this.add("unbounded", ({ costs }) => new Set(costs.keys()));
  }
}
