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

async function shown(text: string): Promise<string> {
  const last = said(text, DENSE.length);
  const { statements } = await new LiteWriter().write({ turns: [...DENSE, last], recent: [], recalled: [], timeZone: "UTC" });
  return statements.find(({ turnId }) => turnId === last.id)?.text ?? "";
}

describe("what is told in passing", () => {
  it.each([
    ["And I've turned vegetarian. It was a film.", "turned vegetarian"],
    ["Her friends have read the old chat, so we changed the codeword. It's lighthouse now.", "lighthouse"],
    ["While we're away, Emil from downstairs feeds the cat. He gets the key on Thursday.", "Emil from downstairs feeds the cat"],
    ["Big. The new address is Keplerstraße 22, 22763 Hamburg. The bell still says Petersen.", "Keplerstraße 22"],
    ["The vet wants to see Mogli again on 9 July.", "see Mogli again"],
  ])("is kept: %j", async (text, expected) => {
    expect(await shown(text)).toContain(expected);
  });

  it("still leaves out small talk, questions and thanks", async () => {
    for (const text of ["Thanks, that helps!", "It's great!", "Can you recommend a book on Ghent?"])
      expect(await shown(text)).toBe("");
  });
});
