/** Decides what of a backup's graph is to be put: what is missing, and the support that is missing of what is here. Done twice it
 * changes nothing more. */

import type { BackupRow, BackupSupport } from "../backup/format.js";
import { faded, isBelowFloor, supported } from "../ltm/confidence.js";
import type { GraphWrite, Store, StoredEdge, StoredNode, SupportRow } from "../ports.js";
import { byTarget, edgeId, without } from "../store/graph-rows.js";
import type { EntryId } from "../types.js";
import { ConsolidationJobs } from "./consolidation-jobs.js";

/** Memories that support a node. */
const ALL = 100_000;

export interface RestoredGraphParts {
  readonly store: Store;
  /** Whether an entry is stored here in the words that it has in the backup: what was learned of other words goes with them. */
  readonly isHere: (id: EntryId) => boolean;
}

/** A node or an edge without what entries gave to it that are not here. */
interface Given<Row> {
  readonly of: string;
  readonly row: Row;
  readonly support: readonly SupportRow[];
}

export class RestoredGraph {
  readonly #parts: RestoredGraphParts;
  readonly #jobs: ConsolidationJobs;

  constructor(parts: RestoredGraphParts) {
    this.#parts = parts;
    this.#jobs = new ConsolidationJobs(parts.store);
  }

  /** @returns undefined where all of it is here already */
  async decide(rows: readonly BackupRow[]): Promise<GraphWrite | undefined> {
    const { cycle } = await this.#jobs.row();
    const sure = ({ confidence, ...row }: StoredNode | StoredEdge): number =>
      "cycle" in row ? faded(confidence, cycle - row.cycle) : confidence;
    const nodes = latest(
      rows.flatMap((row) =>
        "node" in row ? [this.#given(row.node.id, { ...row.node, cycle: cycle - row.idle }, row.support)] : [],
      ),
    ).filter(({ row }) => !isBelowFloor(sure(row)));
    const edges = latest(rows.flatMap((row) => ("edge" in row ? [this.#given(edgeId(row.edge), row.edge, row.support)] : [])));
    const [nodeIds, edgeIds] = [nodes.map(({ of }) => of), edges.map(({ of }) => of)];
    const stored = await this.#parts.store.graph({
      nodes: [...nodeIds, ...edges.flatMap(({ row }) => [row.from, row.to])],
      edges: edgeIds,
      supportOf: [...nodeIds, ...edgeIds],
      limit: ALL,
    });
    const support = byTarget(stored.support);
    const knownNodes = new Map(stored.nodes.map((node) => [node.id, node]));
    const knownEdges = new Map(stored.edges.map((edge) => [edgeId(edge), edge]));
    const putNodes = nodes.flatMap((given) => joined(given, knownNodes.get(given.of), support.get(given.of) ?? [], sure));
    const ends = new Set([...knownNodes.keys(), ...putNodes.map(({ of }) => of)]);
    const putEdges = edges
      .filter(({ row }) => ends.has(row.from) && ends.has(row.to))
      .flatMap((given) => joined(given, knownEdges.get(given.of), support.get(given.of) ?? [], sure));
    if (putNodes.length + putEdges.length === 0) return undefined;
    return {
      nodes: putNodes.map(({ row }) => row),
      edges: putEdges.map(({ row }) => row),
      support: [...putNodes, ...putEdges].flatMap((put) => put.support),
    };
  }

  #given<Row extends StoredNode | StoredEdge>(of: string, row: Row, told: readonly BackupSupport[]): Given<Row> {
    const { isHere } = this.#parts;
    const all = told.map((one) => ({ of, ...one }));
    const lost = all.filter(({ entryId }) => !isHere(entryId));
    return { of, row: without(row, lost), support: all.filter(({ entryId }) => isHere(entryId)) };
  }
}

/** Of two rows of one thing the later is as it was last. */
function latest<Row>(given: readonly Given<Row>[]): Given<Row>[] {
  return [...new Map(given.map((one) => [one.of, one])).values()];
}

/** What rests on nothing that is here does not come, unless it came from elsewhere there too. Support that is missing raises what is
 * here, as consolidating those entries here would have; of two that came from elsewhere the surer one holds.
 * @param held what supports it here
 * @param sure how sure a row is of it now
 * @returns nothing where all of it is here */
function joined<Row extends StoredNode | StoredEdge>(
  { of, row, support }: Given<Row>,
  known: Row | undefined,
  held: readonly SupportRow[],
  sure: (row: Row) => number,
): readonly Given<Row>[] {
  if (!known) return support.length > 0 || row.isImported ? [{ of, row, support }] : [];
  const ids = new Set(held.map(({ entryId }) => entryId));
  const missing = support.filter(({ entryId }) => !ids.has(entryId));
  const raised = missing.length > 0 ? raisedBy(missing, known, row) : known;
  const isSurer = known.isImported && row.isImported && sure(row) > sure(raised);
  const { confidence } = row;
  const best = isSurer ? { ...raised, confidence, ...("cycle" in row && { cycle: row.cycle }) } : raised;
  return best === known ? [] : [{ of, row: best, support: missing }];
}

/** What has faded stays so, on both sides: what is missing comes on top of what is left. */
function raisedBy<Row extends StoredNode | StoredEdge>(missing: readonly SupportRow[], known: Row, row: Row): Row {
  const weights = missing.map(({ weight }) => weight);
  if (!("cycle" in known && "cycle" in row)) return { ...known, confidence: supported(known.confidence, weights) };
  const cycle = Math.max(known.cycle, row.cycle);
  const left = (confidence: number, since: number) => faded(confidence, cycle - since);
  return {
    ...known,
    terms: [...new Set([...known.terms, ...row.terms])],
    cycle,
    confidence: supported(
      left(known.confidence, known.cycle),
      weights.map((weight) => left(weight, row.cycle)),
    ),
  };
}
