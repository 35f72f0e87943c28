/** Trains the model for agent histories, from tau-bench, API-Bank and SWE-agent; their own reuse of identifiers is the label. */

import type { AgentRun } from "../../eval/lre/agents.js";
import { AGENT_FEATURES, AgentFeatures, identifiersOf } from "../../src/lre/agent-features.js";
import { isReference } from "../../src/lre/identifiers.js";
import { reuseLabels } from "../../src/lre/labels.js";
import { fitLogistic } from "../../src/lre/logistic.js";
import type { ScorerModel } from "../../src/lre/model.js";
import { deviationOf, logitsOf, RowStore, toPart } from "../../src/lre/rows.js";

export interface AgentRows {
  readonly store: RowStore;
  readonly labels: Float32Array;
  /** Run of each row. */
  readonly runOf: Uint32Array;
}

export function collectAgents(runs: readonly AgentRun[], uses = 3): AgentRows {
  const store = new RowStore(AGENT_FEATURES.length);
  const labels: number[] = [];
  const runOf: number[] = [];
  runs.forEach((run, number) => {
    const stream = new AgentFeatures();
    const found = run.units.map(identifiersOf);
    run.units.forEach((unit, at) => {
      stream.push(unit, found[at] ?? { inAction: [], inObservation: [] });
      store.add(stream.dense, new Int32Array(0), 0);
      runOf.push(number);
    });
    const references = found.map(({ inAction, inObservation }) =>
      [...inAction, ...inObservation].filter(isReference).map(({ value }) => value),
    );
    labels.push(...reuseLabels(references, uses).labels);
  });
  return { store, labels: Float32Array.from(labels), runOf: Uint32Array.from(runOf) };
}

const L2 = 5;

/** @param learns which runs may be learned from */
export function trainAgent(rows: AgentRows, provenance: string, learns: (run: number) => boolean): ScorerModel {
  const subset = Uint32Array.from(rows.runOf.keys()).filter((row) => learns(rows.runOf[row] as number));
  const fitted = fitLogistic(rows.store.data, { labels: rows.labels, subset, l2: L2 });
  const spread = deviationOf(logitsOf(fitted, rows.store.data, subset));
  return { profile: "agent", provenance, parts: [toPart(fitted, AGENT_FEATURES, "", spread)] };
}
