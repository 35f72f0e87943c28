/** Two of a kind: "the locker at the pool" is not "my locker at work", nor is "my brother's car" "my sister's". */

import { termsOf } from "../text/terms.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Where something is; each of the other words joins what only itself joins. */
const PLACES = words("at in near by bei beim im am an auf en");
const JOINS = words("on of for from with von vom aus für zum zur de del da para con");
/** "The visit on Monday" may be any visit. */
const CALENDAR =
  /^(?:\d.*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|januar|februar|märz|mai|juni|juli|oktober|dezember|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)$/u;
const DETERMINERS = words(
  "the a an my your our his her their its this that der die das dem den des ein eine einem einen einer mein meine meinem meinen meiner el la los las un una mi mis tu su sus",
);
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const POSSESSIVE = /['’]s$/;

/** What stands beside a word and tells which one it is: whose, or where and of what. */
interface Beside {
  readonly whose?: string;
  readonly which?: { readonly join: string; readonly term: string };
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
    const isJoinedAlike = meant?.which?.join === which?.join;
    if (differ(meant?.whose, whose) || (isJoinedAlike && differ(meant?.which?.term, which?.term))) return true;
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
    const which = complement(tokens, at + 1);
    if (whose !== undefined || which !== undefined) found.set(term, { ...(whose && { whose }), ...(which && { which }) });
  }
  return found;
}

/** What a word that joins it to the one before says of that one. */
function complement(tokens: readonly string[], at: number): Beside["which"] {
  const word = tokens[at] ?? "";
  const join = PLACES.has(word) ? "place" : JOINS.has(word) ? word : undefined;
  const noun = join && tokens.slice(at + 1).find((token) => !DETERMINERS.has(token));
  const [term] = noun === undefined || CALENDAR.test(noun) ? [] : termsOf(noun);
  return join === undefined || term === undefined ? undefined : { join, term };
}
