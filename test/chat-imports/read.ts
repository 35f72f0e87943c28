/** Reads an export to its end, for tests of the readers. */

import type { ImportedConversation } from "../../src/imports/conversation.js";
import { readExport } from "../../src/imports/read-export.js";
import type { ImportFormat, ImportSource } from "../../src/types.js";

export interface Read {
  readonly conversations: readonly ImportedConversation[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly attachments: number;
  readonly empty: number;
  readonly damages: readonly string[];
  readonly bytes: readonly (readonly [done: number, total: number])[];
}

export async function read(source: ImportSource, format?: ImportFormat, timeZone = "Europe/Berlin"): Promise<Read> {
  const skipped: Record<string, number> = {};
  const damages: string[] = [];
  const bytes: [number, number][] = [];
  const conversations: ImportedConversation[] = [];
  let attachments = 0;
  let empty = 0;
  const tally = {
    skip: (reason: string, count = 1) => {
      if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
    },
    attach: (count: number) => {
      attachments += count;
    },
    emptyConversation: () => {
      empty++;
    },
    damage: (where: string, reason: string) => damages.push(`${where}: ${reason}`),
  };
  for await (const found of readExport(source, { tally, timeZone, format, onBytes: (...told) => bytes.push(told) }))
    conversations.push(found);
  return { conversations, skipped, attachments, empty, damages, bytes };
}

export function blobOf(value: unknown): Blob {
  return new Blob([typeof value === "string" ? value : JSON.stringify(value)]);
}

export const textsOf = ({ conversations }: Read): string[] =>
  conversations.flatMap(({ messages }) => messages.map(({ text }) => text));

export const messagesOf = ({ conversations }: Read) => conversations.flatMap(({ messages }) => messages);

/** A node of a ChatGPT export. */
export function node(
  id: string,
  parent: string | null,
  text: string | null,
  more: { readonly role?: string; readonly at?: number | null; readonly message?: object; readonly content?: object } = {},
): readonly [string, object] {
  const { role = "user", at = null, message, content = { content_type: "text", parts: [text] } } = more;
  const said = { id, author: { role }, create_time: at, content, recipient: "all", ...message };
  return [id, { id, parent, message: text === null && !more.content ? null : said }];
}

export function chatGptConversation(nodes: readonly (readonly [string, object])[], more: object = {}): object {
  return { title: "T", create_time: 1_750_000_000, mapping: Object.fromEntries(nodes), id: "c1", conversation_id: "c1", ...more };
}
