/** The off-line role: fragments to operations on the concept graph. */

import type { EntryId, EntryKind, Timestamp } from "../types.js";
import type { CallOptions } from "./platform.js";

/** Off line: fragments to operations on the concept graph. */
export interface Consolidator {
  readonly id: string;
  /** "device" sees what was said as it was said, and may add nodes of the person's own. To any other, text leaves the memory: only
   * scrubbed, and only after the person has opted in. */
  readonly place: "device" | "engine";
  /** Makes its operations of the fragments alone, so that the part of the graph around them is not read for it. */
  readonly isBlind?: true;
  consolidate(batch: ConsolidationBatch, options?: ConsolidateCall): Promise<readonly GraphOperation[]>;
}

export interface ConsolidateCall extends CallOptions {
  /** Lets a recall have the thread: for a consolidator that works in it. */
  readonly pause?: () => Promise<void>;
  /** Told what each call of a model took, also of one whose answer was of no use: it counts against `maxTokensPerDay`. What a
   * consolidator does not tell is estimated, as of one call. */
  readonly onUsage?: (usage: TokenUsage) => void;
}

/** What a call of a model took, as its engine counts, or as it is estimated. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface ConsolidationBatch {
  readonly fragments: readonly Fragment[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface Fragment {
  /** A number inside the batch. */
  readonly fragment: number;
  /** Scrubbed where it is to leave the device. */
  readonly text: string;
  readonly kind: EntryKind;
  /** Who it is about; only for a consolidator that stays on the device. */
  readonly subject?: string;
}

export type NodeType = "Entity" | "Concept";
export type EdgeType = "IsA" | "HasProperty" | "RelatedTo" | "Implies";

export interface GraphNode {
  readonly id: string;
  readonly type: NodeType;
  readonly name: string;
  readonly statement: string;
  readonly confidence: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly confidence: number;
}

export type GraphOperation =
  | {
      readonly type: "addNode";
      /** Its id holds inside the batch only: what has the same name and type becomes the same node. A scope, and stems to find it by,
       * are for those who stay on the device. */
      readonly node: Omit<GraphNode, "confidence"> & { readonly scope?: StoredNode["scope"]; readonly terms?: readonly string[] };
      readonly support: readonly number[];
    }
  | {
      readonly type: "addEdge";
      readonly from: string;
      readonly to: string;
      readonly edge: EdgeType;
      readonly support: readonly number[];
    }
  | { readonly type: "merge"; readonly from: string; readonly into: string }
  | { readonly type: "update"; readonly id: string; readonly statement: string; readonly support: readonly number[] }
  | { readonly type: "discard"; readonly fragment: number; readonly reason: string };

/** A node as it lies in the partition of a user who supports it. */
export interface StoredNode extends GraphNode {
  /** "own" speaks of the person or of people they know: it never leaves their partition. "general" says nothing of anybody. */
  readonly scope: "own" | "general";
  /** Stems that it is found by. */
  readonly terms: readonly string[];
  readonly createdAt: Timestamp;
  /** Number of the batch in which something supported it last; its confidence fades from there on. */
  readonly cycle: number;
  /** Came from another device: it stays without support here, and does not count as this user's word. */
  readonly isImported?: true;
}

/** An edge as stored; its id is {@link GraphEdge.from}, type and {@link GraphEdge.to}, with spaces between. */
export interface StoredEdge extends GraphEdge {
  readonly isImported?: true;
}

/** What an entry gives to a node or an edge; it goes with the entry, and with the words that it was derived from. */
export interface SupportRow {
  /** Id of the node or of the edge. */
  readonly of: string;
  readonly entryId: EntryId;
  /** 0 to 1, less than 1: confidence c became 1 − (1 − c)(1 − weight). */
  readonly weight: number;
}

/** The graph's part of a write, in the same transaction as the entries that it rests on. What loses its last support goes, with
 * its edges, unless it was imported; what loses a part of it loses that part of its confidence. */
export interface GraphWrite {
  readonly nodes?: readonly StoredNode[];
  /** Both ends must be stored or put here; an edge without them is left out. */
  readonly edges?: readonly StoredEdge[];
  /** Rows of entries that are not there are left out. */
  readonly support?: readonly SupportRow[];
  /** With their edges and all support of both. */
  readonly removeNodes?: readonly string[];
  readonly removeEdges?: readonly string[];
}

/** What to read of the graph, all in one transaction. */
export interface GraphRead {
  readonly nodes?: readonly string[];
  /** Nodes by their stems, at most `limit` for each. */
  readonly terms?: readonly string[];
  /** Nodes by id, a page of them. */
  readonly list?: { readonly after?: string; readonly limit?: number };
  /** By id. */
  readonly edges?: readonly string[];
  /** Edges from and to these nodes, at most `limit` for each node and direction. */
  readonly edgesOf?: readonly string[];
  /** Support of these nodes and edges, at most `limit` for each. */
  readonly supportOf?: readonly string[];
  readonly supportBy?: readonly EntryId[];
  /** General nodes that at least `minUsers` users of the database support, a page by id: the one read that looks beyond this user. */
  readonly common?: {
    readonly minUsers: number;
    readonly after?: string;
    readonly limit?: number;
    /** With the edges from these nodes that as many users have themselves; they come among the edges. */
    readonly withEdges?: true;
  };
  readonly counts?: true;
  /** 64 by default. */
  readonly limit?: number;
}

/** A node that several users support, without a trace of who. Its statement is there where two of them say the same. */
export type CommonNode = Omit<GraphNode, "statement"> & { readonly statement?: string; readonly users: number };

export interface GraphPart {
  readonly nodes: readonly StoredNode[];
  readonly edges: readonly StoredEdge[];
  readonly support: readonly SupportRow[];
  readonly common: readonly CommonNode[];
  readonly counts?: { readonly nodes: number; readonly edges: number };
}
