/** The exam of SLM-3: exchanges of which a part must be kept. A form has to say in fewer words what lite shows verbatim, without losing
 * the part anywhere, and without a word that nobody said. */

import type { Random, SlmEngine, Statement, WriteInput, Writer } from "../ports.js";
import { StructuredAsker } from "../slm/structured/ask.js";
import { estimateTokens } from "../text/tokens.js";
import type { ConversationId, FormTrial, TurnId } from "../types.js";
import { ground } from "../write/grounding.js";
import { GeneratingWriter, RankingWriter } from "../write/slm-writer.js";
import { LiteWriter } from "../write/writer.js";
import { filler, shuffled } from "./seeded.js";
import { TELLINGS } from "./tellings.js";
import { type ItemScores, type TrialParts, tryForm } from "./trial.js";
import { decksOf } from "./words.js";

export interface WriterItem {
  readonly input: WriteInput;
  /** In lower case. */
  readonly kept: readonly string[];
}

/** A Wednesday. */
const NOW = Date.UTC(2026, 8, 16, 10);

export function writerItems(random: Random): WriterItem[] {
  const decks = decksOf(random);
  return shuffled(TELLINGS, random).map(({ said, reply, kept }, at) => {
    const fill = filler(decks);
    const turnOf = (role: "user" | "assistant", text: string) => ({
      id: `exam-${at}-${role}` as TurnId,
      conversationId: "exam" as ConversationId,
      sessionId: "exam",
      role,
      text,
      at: NOW,
      recordedAt: NOW,
    });
    return {
      // Wherever the part stands: what always takes the first sentences must not pass.
      input: {
        turns: [turnOf("user", shuffled(fill(said).split(/(?<=\.) /), random).join(" ")), turnOf("assistant", fill(reply))],
        recent: [],
        recalled: [],
        timeZone: "UTC",
      },
      kept: kept.map((one) => fill(one).toLowerCase()),
    };
  });
}

/** How a shown text does: whether the part stands in it, whether it was said, and how much shorter it is. */
export function tellingOf(statement: Statement | undefined, { input, kept }: WriterItem) {
  const [turn] = input.turns;
  if (!statement || !turn) return { isKept: false, isGrounded: true, score: 0 };
  const { statement: shown, missing } = ground(statement, { turn, context: [], timeZone: input.timeZone, isModels: true });
  // What holds more than was said is never shown: its sources are.
  const isGrounded = missing.length === 0;
  const text = isGrounded ? shown.text : turn.text;
  const isKept = kept.every((one) => text.toLowerCase().includes(one));
  const spared = Math.max(0, 1 - estimateTokens(text) / Math.max(1, estimateTokens(turn.text)));
  return { isKept, isGrounded, score: isKept ? 0.5 + 0.5 * spared : 0 };
}

async function shownBy(writer: Writer, item: WriterItem, parts: TrialParts) {
  const { statements } = await writer.write(item.input, parts);
  return tellingOf(
    statements.find(({ turnId }) => turnId === item.input.turns[0]?.id),
    item,
  );
}

/** Writes once what it writes again and again. */
function remembering(writer: Writer): Writer {
  const known = new Map<WriteInput, ReturnType<Writer["write"]>>();
  return {
    write: (input) => {
      const output = known.get(input) ?? writer.write(input);
      known.set(input, output);
      return output;
    },
  };
}

export async function tryWriter(engine: SlmEngine, random: Random, parts: TrialParts): Promise<readonly FormTrial[]> {
  const items = writerItems(random);
  const rules = remembering(new LiteWriter());
  const lite = async (item: WriterItem) => (await shownBy(rules, item, parts)).score;
  const playWith =
    (writer: Writer) =>
    async (item: WriterItem): Promise<ItemScores> => {
      const { score, isKept } = await shownBy(writer, item, parts);
      const before = await lite(item);
      return { lite: before, models: [score], loses: before > 0 && !isKept };
    };
  const trials = [
    await tryForm("generate", items, playWith(new GeneratingWriter(new StructuredAsker(engine), rules)), lite, parts),
  ];
  if (engine.score) trials.push(await tryForm("rank", items, playWith(new RankingWriter(engine, rules)), lite, parts));
  return trials;
}
