/** What kind of answer a question wants, and whether a text could give it. Patterns are data; the languages are English, German, Spanish and Chinese. */

import { splitSentences } from "../text/sentences.js";
import type { AnswerType, Entry } from "../types.js";

/** First match wins, so the narrower kinds come first. */
const ASKED: readonly (readonly [AnswerType, RegExp])[] = [
  [
    "when",
    /\bwhen\b|\b(?:what|which) (?:date|day|year|month|time|week)\b|\bhow long ago\b|\bhow many (?:minutes|hours) ago\b|\bhow recently\b|\bhow many (?:days|weeks|months|years)\b|\bwann\b|\bcu[aá]ndo\b|什么时候|什麼時候|哪一?天|何时|几[月号点]/i,
  ],
  [
    "duration",
    /\bhow long\b|\bhow much time\b|\bhow many (?:minutes|hours)\b|\btotal (?:amount of )?time\b|\bhow (?:often|frequently)\b|\bwie (?:lange|oft)\b|\bcu[aá]nto tiempo\b|多久|多长时间/i,
  ],
  [
    "number",
    /\bhow (?:many|much|old|far|tall|big)\b|\bwhat (?:percentage|amount|number)|\btotal (?:number|amount|cost)\b|\bwie ?viele?\b|\bcu[aá]nt[oa]s?\b|多少|几[个只本次岁]/i,
  ],
  ["who", /\bwho(?:m|se)?\b|\bwe[rmn]\b|\bqui[eé]n(?:es)?\b|谁|誰/i],
  [
    "where",
    /\bwhere\b|\b(?:what|which) (?:city|country|state|place|town|store|shop|restaurant|park)\b|\bwo(?:hin|her)?\b|\bd[oó]nde\b|哪里|哪儿|在哪/i,
  ],
  ["why", /\bwhy\b|\bwhat (?:reason|motivat|inspir)|\bwarum\b|\bwieso\b|\bpor qu[eé]\b|为什么|為什麼/i],
];

const NUMBER_WORDS = "a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|several|half";
const PERIODS =
  "night|week|weekend|month|year|summer|winter|spring|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday";

/** What a text that answers such a question has in it; "what" has no mark of its own. */
const ANSWERED: Readonly<Partial<Record<AnswerType, readonly RegExp[]>>> = {
  when: [
    new RegExp(
      `\\b(?:yesterday|today|tonight|tomorrow|(?:last|next) (?:${PERIODS})|this (?:morning|week|weekend|month|year|past)|other day|` +
        "\\w+ (?:day|week|month|year|weekend)s? (?:ago|before|back|later)|(?:few|couple of) (?:days|weeks|months|years)|recently|since|" +
        "for \\w+ (?:year|month|week)s?|\\d{4}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|" +
        "january|february|march|april|june|july|august|september|october|november|december|\\d+(?:st|nd|rd|th)|in may|" +
        "just (?:got|started|finished|had|did|came|went)|gestern|heute|morgen|ayer|hoy|mañana)\\b",
      "i",
    ),
    /昨天|今天|明天|上(?:个?月|周|星期)|去年|今年|明年|\d+[年月日号]/,
  ],
  duration: [
    new RegExp(
      `\\b(?:\\d+|${NUMBER_WORDS})[ -](?:minute|min|hour|day|week|month|year|decade)s?\\b|\\bsince\\b|\\bseit\\b|\\bdesde\\b`,
      "i",
    ),
    /[\d一二两三四五六七八九十半]+个?(?:分钟|小时|天|周|月|年)/,
  ],
  number: [
    /\b(?:\d[\d,.:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|couple|first|second|third|fourth|fifth|once|twice|half|several|many|few)\b/i,
    /\d|[一二两三四五六七八九十百千万][个只本次岁块元]/,
  ],
  who: [
    /\b(?:mother|mom|mum|father|dad|sister|brother|friend|wife|husband|son|daughter|aunt|uncle|cousin|grand\w+|partner|boyfriend|girlfriend|colleague|coworker|teacher|boss|neighbou?r|mentor|coach|fianc\w+|roommate|family|kids?|children)s?\b/i,
    /(?<=[a-z,;:] )[A-Z][a-z]{2,}/,
    /妈妈|爸爸|姐|妹|哥|弟|朋友|同事|老师|老板|老公|老婆/,
  ],
  where: [
    /\b(?:in|at|to|from|near|visit(?:ed|ing)?) (?:the |a |my |our )?(?:[A-Z][a-z]+|park|beach|store|shop|museum|cafe|restaurant|gym|office|school|home|city|town|country|lake|mountain|center|centre|library|studio|church|shelter|hospital)/,
    /在.{1,8}(?:里|上|市|区|路|店|家)/,
  ],
  why: [
    /\b(?:because|since|so that|in order|inspired|motivat\w+|reason|wanted to|love[sd]?|help(?:s|ed)?|makes? me|made me|cause|due to|as it|weil|porque)\b/i,
    /因为|由于/,
  ],
};

const FIRST_PERSON =
  /\b(?:i|i['’](?:m|ve|d|ll)|my|me|we|we['’](?:ve|re)|our|ich|mein[a-z]*|wir|unser[a-z]*|yo|mis?|nuestr[ao]s?|je|nous)\b|我|咱|私|僕|俺|저는|나는|제가|내가/i;
const ENDS_AS_QUESTION = /[?？؟]["'”’)\]]*$/;
const SENTENCES_READ = 8;
const LENGTH_READ = 1_500;

/** The kind of answer that a question wants. */
export function answerTypeOf(question: string): AnswerType {
  return ASKED.find(([, pattern]) => pattern.test(question))?.[0] ?? "what";
}

/** Whether the text could answer such a question: it has a time, a number, a name, a place or a reason in it. */
export function answers(type: AnswerType, entry: Entry): boolean {
  return ANSWERED[type]?.some((pattern) => pattern.test(entry.indexText)) ?? false;
}

/** Entries never change, and the same ones are candidates again and again. */
const firstPerson = new WeakMap<Entry, boolean>();

/** Whether a user states something in the first person: one of the first sentences does and asks nothing. */
export function statesInFirstPerson(entry: Entry): boolean {
  let known = firstPerson.get(entry);
  if (known === undefined) firstPerson.set(entry, (known = readFirstPerson(entry)));
  return known;
}

function readFirstPerson(entry: Entry): boolean {
  if (entry.sources[0]?.role === "assistant") return false;
  const text = entry.indexText.slice(0, LENGTH_READ);
  if (!FIRST_PERSON.test(text)) return false;
  const sentences = splitSentences(text).slice(0, SENTENCES_READ);
  return sentences.some((sentence) => FIRST_PERSON.test(sentence) && !ENDS_AS_QUESTION.test(sentence.trim()));
}
