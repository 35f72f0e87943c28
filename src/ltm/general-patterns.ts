/** Sentences that say what a thing is, what comes of it, and what it is like, of things and not of the people who talk. What a pattern
 * takes for knowledge in error is said once; a node is shown only where two memories say it. */

import type { EdgeType } from "../ports.js";
import { splitSentences } from "../text/sentences.js";
import { thing } from "./thing.js";

export interface Said {
  /** Absent where it is somebody: the class alone is general. */
  readonly from?: string;
  readonly edge: EdgeType;
  readonly to: string;
}

/** A noun of one to three words. */
const NOUN = String.raw`[\p{L}][\p{L}’'-]{2,}(?:\s[\p{L}][\p{L}’'-]{2,}){0,2}`;
const ONE = String.raw`[\p{L}][\p{L}’'-]{2,}`;
const IS_A: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?<article>the\s|an?\s)?(?<x>${NOUN})\s(?:is|are)\s(?:a|an)\s(?<kind>(?:kind|type|sort|form) of\s)?(?<y>${NOUN})`,
    "iu",
  ),
  new RegExp(String.raw`(?<y>${ONE})\ssuch as\s(?<x>${NOUN})`, "iu"),
  new RegExp(String.raw`(?<x>${NOUN})\s(?:and|or)\s(?:other|similar)\s(?<y>[\p{L}][\p{L}’'-]{2,}s)(?!\p{L})`, "iu"),
  new RegExp(String.raw`(?<x>${NOUN})\s(?:ist|sind)\s(?:ein|eine|einer)\s(?<y>${ONE})`, "iu"),
  new RegExp(String.raw`(?<x>${ONE})\ses\s(?:un|una)\s(?<y>${ONE})`, "iu"),
  /(?<x>\p{Script=Han}{2,6})是(?:一种|一個|一个)(?<y>\p{Script=Han}{2,6})/u,
];
const LEADS = (verbs: string): RegExp =>
  new RegExp(String.raw`^(?<x>${NOUN})\s(?:always\s|usually\s|often\s)?(?:${verbs})\s(?<y>${NOUN})`, "iu");
const LEADS_TO: readonly (readonly [pattern: RegExp, edge: EdgeType])[] = [
  [LEADS("causes?|leads? to|results? in|makes? for"), "Implies"],
  // What it prevents does not come of it.
  [LEADS("prevents?|improves?|reduces?|helps? (?:with|against)"), "RelatedTo"],
];
/** How things are that somebody may call so without an opinion. */
const LIKE =
  "sweet|sour|bitter|salty|spicy|poisonous|toxic|edible|nocturnal|shy|loyal|expensive|cheap|soft|hard|hot|cold|dry|wet|sharp|heavy|light|fast|slow|loud|quiet|rare|common|healthy|unhealthy|fragile|waterproof|contagious|juicy|crunchy|sticky|flammable|perishable|seasonal|green|red|yellow|blue|black|white|brown|süß|sauer|bitter|salzig|scharf|giftig|essbar|nachtaktiv|scheu|teuer|billig|weich|hart|heiß|kalt|gesund|ungesund|selten|laut|leise|schwer|leicht|dulces?|ácid[oa]s|amarg[oa]s|salad[oa]s|picantes|venenos[oa]s|tóxic[oa]s|comestibles|nocturn[oa]s|car[oa]s|barat[oa]s|blandos?|dur[oa]s|fragiles|frágiles|san[oa]s";
/** Kinds are spoken of in the plural and without an article. */
const KIND = String.raw`(?:(?:most|all|many|die meisten|alle|las|los)\s)?(?<x>${ONE})`;
const HAS_PROPERTY: readonly RegExp[] = [
  new RegExp(
    String.raw`^${KIND}(?<=[sne])\s(?:are|sind|son)\s(?:usually\s|often\s|always\s|very\s|meist\s|sehr\s|muy\s)?(?<y>${LIKE})[.!]?$`,
    "iu",
  ),
  new RegExp(
    String.raw`^${KIND}(?<=s)\s(?:usually\s|often\s|always\s)?have\s(?:an?\s|two\s|three\s|four\s|six\s|eight\s|many\s|long\s|short\s|sharp\s|big\s|large\s|small\s|no\s)+(?<y>${ONE})[.!]?$`,
    "iu",
  ),
];

/** What is said of a class says nothing. */
const EMPTY = new Set(
  "way part lot thing things stuff bit blast choice must idea deal day time times moment experience reward mix blend item items matter fan reason point topic challenge pleasure honor treat joy delight mess breeze dream gem win plus perk hit success start step example result change addition combination combo source sign reminder escape outlet passion favorite favourite feeling game-changer lifesaver winner number amount variety range series set group pair couple couples success story key".split(
    " ",
  ),
);
/** Those of whom it is said are somebody, where they are named without an article. */
const SOMEBODY =
  /(?:^|\s)(?:person|man|woman|boy|girl|guy|friend|nurse|doctor|dentist|teacher|engineer|lawyer|writer|author|singer|actor|actress|artist|painter|chef|manager|student|player|coach|mother|father|sister|brother|neighbou?r|colleague|soldier|lehrer(?:in)?|arzt|ärztin|freund(?:in)?|dog|cat|puppy|kitten|hund|katze|maestr[oa]|amig[oa]|perro|gat[oa])$/iu;
/** Nothing that a sentence is about begins with these. */
const NO_THING =
  /^(?:sure|really|need|please|thanks|now|note|pretend|imagine|like|when|if|with|each|some|any|same|current|explain|describe|lets?|offer|watch|reach|yes|no|okay|well|wow|hey|maybe|im|i'm|i’m|kids?|children|parents|friends|people|everyone|nobody|guys|folks|things|following|how|why|where)(?:\s|$)/iu;
/** Words behind which a noun is over. */
const AFTER_NOUN =
  "of|that|which|who|whose|where|when|for|in|on|at|with|without|to|from|by|near|into|after|before|during|about|between|than|and|but|so|because|made|used|known|found|called|as";
const JOINS = new RegExp(String.raw`\s(?:${AFTER_NOUN})(?:\s.*)?$`, "iu");
const GOES_ON = new RegExp(String.raw`^\s(?!(?:${AFTER_NOUN})(?!\p{L}))\p{L}`, "iu");
/** "A small, red one", and not "a tea, which ...". */
const IS_LIST = /^,\s(?!(?:and|but|so|which|that|not|or|who|because|though)(?!\p{L}))\p{L}/iu;

/** Longer sentences are lists and logs. */
const LONGEST = 600;

/** In the order of the text, without repetition of what stands beside each other.
 * @returns at most `most` */
export function generalIn(text: string, most: number): Said[] {
  const said: Said[] = [];
  for (const sentence of splitSentences(text)) {
    if (sentence.length > LONGEST || /[?？]\s*$/u.test(sentence)) continue;
    for (const { from, edge, to } of saidIn(sentence)) {
      if (said.length >= most) return said;
      if (from !== to) said.push({ edge, to, ...(from !== undefined && { from }) });
    }
  }
  return said;
}

function* saidIn(sentence: string): Generator<Said> {
  for (const pattern of IS_A) {
    const match = pattern.exec(sentence);
    const { x = "", y = "", article, kind } = match?.groups ?? {};
    const end = match ? sentence.slice(match.index + match[0].length) : "";
    const [from, to] = [subject(x), thing(headed(y, pattern === IS_A[0] ? end : ""))];
    if (!from || !to || EMPTY.has(to.split(" ").at(-1) ?? "")) continue;
    const isOfSomebody = article === undefined && kind === undefined && !x.endsWith("s") && SOMEBODY.test(to);
    yield { edge: "IsA", to, ...(!isOfSomebody && { from }) };
  }
  for (const [pattern, edge] of LEADS_TO) {
    const { x = "", y = "" } = pattern.exec(sentence)?.groups ?? {};
    const [cause, effect] = [subject(x), thing(y.replace(JOINS, ""))];
    if (cause && effect) yield { from: cause, edge, to: effect };
  }
  for (const pattern of HAS_PROPERTY) {
    const groups = pattern.exec(sentence)?.groups ?? {};
    const [kind, property] = [subject(groups.x ?? ""), thing(groups.y ?? "")];
    if (kind && property && !EMPTY.has(property)) yield { from: kind, edge: "HasProperty", to: property };
  }
}

function subject(words: string): string | undefined {
  return NO_THING.test(words) ? undefined : thing(words);
}

/** A class up to where its noun ends; "" where that is not to be seen, as in "a very well known old man". */
function headed(words: string, after: string): string {
  const head = words.replace(JOINS, "");
  if (head !== words) return head;
  return IS_LIST.test(after) || GOES_ON.test(after) ? "" : words;
}
