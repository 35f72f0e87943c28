/** What must hold of the graph in a store: it rests on what was consolidated, on all of it, and on nothing twice. */

import type { Entry } from "../../src/types.js";
import type { CheckOptions, Violation } from "./invariants.js";
import type { Ledger } from "./ledger.js";
import type { GraphSnapshot, Snapshot } from "./snapshot.js";

/** Confidence goes up and down by products. With a hundred supports one less their doubt is no exact number any more. */
const ROUNDING = 1e-6;

const inconsistent = (what: string): Violation => ({ kind: "inconsistent", what });
const doubled = (what: string): Violation => ({ kind: "doubled", what });
const lost = (what: string): Violation => ({ kind: "lost", what });

/** @param options `evicts`: an entry may have gone and come back with a backup, and waits then to be consolidated anew */
export function graphViolations({ entries, graph }: Snapshot, ledger: Ledger, options: CheckOptions = {}): Violation[] {
  const byId = new Map<string, Entry>(entries.map((entry) => [entry.id, entry]));
  return [
    ...countViolations(graph),
    ...endViolations(graph),
    ...confidenceViolations(graph),
    ...supportViolations(graph, byId),
    ...resultViolations(graph, entries, options),
    ...jobViolations(graph, byId, options),
    ...(options.evicts ? [] : consumedViolations(byId, ledger)),
  ];
}

const edgeId = ({ from, type, to }: GraphSnapshot["edges"][number]): string => `${from} ${type} ${to}`;

function countViolations({ counts, nodes, edges }: GraphSnapshot): Violation[] {
  if (counts.nodes === nodes.length && counts.edges === edges.length) return [];
  const listed = `${nodes.length} nodes and ${edges.length} edges are listed`;
  return [inconsistent(`${listed}, ${counts.nodes} and ${counts.edges} counted`)];
}

function endViolations({ nodes, edges }: GraphSnapshot): Violation[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return edges
    .filter(({ from, to }) => !ids.has(from) || !ids.has(to))
    .map((edge) => inconsistent(`the edge ${edgeId(edge)} has an end that is not there`));
}

/** A node fades where nothing supports it, and is contradicted: it is no surer than its support says. An edge is as sure. */
function confidenceViolations({ nodes, edges, support }: GraphSnapshot): Violation[] {
  const doubts = new Map<string, number>();
  for (const { of, weight } of support) doubts.set(of, (doubts.get(of) ?? 1) * (1 - weight));
  const known = [
    ...nodes.map((node) => ({ ...node, what: `the node "${node.name}"`, mayFade: true })),
    ...edges.map((edge) => ({ ...edge, id: edgeId(edge), what: `the edge ${edgeId(edge)}`, mayFade: false })),
  ];
  return known.flatMap(({ id, what, confidence, isImported, mayFade }) => {
    const said = 1 - (doubts.get(id) ?? 1);
    if (!isImported && !doubts.has(id)) return [inconsistent(`${what} rests on nothing`)];
    const isTooSure = !isImported && confidence > said + ROUNDING;
    const isUnsure = !mayFade && confidence < said - ROUNDING;
    return isTooSure || isUnsure ? [inconsistent(`${what} is ${confidence} sure, what it rests on says ${said}`)] : [];
  });
}

function supportViolations({ nodes, edges, support }: GraphSnapshot, entries: ReadonlyMap<string, Entry>): Violation[] {
  const there = new Set([...nodes.map(({ id }) => id), ...edges.map(edgeId)]);
  return support.flatMap(({ of, entryId }) => {
    const entry = entries.get(entryId);
    if (!there.has(of)) return [inconsistent(`${entryId} supports ${of}, which is not there`)];
    if (!entry) return [inconsistent(`${of} rests on ${entryId}, which is gone`)];
    return entry.consolidatedAt === undefined ? [inconsistent(`${of} rests on ${entryId}, which was not consolidated`)] : [];
  });
}

/** What an engine consumed without its result is consumed for nothing. */
function resultViolations({ support }: GraphSnapshot, entries: readonly Entry[], { isTaught }: CheckOptions): Violation[] {
  if (!isTaught) return [];
  const supporting = new Set<string>(support.map(({ entryId }) => entryId));
  return entries
    .filter((entry) => entry.consolidatedByEngineAt !== undefined && isTaught(entry) && !supporting.has(entry.id))
    .map(({ id }) => lost(`what ${id} taught an engine`));
}

function jobViolations({ jobs }: GraphSnapshot, entries: ReadonlyMap<string, Entry>, { evicts }: CheckOptions): Violation[] {
  const found: Violation[] = [];
  const until = new Map<string, number>();
  for (const job of jobs.toSorted((one, other) => one.createdAt - other.createdAt)) {
    if (job.state === "failed") continue;
    const isDone = job.state === "committed";
    for (const id of job.entryIds) {
      const taken = `${job.consolidator}\n${id}`;
      // One that was used or corrected since may have its turn again, after the first was done.
      if (job.createdAt < (until.get(taken) ?? 0)) found.push(doubled(`${id} is consolidated by two batches at once`));
      until.set(taken, isDone ? job.updatedAt : Number.POSITIVE_INFINITY);
      const entry = entries.get(id);
      if (!evicts && isDone && entry && isWaiting(entry))
        found.push(inconsistent(`the batch ${job.id} is done, and ${id} was not consolidated`));
    }
  }
  return found;
}

function consumedViolations(entries: ReadonlyMap<string, Entry>, { consolidated }: Ledger): Violation[] {
  return [...consolidated]
    .flatMap((id) => entries.get(id) ?? [])
    .filter(isWaiting)
    .map(({ id }) => lost(`that ${id} was consolidated`));
}

/** In the words that it always had: others are consolidated anew. */
function isWaiting({ consolidatedAt, changes = [] }: Entry): boolean {
  return consolidatedAt === undefined && changes.length === 0;
}
