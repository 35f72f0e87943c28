/** The off-line role: fragments to operations on the concept graph. */

import type { EntryKind } from "../types.js";
import type { CallOptions } from "./platform.js";

/** Off line: fragments to operations on the concept graph. */
export interface Consolidator {
  readonly id: string;
  consolidate(batch: ConsolidationBatch, options?: CallOptions): Promise<readonly GraphOperation[]>;
}

export interface ConsolidationBatch {
  /** Scrubbed texts; `fragment` is a number inside the batch. */
  readonly fragments: readonly { readonly fragment: number; readonly text: string; readonly kind: EntryKind }[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
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
  | { readonly type: "addNode"; readonly node: Omit<GraphNode, "confidence">; readonly support: readonly number[] }
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
