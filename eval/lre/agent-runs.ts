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
import { percent, RECENT, type RecentSetting } from "./retention.js";

const FOLDS = 10;
const BUDGETS = [0.05, 0.1, 0.25, 0.5] as const;
/** Of the budget, for the ledger; 0 leaves coverage alone. */
const LEDGER_SHARE = 0.8;

interface Prepared {
  readonly run: AgentRun;
  readonly model: ScorerModel;
  readonly texts: readonly string[];
  readonly costs: readonly number[];
  readonly tokens: number;
  readonly needed: readonly string[][];
}

/** What the model sees before a step. */
interface Shown {
  readonly text: string;
  readonly tokens: number;
}

interface Method {
  /** Takes the units one by one, without a way back. */
  push(at: number): void;
  shown(end: number): Shown;
}

interface Kept {
  /** Calls that find all they need, of those that need any. */
  readonly share: number;
  /** The most tokens that the context ever had. */
  readonly peak: number;
}

/** Streaming and irrevocable: before each unit, are all values its call takes from earlier units in the context? */
function valuesInContext({ run, needed }: Prepared, method: Method): Kept {
  let asked = 0;
  let found = 0;
  let peak = 0;
  for (let at = 0; at < run.units.length; at++) {
    const values = needed[at] ?? [];
    if (at > 0) {
      const { text, tokens } = method.shown(at);
      peak = Math.max(peak, tokens);
      if (values.length > 0) {
        asked++;
        if (values.every((value) => text.includes(value))) found++;
      }
    }
    method.push(at);
  }
  return { share: asked > 0 ? found / asked : Number.NaN, peak };
}

function ours({ run, model }: Prepared, budgetTokens: number, recent: RecentSetting, ledgerShare: number): Method {
  const window = new ContextWindow({
    budgetTokens,
    profile: "agent",
    mode: "streaming",
    recent: RECENT,
    recentInside: recent === "inside",
    ledgerShare,
    model,
  });
  return {
    push: (at) => void window.push(run.units[at] as AgentRun["units"][number]),
    shown: () => {
      const { kept, ledgerText, tokens } = window.select();
      return { text: [ledgerText, ...kept.map(({ unit }) => textOf(unit))].join("\n"), tokens };
    },
  };
}

/** FIFO: the newest units until one does not fit; the recent ones inside or beside the budget. */
function newest({ texts, costs }: Prepared, budgetTokens: number, recent: RecentSetting): Method {
  return {
    push: () => undefined,
    shown: (end) => {
      let from = recent === "beside" ? Math.max(0, end - RECENT) : end;
      for (let left = budgetTokens; from > 0 && (costs[from - 1] as number) <= left; from--) left -= costs[from - 1] as number;
      return { text: texts.slice(from, end).join("\n"), tokens: costs.slice(from, end).reduce((sum, cost) => sum + cost, 0) };
    },
  };
}

function addValues(figures: Figures, runs: readonly Prepared[], suffix: string): void {
  figures.add(
    `agents.peakTokens.unbounded${suffix}`,
    runs.map(({ tokens }) => tokens),
  );
  for (const share of BUDGETS) {
    const add = (name: string, method: (run: Prepared, budgetTokens: number) => Method): void => {
      const kept = runs.map((run) => valuesInContext(run, method(run, Math.floor(share * run.tokens))));
      figures.add(
        `agents.values@${percent(share)}${name}${suffix}`,
        kept.map((one) => one.share),
      );
      figures.add(
        `agents.peakTokens@${percent(share)}${name}${suffix}`,
        kept.map(({ peak }) => peak),
      );
    };
    add("", (run, budget) => ours(run, budget, "beside", LEDGER_SHARE));
    add(".inside", (run, budget) => ours(run, budget, "inside", LEDGER_SHARE));
    add(".coverage", (run, budget) => ours(run, budget, "beside", 0));
    add(".fifo", (run, budget) => newest(run, budget, "beside"));
    add(".fifo.inside", (run, budget) => newest(run, budget, "inside"));
  }
}

/** Scores each run with a model that was learned from other tasks of all sets.
 * @param sets runs by the name that ends their figures; "" for those that the figures without a name are of */
export function evaluateAgents(figures: Figures, sets: Readonly<Record<string, readonly AgentRun[]>>): void {
  const runs = Object.values(sets).flat();
  const rows = collectAgents(runs);
  const tasks = [...new Set(runs.map(({ task }) => task))];
  const foldOf = runs.map(({ task }) => tasks.indexOf(task) % FOLDS);
  const models = Array.from({ length: FOLDS }, (_, fold): ScorerModel => trainAgent(rows, "fold", (run) => foldOf[run] !== fold));
  const labels = runs.map((): number[] => []);
  rows.labels.forEach((label, row) => labels[rows.runOf[row] as number]?.push(label));
  let from = 0;
  for (const [name, own] of Object.entries(sets)) {
    const suffix = name === "" ? "" : `.${name}`;
    const gold = labels.slice(from, from + own.length);
    const prepared = own.map((run, i): Prepared => {
      const texts = run.units.map(textOf);
      const costs = texts.map((text) => Math.max(1, estimateTokens(text)));
      const tokens = costs.reduce((sum, cost) => sum + cost, 0);
      return {
        run,
        model: models[foldOf[from + i] as number] as ScorerModel,
        texts,
        costs,
        tokens,
        needed: neededValues(run, texts),
      };
    });
    from += own.length;
    figures.add(
      `agents.auc${suffix}`,
      prepared.map(({ run, model }, i) => {
        const scorer = new StreamScorer(model);
        return auc(
          run.units.map((unit) => scorer.push(unit)),
          gold[i] ?? [],
        );
      }),
    );
    figures.add(
      `agents.auc.recency${suffix}`,
      own.map(({ units }, i) => auc([...units.keys()], gold[i] ?? [])),
    );
    addValues(figures, prepared, suffix);
  }
}
