/** Folds of LongMemEval that share no text: questions on the same evidence stay together, and sessions that a test fold holds are
 * not learned from. */

import { seededRandom } from "../metrics.js";
import type { Dialogue } from "./dialogues.js";

export interface Folds {
  readonly count: number;
  /** Fold of each dialogue. */
  readonly of: readonly number[];
  /** Whether what is tested in `fold` may be learned from this session. */
  learns(fold: number, dialogue: number, session: number): boolean;
}

/** What a session's id says of its text: its variants share a stem. Used to keep texts apart, never as a feature. */
const textOf = (id: string): string =>
  id
    .replace(/^answer_/, "")
    .replace(/_abs(?:_\d+)?$/, "")
    .replace(/_\d+$/, "");

export function makeFolds(dialogues: readonly Dialogue[], count: number, seed: number): Folds {
  const parent = dialogues.map((_, i) => i);
  const root = (i: number): number => (parent[i] === i ? i : (parent[i] = root(parent[i] as number)));
  const owner = new Map<string, number>();
  dialogues.forEach(({ sessions }, i) => {
    for (const { id, isEvidence } of sessions) {
      if (!isEvidence) continue;
      const known = owner.get(textOf(id));
      if (known === undefined) owner.set(textOf(id), i);
      else parent[root(i)] = root(known);
    }
  });
  const groups = groupBy(parent.length, root);
  const random = seededRandom(seed);
  for (let i = groups.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [groups[i], groups[j]] = [groups[j] as number[], groups[i] as number[]];
  }
  const sizes = new Array<number>(count).fill(0);
  const of = new Array<number>(dialogues.length).fill(0);
  for (const group of groups) {
    const fold = sizes.indexOf(Math.min(...sizes));
    sizes[fold] = (sizes[fold] as number) + group.length;
    for (const i of group) of[i] = fold;
  }
  const tested = sizes.map(
    (_, fold) => new Set(dialogues.flatMap(({ sessions }, i) => (of[i] === fold ? sessions.map(({ id }) => textOf(id)) : []))),
  );
  return {
    count,
    of,
    learns: (fold, dialogue, session) =>
      of[dialogue] !== fold && !tested[fold]?.has(textOf(dialogues[dialogue]?.sessions[session]?.id ?? "")),
  };
}

function groupBy(count: number, keyOf: (i: number) => number): number[][] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const key = keyOf(i);
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  }
  return [...groups.values()];
}
