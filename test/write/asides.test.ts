/** What a person tells an assistant in passing, in the middle of a long and dense conversation. */

import { describe, expect, it } from "vitest";
import type { WriteInput } from "../../src/ports.js";
import type { ConversationId, TurnId } from "../../src/types.js";
import { LiteWriter } from "../../src/write/writer.js";

const AT = Date.parse("2026-05-08T13:56:00Z");
type NewTurn = WriteInput["turns"][number];
const said = (text: string, at: number): NewTurn => ({
  id: `t${at}` as TurnId,
  conversationId: "c" as ConversationId,
  sessionId: "s",
  role: "user",
  text,
  at: AT + at * 60_000,
  recordedAt: AT,
});

/** Much that the gate ranks high: bought, moved and paid, with names, dates and sums. */
const DENSE = Array.from({ length: 80 }, (_, n) =>
  said(`Yesterday I bought a canoe in Ghent for ${400 + n} euros and my sister Ines moved to Turin on ${(n % 27) + 1} May.`, n),
);

async function written(text: string, recalled: readonly string[] = []) {
  const last = said(text, DENSE.length);
  const { statements, refused } = await new LiteWriter().write({
    turns: [...DENSE, last],
    recent: [],
    recalled,
    timeZone: "UTC",
  });
  return { shown: statements.find(({ turnId }) => turnId === last.id)?.text ?? "", refused };
}

describe("what is told in passing", () => {
  it.each([
    ["And I've turned vegetarian. It was a film.", "turned vegetarian"],
    ["Her friends have read the old chat, so we changed the codeword. It's lighthouse now.", "lighthouse"],
    ["While we're away, Emil from downstairs feeds the cat. He gets the key on Thursday.", "Emil from downstairs feeds the cat"],
    ["Big. The new address is Keplerstraße 22, 22763 Hamburg. The bell still says Petersen.", "Keplerstraße 22"],
    ["The vet wants to see Mogli again on 9 July.", "see Mogli again"],
  ])("is kept: %j", async (text, expected) => {
    const { shown, refused } = await written(text);
    expect(shown).toContain(expected);
    // What is stored is not told as refused.
    expect(refused.filter(({ text: left }) => shown.includes(left))).toEqual([]);
  });

  it.each([
    "Thanks, that helps!",
    "It's great!",
    "Can you recommend a book on Ghent?",
    "Can you find a hotel near the Colosseum for 12 May?",
    "Do you know whether people like the opera in Vienna?",
    "What did I decide about the trip to Rome?",
  ])("is not what thanks or asks: %j", async (text) => {
    expect((await written(text)).shown).toBe("");
  });

  it("does not bring back what only repeats a recalled memory", async () => {
    const recalled = "Emil from downstairs feeds the cat while they are away.";
    const { shown } = await written(`${recalled} He gets the key on Thursday.`, [recalled]);
    expect(shown).toContain("key on Thursday");
    expect(shown).not.toContain("Emil");
  });
});
