/** The long-term memory as an app sees it: its graph, and the jobs that make it. */

import type { EntryKind } from "./entries.js";
import type { EntryId, Timestamp } from "./ids.js";

/** Where a job stands. "queued": journalled, and nothing done with it; "review": its text waits for a person's word; "sent": an answer
 * is waited for; "checked": the answer is there and kept, and goes into the graph now, or with the next call where that was cut off;
 * "waiting": it is tried again, see {@link WaitCause}; "committed" and "failed": it is over.
 *
 * None of them says who works on it. That is a lease: a lock that the handle holds from "queued" until the job waits or is over, and that
 * ends with its tab, so a job that no living handle holds goes on with the next call, whatever its state. */
export type JobState = "queued" | "review" | "sent" | "checked" | "waiting" | "committed" | "failed";

/** Why a job waits. "declined": the person did not let it go; "limit": it would go beyond the tokens of a day; "stopped": the call was
 * ended; these go with the next call. "failed": there was no answer, or none that could be used; "unreachable": the other side was not
 * reached; both go with the next call of the person's own, and by themselves at `notBefore`. "asked-to-wait": the other side named a
 * time (a day at most), before which nothing is sent to it, not even on a call. */
export type WaitCause = "declined" | "limit" | "stopped" | "failed" | "unreachable" | "asked-to-wait";

/** What never goes to an engine, beside what is private: it is left out before a batch is shown or sent, and so is what the long-term
 * memory has learned of it. The device still consolidates it by itself. Structured-clone safe. */
export interface Withheld {
  /** All memories of these kinds. */
  readonly kinds?: readonly EntryKind[];
  /** Memories in whose words one of these is found: a string in whatever case, a RegExp as it is written. */
  readonly pattern?: RegExp | string | readonly (RegExp | string)[];
}

/** A batch of memories on their way into the graph. Plain data, and it survives a closed tab. */
export interface ConsolidationJob {
  readonly id: string;
  readonly state: JobState;
  readonly consolidator: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Memories of the batch that are still there. */
  readonly entryIds: readonly EntryId[];
  /** How often it was sent; 1 for one that the memory did by itself. */
  readonly attempts: number;
  /** Why it waits or failed, in words. */
  readonly reason?: string;
  /** Why it waits; absent in all other states. */
  readonly cause?: WaitCause;
  readonly notBefore?: Timestamp;
  /** All texts that left the memory, scrubbed; or, where `attempts` is 0, that are to leave it. Those of memories come first, then what
   * the long-term memory knows near them. Absent where nothing leaves the memory, and once one of its memories was forgotten. */
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
