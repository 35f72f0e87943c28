/** What the readers of all formats make of an export: conversations of messages, and a tally of what is none. */

import type { ImportFormat, ImportSkip, Role, Timestamp } from "../types.js";

export interface ImportedMessage {
  /** As the export names it; whoever records it puts format and conversation before it. */
  readonly id?: string;
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  readonly at?: Timestamp;
}

/** A conversation or a piece of one: a long one comes in several, in order. */
export interface ImportedConversation {
  readonly format: ImportFormat;
  /** Unique inside its format. */
  readonly id: string;
  /** Names the session of all its messages; by default a gap in time starts a new one. */
  readonly sessionId?: string;
  readonly messages: readonly ImportedMessage[];
}

/** Counts what is not recorded. */
export interface Tally {
  skip(reason: ImportSkip, count?: number): void;
  attach(count: number): void;
  /** A conversation in which nothing was said. */
  emptyConversation(): void;
  damage(where: string, reason: string): void;
}

/** One value of an export file. */
export interface ExportPart {
  /** Keys of the containers around it; "#" stands for a place in an array. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** What was read so far of the objects around it, outermost first. */
  readonly around: readonly Fields[];
  /** Number of the value in the file that it is part of: JSON lines have many, JSON one. */
  readonly document: number;
  /** Of an object that was gone into: the members that were no parts of their own. */
  readonly isRest?: true;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  readonly tally: Tally;
  /** IANA name, for times that name no zone. */
  readonly timeZone: string;
}

export interface ChatFormat {
  readonly format: ImportFormat;
  recognises(part: ExportPart): boolean;
  /** Called for parts that are recognised, in the order of the file. */
  read(part: ExportPart, options: ReadOptions): Iterable<ImportedConversation>;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string that is not blank, as it is. */
export function wordsOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** An id as a string; numbers are ids too. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
