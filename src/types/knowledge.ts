/** The long-term memory as an app sees it: its graph, and the jobs that make it. */

import type { EntryId, Timestamp } from "./ids.js";

/** Where a job stands. "waiting": it is tried again at `notBefore`, or at the next call; "review": its text waits for a person's word. */
export type JobState = "queued" | "review" | "sent" | "checked" | "waiting" | "committed" | "failed";

/** A batch of memories on their way into the graph. Plain data, and it survives a closed tab. */
export interface ConsolidationJob {
  readonly id: string;
  readonly state: JobState;
  readonly consolidator: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Memories of the batch that are still there. */
  readonly entryIds: readonly EntryId[];
  readonly attempts: number;
  /** Why it waits or failed, in words. */
  readonly reason?: string;
  readonly notBefore?: Timestamp;
  /** What was sent or is to be, scrubbed; absent where nothing leaves the memory, and once one of its memories was forgotten. */
  readonly outbound?: readonly string[];
  /** What came back of it, an operation a line in JSON, as it came: the first 200, and no more than 400 characters of each. Absent
   * like `outbound`. */
  readonly returned?: readonly string[];
  /** Operations that were done, and refused by reason. */
  readonly done?: number;
  readonly refused?: Readonly<Record<string, number>>;
}

/** What a call of `consolidate` did. */
export interface Consolidation {
  readonly batches: number;
  /** Memories that were consolidated. */
  readonly entries: number;
  readonly operations: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Nodes and edges of the graph now. */
  readonly nodes: number;
  readonly edges: number;
  /** Memories that still wait. */
  readonly left: number;
}

/** A node as it is shown. */
export interface KnowledgeNode {
  readonly id: string;
  readonly type: "Entity" | "Concept";
  readonly name: string;
  /** Absent for one that others support and say in different words. */
  readonly statement?: string;
  /** 0 to 1, faded by the batches that did not support it. */
  readonly confidence: number;
  /** "own": of this person, never shared. "common": others support it, this user does not. */
  readonly scope: "own" | "general" | "common";
  /** Memories of this user that support it, at most 64 of them. */
  readonly entryIds: readonly EntryId[];
}

export interface KnowledgeEdge {
  readonly from: string;
  readonly to: string;
  readonly type: "IsA" | "HasProperty" | "RelatedTo" | "Implies";
  readonly confidence: number;
}

/** A page of the graph, or what is around a node. */
export interface KnowledgePart {
  readonly nodes: readonly KnowledgeNode[];
  readonly edges: readonly KnowledgeEdge[];
  /** For the next page. */
  readonly next?: string;
}

/** General knowledge for other devices: `JSON.stringify` makes a file of it. Version 1. Nothing in it tells whose it was. */
export interface KnowledgeFile {
  readonly format: "keepsake-knowledge";
  readonly version: 1;
  /** A statement is there where two users say it in the same words; confidence is 0 to 1. */
  readonly nodes: readonly {
    readonly id: string;
    readonly type: "Entity" | "Concept";
    readonly name: string;
    readonly statement?: string;
    readonly confidence: number;
  }[];
  /** Between nodes of this file. */
  readonly edges: readonly KnowledgeEdge[];
}

/** What came of an import: new or surer than before. */
export interface ImportedKnowledge {
  readonly nodes: number;
  readonly edges: number;
  /** What was left out, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}
