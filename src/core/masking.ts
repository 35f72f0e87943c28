/** Turns as they are read and indexed: without their secrets, which stay in the conversation's own log alone. */

import type { Written } from "../types.js";
import { findSecrets, withoutSecrets } from "../write/secrets.js";
import type { NewTurn } from "./turn-rows.js";

/** Turns before whose secrets a reply may repeat. */
const SECRETS_BEFORE = 12;
/** Characters of a turn that a secret was left out of, as they are told. */
const MAX_TOLD = 200;

/** The turns of an open conversation come again with every record. */
const secrets = new WeakMap<NewTurn, readonly string[]>();

function secretsOf(turn: NewTurn): readonly string[] {
  let found = secrets.get(turn);
  if (!found) secrets.set(turn, (found = findSecrets(turn.text)));
  return found;
}

export interface Masked {
  /** The new turns, as they are read. */
  readonly turns: readonly NewTurn[];
  /** Those before them, as they are read. */
  readonly before: readonly NewTurn[];
  readonly refused: Written["refused"];
}

/** @param before the conversation's turns before them, oldest first */
export function withoutSecretsOf(turns: readonly NewTurn[], before: readonly NewTurn[]): Masked {
  const known = [...new Set([...before.slice(-SECRETS_BEFORE), ...turns].flatMap(secretsOf))];
  const masked = (turn: NewTurn): NewTurn => {
    if (known.length === 0 && secretsOf(turn).length === 0) return turn;
    const text = withoutSecrets(turn.text, known);
    return text === turn.text ? turn : { ...turn, text };
  };
  const read = turns.map(masked);
  return {
    turns: read,
    before: before.map(masked),
    refused: read.flatMap(({ text }, at) =>
      text === turns[at]?.text ? [] : [{ text: text.slice(0, MAX_TOLD), reason: "secret" as const }],
    ),
  };
}
