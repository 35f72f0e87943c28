/** Error injection: half of what the writer says is another turn's, with and without the grounding that finds it out. */

import type { Statement } from "../../src/ports.js";
import type { ConversationId, Entry, EntryId, TurnId } from "../../src/types.js";
import { ground } from "../../src/write/grounding.js";
import { LiteWriter } from "../../src/write/writer.js";
import type { DatasetMemory, DatasetTurn } from "../data/dataset.js";
import type { OpenedEmbedder } from "../embedders.js";
import { loadKernelFile } from "../kernel-file.js";
import { runMethod } from "../methods.js";
import { rankMetrics, seededRandom } from "../metrics.js";
import { joinTurns, prepareEntries } from "../turn-memory.js";

/** Of the statements, those that say something else than their turn. */
const NOISE = 0.5;
/** Turns that the grounding may look back at. */
const CONTEXT = 12;

/** How a memory is written: `source` searches what was said, as Keepsake does; `written` searches the writer's own words, as memory
 * layers without a source do. */
export const NOISE_FORMS = ["clean", "source", "source.ungrounded", "written", "written.ungrounded"] as const;
export type NoiseForm = (typeof NOISE_FORMS)[number];

type NewTurn = Parameters<LiteWriter["write"]>[0]["turns"][number];

const newTurn = (turn: DatasetTurn): NewTurn => ({
  id: turn.id as TurnId,
  conversationId: "noise" as ConversationId,
  sessionId: turn.sessionId,
  role: turn.role,
  ...(turn.name !== undefined && { name: turn.name }),
  text: turn.text,
  at: turn.at,
  recordedAt: turn.at,
});

/** The statements with every second one, by chance, saying what another one of them says: its words, times, kind and subject. */
function disturb(statements: readonly Statement[], random: () => number): Statement[] {
  return statements.map((statement) => {
    const errs = random() < NOISE;
    const other = statements[Math.floor(random() * statements.length)];
    if (!errs || !other) return statement;
    const { eventTime: _, mentions: __, ...own } = statement;
    const { text, kind, subject, eventTime, mentions } = other;
    return { ...own, text, kind, subject, ...(eventTime && { eventTime }), ...(mentions && { mentions }) };
  });
}

function entryOf({ turnId: _, ...statement }: Statement, turn: NewTurn, at: number): Entry {
  return {
    ...statement,
    id: String(at).padStart(8, "0") as EntryId,
    conversationId: turn.conversationId,
    sessionId: turn.sessionId,
    revision: 1,
    createdAt: turn.at,
    validFrom: turn.at,
    evidence: 1,
  };
}

/** @returns evidence recall at 10 of each question, by form */
export async function noiseRecalls(
  data: DatasetMemory,
  { embedder, wordVectors }: OpenedEmbedder,
  seed: number,
): Promise<Record<NoiseForm, number[]>> {
  const turns = data.turns.map(newTurn);
  const byId = new Map(turns.map((turn, at) => [turn.id, { turn, at }]));
  const { statements } = await new LiteWriter().write({ turns, recent: [], recalled: [], timeZone: "UTC" });
  const noisy = disturb(statements, seededRandom(seed));
  const kernel = await loadKernelFile();
  const found = {} as Record<NoiseForm, number[]>;
  for (const form of NOISE_FORMS) {
    const entries = (form === "clean" ? statements : noisy).flatMap((statement, index): Entry[] => {
      const place = byId.get(statement.turnId);
      if (!place) return [];
      const { turn, at } = place;
      const isVerbatim = statement === statements[index];
      const context = turns.slice(Math.max(0, at - CONTEXT), at).filter(({ sessionId }) => sessionId === turn.sessionId);
      const grounded =
        form === "source" || form === "written" ? ground(statement, { turn, context, timeZone: "UTC" }) : undefined;
      const kept = grounded?.statement ?? statement;
      const isWritten = form.startsWith("written") && !isVerbatim && (grounded === undefined || grounded.missing.length === 0);
      return [entryOf(isWritten ? { ...kept, indexText: kept.text } : kept, turn, index)];
    });
    const memory = joinTurns(await prepareEntries(entries, embedder), { embedder, wordVectors, ...(kernel ? { kernel } : {}) });
    found[form] = [];
    for (const question of data.questions) {
      if (question.adversarial) continue;
      const { entries: recalled } = await runMethod("lite", { memory, embedder }, question, false);
      const ranked = recalled.map(({ sources }) => [...new Set(sources.map(({ turnId }) => turnId as string))]);
      found[form].push(rankMetrics(ranked, question.evidence)["recall@10"]);
    }
    memory.close();
  }
  return found;
}
