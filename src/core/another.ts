/** Two of a kind: "the locker at the pool" is not "my locker at work", nor is "my brother's car" "my sister's". */

import { termsOf } from "../text/terms.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const JOINS = words("at in on of for from by with near bei beim im am an auf von vom aus für zum zur de del da en para con");
const DETERMINERS = words(
  "the a an my your our his her their its this that der die das dem den des ein eine einem einen einer mein meine meinem meinen meiner el la los las un una mi mis tu su sus",
);
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const POSSESSIVE = /['’]s$/;

/** What stands beside a word and tells which one it is: whose, or where and of what. */
interface Beside {
  readonly whose?: string;
  readonly which?: string;
}

/** Whether a text speaks of another thing of the kind that a topic names: it gives the same word another owner or another place, and
 * says nothing of the topic's own. */
export function isAnother(topic: string, text: string): boolean {
  const asked = besideWords(topic);
  if (asked.size === 0) return false;
  const held = new Set(termsOf(text));
  const differ = (meant: string | undefined, other: string | undefined) =>
    meant !== undefined && other !== undefined && meant !== other && !held.has(meant);
  for (const [term, { whose, which }] of besideWords(text)) {
    const meant = asked.get(term);
    if (meant && (differ(meant.whose, whose) || differ(meant.which, which))) return true;
  }
  return false;
}

/** By the stem of each word that something stands beside. */
function besideWords(text: string): ReadonlyMap<string, Beside> {
  const tokens = text.toLowerCase().match(WORD) ?? [];
  const found = new Map<string, Beside>();
  for (const [at, token] of tokens.entries()) {
    const [term] = termsOf(token);
    if (term === undefined) continue;
    const before = tokens[at - 1] ?? "";
    const whose = POSSESSIVE.test(before) ? termsOf(before)[0] : undefined;
    const which = JOINS.has(tokens[at + 1] ?? "") ? firstOf(tokens, at + 2) : undefined;
    if (whose !== undefined || which !== undefined) found.set(term, { ...(whose && { whose }), ...(which && { which }) });
  }
  return found;
}

function firstOf(tokens: readonly string[], from: number): string | undefined {
  const noun = tokens.slice(from).find((token) => !DETERMINERS.has(token));
  return noun === undefined ? undefined : termsOf(noun)[0];
}
