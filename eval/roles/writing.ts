/** SLM-3 on the benchmarks: whether what it writes of a turn was said, and whether it still holds what a question asks for. */

import type { Writer } from "../../src/ports.js";
import { termsOf } from "../../src/text/terms.js";
import { estimateTokens } from "../../src/text/tokens.js";
import type { ConversationId, TurnId } from "../../src/types.js";
import { ground } from "../../src/write/grounding.js";
import { GeneratingWriter, RankingWriter } from "../../src/write/slm-writer.js";
import { LiteWriter } from "../../src/write/writer.js";
import type { DatasetQuestion, DatasetTurn } from "../data/dataset.js";
import type { BenchRun, FormFigures } from "./bench.js";

export const WRITER_FORMS = ["lite", "generate", "rank"] as const;
type WriterForm = (typeof WRITER_FORMS)[number];

/** @returns nothing of a question whose answer no single turn of a person says in its words */
export async function askWriters(
  { said, as, askers }: BenchRun,
  { answer, evidence }: DatasetQuestion,
  forms: readonly WriterForm[],
): Promise<ReadonlyMap<string, FormFigures>> {
  const wanted = termsOf(answer);
  const found = new Map<string, FormFigures>();
  const at = said.turns.findIndex(({ id, role, text }) => evidence.includes(id) && role === "user" && holds(text, wanted));
  const turn = said.turns[at];
  if (!turn) return found;
  const reply = said.turns[at + 1];
  const hasReply = reply?.role === "assistant" && reply.sessionId === turn.sessionId;
  const input = { turns: [turn, ...(hasReply ? [reply] : [])].map(written), recent: [], recalled: [], timeZone: "UTC" };
  const lite = new LiteWriter();
  for (const form of forms) {
    const engine = as("writer.rank");
    if (form === "rank" && !engine.score) continue;
    const writer: Writer =
      form === "lite" ? lite : form === "rank" ? new RankingWriter(engine, lite) : new GeneratingWriter(askers.writer, lite);
    const output = await writer.write(input).catch(() => undefined);
    if (!output) {
      found.set(form, { answered: 0 });
      continue;
    }
    const { statements } = output;
    const statement = statements.find(({ turnId }) => turnId === turn.id);
    const grounded =
      statement && ground(statement, { turn: written(turn), context: [], timeZone: "UTC", isModels: form === "generate" });
    const isGrounded = grounded?.missing.length === 0;
    const shown = grounded === undefined ? "" : isGrounded ? grounded.statement.text : turn.text;
    found.set(form, {
      answered: 1,
      kept: holds(shown, wanted) ? 1 : 0,
      // Before what nobody said gives way to what was said.
      said: holds(statement?.text ?? "", wanted) ? 1 : 0,
      grounded: isGrounded || grounded === undefined ? 1 : 0,
      length: Math.min(1, estimateTokens(shown) / Math.max(1, estimateTokens(turn.text))),
    });
  }
  return found;
}

function holds(text: string, wanted: readonly string[]): boolean {
  const terms = new Set(termsOf(text));
  return wanted.length > 0 && wanted.every((term) => terms.has(term));
}

function written({ id, sessionId, role, name, text, at }: DatasetTurn) {
  return {
    id: id as TurnId,
    conversationId: sessionId as ConversationId,
    sessionId,
    role,
    ...(name !== undefined && { name }),
    text,
    at,
    recordedAt: at,
  };
}
