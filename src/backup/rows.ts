/** Lines of a backup as rows, with the shape that they must have: a file comes from anywhere. */

import type { EdgeType, NodeType, StoredEdge, StoredNode } from "../ports.js";
import type { Turn, Usage } from "../types.js";
import type { BackupEdge, BackupMemory, BackupNode, BackupRemoved, BackupRow, BackupSupport } from "./format.js";
import {
  type Is,
  isCount,
  isEntry,
  isId,
  isRecord,
  isRole,
  isText,
  isTime,
  isTrue,
  listOf,
  oneOf,
  shapeOf,
  within,
} from "./shapes.js";
import { fromJson } from "./values.js";

/** Deeper than any row of ours: what reads rows goes down with them. */
const MAX_DEPTH = 64;
const MAX_NUMBER = 1e15;

const isMemory = shapeOf<BackupMemory>(
  { name: isText, userId: isText, entries: isCount, turns: isCount, writtenAt: isTime },
  { nodes: isCount, edges: isCount },
);
const isTurn = shapeOf<Turn>(
  {
    id: isId,
    conversationId: isId,
    sessionId: isId,
    sequence: isCount,
    role: isRole,
    text: isText,
    at: isTime,
    recordedAt: isTime,
  },
  { name: isText, private: isTrue },
);
const isUsage = shapeOf<Usage>({ accessCount: within(0, MAX_NUMBER), lastAccessedAt: isTime }, {});

/** An edge's id is of its ends, with spaces between. */
const isNodeId: Is = (value) => isId(value) && !(value as string).includes(" ");
const isConfidence = within(0, 1);
const isNode = shapeOf<BackupNode["node"]>(
  {
    id: isNodeId,
    type: oneOf<NodeType>("Entity", "Concept"),
    name: isText,
    statement: isText,
    confidence: isConfidence,
    scope: oneOf<StoredNode["scope"]>("own", "general"),
    terms: listOf(isText),
    createdAt: isTime,
  },
  { isImported: isTrue },
);
const isEdge = shapeOf<StoredEdge>(
  {
    from: isNodeId,
    to: isNodeId,
    type: oneOf<EdgeType>("IsA", "HasProperty", "RelatedTo", "Implies"),
    confidence: isConfidence,
  },
  { isImported: isTrue },
);
const isSupport = listOf(shapeOf<BackupSupport>({ entryId: isId, weight: (value) => within(0, 1)(value) && value !== 1 }, {}));
const isNodeRow = shapeOf<BackupNode>({ node: isNode, idle: within(0, MAX_NUMBER), support: isSupport }, {});
const isEdgeRow = shapeOf<BackupEdge>({ edge: (edge) => isEdge(edge) && edge.from !== edge.to, support: isSupport }, {});
const isRemoved = shapeOf<BackupRemoved>({ entries: listOf(isId), turns: listOf(isId) }, {});

type Line = Readonly<Record<string, unknown>>;

/** What a line of each kind becomes, by the key that it is known by; or what is wrong with it. */
const READERS: Readonly<Record<string, (line: Line) => BackupRow | string>> = {
  memory: ({ memory }) => (isMemory(memory) ? { memory } : "the row of the memory is not of the shape that it has"),
  turn: ({ turn }) => (isTurn(turn) ? { turn } : "a turn of it is not of the shape that turns have"),
  entry: ({ entry, usage }) => {
    if (!isEntry(entry) || (usage !== undefined && !isUsage(usage)))
      return "an entry of it is not of the shape that entries have";
    return { entry, ...(usage && { usage }) };
  },
  node: ({ node, idle, support }) => {
    const row = { node, idle, support };
    return isNodeRow(row) ? row : "a node of it is not of the shape that nodes have";
  },
  edge: ({ edge, support }) => {
    const row = { edge, support };
    return isEdgeRow(row) ? row : "an edge of it is not of the shape that edges have";
  },
  meta: ({ meta, value }) => {
    if (!isId(meta)) return "a row of it has no key";
    try {
      return { meta: meta as string, value: fromJson(value) };
    } catch {
      return `the value of "${String(meta)}" cannot be read`;
    }
  },
  removed: ({ removed }) => (isRemoved(removed) ? { removed } : "a list of what was removed is none"),
};

/** @returns the rows, or what is wrong with one of them. A row of an unknown kind is of a later version and left out. */
export function rowsOf(lines: readonly unknown[]): readonly BackupRow[] | string {
  const rows: BackupRow[] = [];
  for (const line of lines) {
    if (!isRecord(line)) return "a row of it is no object";
    if (isDeeper(line, MAX_DEPTH)) return "a row of it is nested too deeply";
    // A line is of one kind: what else stands in it is not looked at by anybody.
    const row = readerOf(line)?.(line);
    if (typeof row === "string") return row;
    if (row) rows.push(row);
  }
  return rows;
}

/** Whether a row is one that comes back out of the backup that it is written into; what lies in a database may be anything too. */
export function isSound(row: BackupRow): boolean {
  return "meta" in row || typeof readerOf(row)?.(row as Line) === "object";
}

function readerOf(line: object): ((line: Line) => BackupRow | string) | undefined {
  return Object.entries(READERS).find(([key]) => Object.hasOwn(line, key))?.[1];
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return than === 0 || Object.values(value).some((one) => isDeeper(one, than - 1));
}
