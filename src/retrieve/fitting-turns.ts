/** The last turns as a model with a small context gets them: the load-bearing ones of those that do not all fit. */

import { ContextWindow } from "../lre/context-window.js";
import type { Unit } from "../lre/unit.js";
import type { EngineMessage, RecentTurn } from "../ports.js";
import { estimateTokens } from "../text/tokens.js";

/** Turns that the model sees, and those of them that are always shown. */
const RECENT = 6;
const LAST = 2;
/** What the prompt takes of a turn beside its text. */
const PER_TURN = 8;

/** @param messagesOf the prompt with some turns
 * @param room estimated tokens that the prompt may have
 * @returns the prompt with the last turns, or with the load-bearing ones of them */
export function fittingTurns(
  recent: readonly RecentTurn[],
  messagesOf: (turns: readonly { readonly speaker: string; readonly text: string }[]) => EngineMessage[],
  room: number,
): EngineMessage[] {
  const shown = (turns: readonly RecentTurn[]) =>
    messagesOf(turns.map(({ role, name, text }) => ({ speaker: name ?? role, text })));
  const last = recent.slice(-RECENT);
  const whole = shown(last);
  if (tokensOf(whole) <= room) return whole;
  return shown(loadBearing(last, Math.max(0, room - tokensOf(messagesOf([])))));
}

function tokensOf(messages: readonly EngineMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

/** The turns that matter most, in their order. */
function loadBearing(recent: readonly RecentTurn[], budgetTokens: number): RecentTurn[] {
  const window = new ContextWindow<Unit & { readonly turn: RecentTurn }>({
    budgetTokens,
    recent: LAST,
    recentInside: true,
    ledgerShare: 0,
  });
  for (const [at, turn] of recent.entries()) {
    const { role, name, text } = turn;
    const tokens = estimateTokens(text.slice(0, 300)) + PER_TURN;
    window.push({ id: String(at), role, speaker: name ?? role, text, tokens, pinned: false, turn });
  }
  return window.select().kept.map(({ unit }) => unit.turn);
}
