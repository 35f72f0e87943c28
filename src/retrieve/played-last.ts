/** What was said in a declared role answers for the role: it comes after all that was meant, unless the question asks for it. */

import type { Candidate, SelectInput } from "../ports.js";
import type { Entry } from "../types.js";
import type { Decision, LiteSelector, SelectorDecisions } from "./selector.js";

/** Tag of entries that were said in a declared role. */
export const ROLE_TAG = "role-play";
const ASKS_ROLE =
  /\b(?:role|roles|rehears\w*|play(?:ed|ing)?|pretend\w*|character|persona|scene|fiction\w*|story|rolle|personaje)\b|角色|扮演/iu;
/** Of what was meant, so many come before a role that alone speaks for the question. */
const MEANT_KEPT = 2;
const NAME = /(?<=\p{Ll}[\s,]+)\p{Lu}[\p{L}\p{M}'’-]+/gu;

/** Said in a role that the question names neither as such nor by a name. */
function isPlayed({ tags, text }: Entry, question: string): boolean {
  return tags.includes(ROLE_TAG) && !(question.match(NAME) ?? []).some((name) => text.includes(name));
}

/** The selector's decisions on what was meant, as if nothing had been played; then those on what was. */
export function decidePlayedLast(selector: LiteSelector, input: SelectInput): SelectorDecisions {
  const { candidates, text, k } = input;
  const all = selector.decide(input);
  if (ASKS_ROLE.test(text)) return all;
  const played = new Set([...candidates.keys()].filter((index) => isPlayed((candidates[index] as Candidate).entry, text)));
  if (played.size === 0) return all;
  const meant = [...candidates.keys()].filter((index) => !played.has(index));
  const own = decideOn(selector, input, meant, all);
  const decisions = [...all.decisions];
  own.decisions.forEach((decision, at) => {
    decisions[meant[at] as number] = placed(decision, meant);
  });
  const inPlace = <T extends { readonly index: number }>(one: T): T => ({ ...one, index: meant[one.index] as number });
  return {
    selected: [...own.selected.map(inPlace), ...all.selected.filter(({ index }) => played.has(index))].slice(0, k),
    ranked: [...own.ranked.map(inPlace), ...all.ranked.filter(({ index }) => played.has(index))],
    decisions,
  };
}

/** Where only the role speaks for the question, the best of what was meant comes before it: an introduction shares no word with
 * "what is my name?", and the name of a role does. */
function decideOn(
  selector: LiteSelector,
  input: SelectInput,
  meant: readonly number[],
  all: SelectorDecisions,
): SelectorDecisions {
  const own = selector.decide({ ...input, candidates: meant.map((index) => input.candidates[index] as Candidate) });
  if (own.selected.length > 0 || all.selected.length === 0) return own;
  const ranked = all.ranked.flatMap(({ index, logit }) =>
    meant.includes(index) ? [{ index: meant.indexOf(index), logit }] : [],
  );
  const selected = ranked.slice(0, Math.min(input.k, MEANT_KEPT)).map(({ index }) => ({ index, score: 0 }));
  const kept = new Set(selected.map(({ index }) => index));
  return {
    selected,
    ranked,
    decisions: meant.map((_, at): Decision => (kept.has(at) ? { kind: "selected", score: 0 } : { kind: "unsupported" })),
  };
}

function placed(decision: Decision, meant: readonly number[]): Decision {
  return decision.kind === "repeats" ? { ...decision, of: meant[decision.of] as number } : decision;
}
