/** Agent histories: ranking of load-bearing units, and whether the values that a tool call needs are still in context when it is made.
 *
 * The latter stands in for the paper's AppWorld success rate, which needs live environments and cannot be replayed from logs. */

import { collectAgents, trainAgent } from "../../scripts/train-lre/agent.js";
import { ContextWindow } from "../../src/lre/context-window.js";
import type { ScorerModel } from "../../src/lre/model.js";
import { StreamScorer } from "../../src/lre/scorer.js";
import { textOf } from "../../src/lre/unit.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { type AgentRun, neededValues } from "./agents.js";
import type { Figures } from "./figures.js";
import { auc } from "./ranking.js";

const FOLDS = 10;
const BUDGETS = [0.05, 0.1, 0.25, 0.5] as const;
const RECENT = 5;

interface Prepared {
  readonly run: AgentRun;
  readonly texts: readonly string[];
  readonly costs: readonly number[];
  readonly needed: readonly string[][];
}

interface Kept {
  readonly share: number;
  readonly peak: number;
}

/** Streaming and irrevocable: before each unit, are all values its call takes from earlier units in the window or the ledger?
 * @returns calls that find all they need, of those that need any; and the most tokens the context ever had */
function valuesInContext({ run, texts, costs, needed }: Prepared, budgetTokens: number, window: ContextWindow | undefined): Kept {
  let asked = 0;
  let found = 0;
  let peak = 0;
  run.units.forEach((unit, at) => {
    const values = needed[at] ?? [];
    if (at > 0) {
      const shown = window ? shownBy(window) : newest(texts, costs, at, budgetTokens);
      peak = Math.max(peak, shown.tokens);
      if (values.length > 0) {
        asked++;
        if (values.every((value) => shown.text.includes(value))) found++;
      }
    }
    window?.push(unit);
  });
  return { share: asked > 0 ? found / asked : Number.NaN, peak };
}

function shownBy(window: ContextWindow): { text: string; tokens: number } {
  const { kept, ledgerText, tokens } = window.select();
  return { text: [ledgerText, ...kept.map(({ unit }) => textOf(unit))].join("\n"), tokens };
}

/** FIFO: the recent units beside the budget, then older ones newest first until one does not fit. */
function newest(
  texts: readonly string[],
  costs: readonly number[],
  end: number,
  budget: number,
): { text: string; tokens: number } {
  const first = Math.max(0, end - RECENT);
  let from = first;
  for (let left = budget; from > 0 && (costs[from - 1] as number) <= left; from--) left -= costs[from - 1] as number;
  return { text: texts.slice(from, end).join("\n"), tokens: costs.slice(from, end).reduce((sum, cost) => sum + cost, 0) };
}

export function evaluateAgents(figures: Figures, runs: readonly AgentRun[]): void {
  const rows = collectAgents(runs);
  const tasks = [...new Set(runs.map(({ task }) => task))];
  const foldOf = runs.map(({ task }) => tasks.indexOf(task) % FOLDS);
  const models = Array.from({ length: FOLDS }, (_, fold): ScorerModel => trainAgent(rows, "fold", (run) => foldOf[run] !== fold));
  const labels = runs.map((_, run) => [...rows.labels].filter((_label, row) => rows.runOf[row] === run));
  const scores = runs.map(({ units }, i) => {
    const scorer = new StreamScorer(models[foldOf[i] as number] as ScorerModel);
    return units.map((unit) => scorer.push(unit));
  });
  figures.add(
    "agents.auc",
    runs.map((_, i) => auc(scores[i] ?? [], labels[i] ?? [])),
  );
  figures.add(
    "agents.auc.recency",
    runs.map(({ units }, i) =>
      auc(
        units.map((_, at) => at),
        labels[i] ?? [],
      ),
    ),
  );
  const prepared = runs.map((run): Prepared => {
    const texts = run.units.map(textOf);
    return { run, texts, costs: texts.map((text) => Math.max(1, estimateTokens(text))), needed: neededValues(run, texts) };
  });
  const whole = prepared.map(({ costs }) => costs.reduce((sum, cost) => sum + cost, 0));
  figures.add("agents.peakTokens.unbounded", whole);
  for (const share of BUDGETS) {
    const name = `${share * 100}%`;
    const ours = (ledgerShare: number): Kept[] =>
      prepared.map((one, i) => {
        const budgetTokens = Math.floor(share * (whole[i] as number));
        const model = models[foldOf[i] as number] as ScorerModel;
        return valuesInContext(
          one,
          budgetTokens,
          new ContextWindow({ budgetTokens, profile: "agent", mode: "streaming", recent: RECENT, ledgerShare, model }),
        );
      });
    const withLedger = ours(0.8);
    figures.add(
      `agents.values@${name}`,
      withLedger.map((kept) => kept.share),
    );
    figures.add(
      `agents.peakTokens@${name}`,
      withLedger.map(({ peak }) => peak),
    );
    figures.add(
      `agents.values@${name}.coverage`,
      ours(0).map((kept) => kept.share),
    );
    const fifo = prepared.map((one, i) => valuesInContext(one, Math.floor(share * (whole[i] as number)), undefined));
    figures.add(
      `agents.values@${name}.fifo`,
      fifo.map((kept) => kept.share),
    );
    figures.add(
      `agents.peakTokens@${name}.fifo`,
      fifo.map(({ peak }) => peak),
    );
  }
}
