/** What was said in a message of a ChatGPT export: its words without pointers, markers and what ran behind the scenes. */

import type { ImportSkip } from "../types.js";
import { type Fields, fieldsOf, listOf, wordsOf } from "./conversation.js";

export interface Said {
  /** "" when nothing was said, and `skip` says why. */
  readonly text: string;
  readonly attachments: number;
  readonly skip?: ImportSkip;
}

const KINDS: Readonly<Record<string, ImportSkip>> = {
  thoughts: "reasoning",
  reasoning_recap: "reasoning",
  user_editable_context: "hidden",
  model_editable_context: "hidden",
  system_error: "system",
  code: "tool",
  execution_output: "tool",
  tether_quote: "tool",
  tether_browsing_display: "tool",
  tether_browsing_code: "tool",
  sonic_webpage: "tool",
  computer_output: "tool",
};

/** Markers that the web page draws as links and chips: U+E200 kind U+E202 data U+E201. */
const MARKER = /\ue200([^\ue200-\ue202]*)(?:\ue202([^\ue200\ue201]*))?\ue201/gu;
/** One that was cut off, and single marks. */
const STRAY = /\ue200[^\s\ue200\ue201]*|[\ue200-\ue206]/gu;
/** "【12†source】", of older exports. */
const FOOTNOTE = /【\d+(?::\d+)?†[^】]*】/gu;

/** @param message of the export, of the role user or assistant */
export function saidIn(message: Fields, role: "user" | "assistant"): Said {
  const content = fieldsOf(message.content);
  const type = typeof content.content_type === "string" ? content.content_type : "text";
  const attachments = listOf(fieldsOf(message.metadata).attachments).length;
  const skip = KINDS[type];
  if (skip !== undefined) return { text: "", attachments, skip };
  const pieces: string[] = [];
  let pointers = 0;
  for (const part of listOf(content.parts)) {
    const words = typeof part === "string" ? wordsOf(part) : spoken(fieldsOf(part));
    if (words !== undefined) pieces.push(words);
    else if (isPointer(fieldsOf(part))) pointers++;
  }
  if (pieces.length === 0) pieces.push(wordsOf(content.text) ?? "");
  const joined = pieces.join("\n");
  const text = role === "assistant" ? withoutMarkers(joined) : joined;
  const attached = Math.max(attachments, pointers);
  if (text.trim() !== "") return { text, attachments: attached };
  return { text: "", attachments: attached, skip: attached > 0 ? "attachment" : "empty" };
}

/** The words of a voice turn stand nowhere else. */
function spoken(part: Fields): string | undefined {
  return part.content_type === "audio_transcription" ? wordsOf(part.text) : undefined;
}

/** A recording beside its own words is no attachment. */
function isPointer({ content_type: type }: Fields): boolean {
  return typeof type === "string" && type.endsWith("_pointer") && !type.includes("audio");
}

export function withoutMarkers(text: string): string {
  return text
    .replaceAll(MARKER, (_, kind: string, data: string | undefined) => (kind === "entity" ? labelOf(data ?? "") : ""))
    .replaceAll(STRAY, "")
    .replaceAll(FOOTNOTE, "");
}

/** `["city","Lisbon",…]`: the kind, the words that the page shows, and more. */
function labelOf(data: string): string {
  try {
    const [kind, label] = listOf(JSON.parse(data));
    return typeof label === "string" ? label : typeof kind === "string" ? kind : "";
  } catch {
    return "";
  }
}
