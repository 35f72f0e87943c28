/** Phrases that tell what a turn does, as patterns. Data, and frozen like the word lists. English. */

export const MARKS = {
  list: /^[ \t]*(?:[-*•]|\d{1,3}[.)])\s/gm,
  bold: /\*\*/g,
  lineBreak: /\n/g,
  cell: /\|/g,
  quote: /["“]/g,
  code: /```|<\/[a-z]{1,20}>|[;{}][ \t]*\n|\bdef \w{1,60}\(|=> ?[{(]|\bSELECT /,
} as const;

const KIN =
  "mom|mum|dad|mother|father|parents|sister|brother|son|daughter|kids?|children|husband|wife|girlfriend|boyfriend|partner|fianc[eé]e?|family|friends?|" +
  "grand(?:ma|pa|mother|father|parents)|cousin|aunt|uncle|niece|nephew|dogs?|cats?|puppy|kitten|pets?|baby|boss|colleagues?|coworkers?|roommate|neighbou?r|" +
  "doctor|therapist|teacher|team";
const PERIOD = "years?|months?|weeks?|days?|hours?|minutes?";
const NAMED_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december";
const PAST_VERB =
  "[a-z]{2,20}ed|went|got|had|did|made|took|came|saw|found|bought|met|told|felt|began|won|lost|ran|read|wrote|taught|brought|gave|kept|left|knew|heard|ate|drove|" +
  "flew|grew|spent|sent|built|been|was|were";

export const PHRASES = {
  my: /\bmy [a-z]+/gi,
  myRelation: new RegExp(`\\bmy (?:[a-z]{1,20} )?(?:${KIN})\\b`, "gi"),
  iAm: /\bi(?:'m| am| was|'ve been| have been)\b/gi,
  iJust:
    /\b(?:i|we)(?:'ve|'d)?(?: have| had)? (?:just|recently|finally|actually|already|once|used to|usually|typically|normally|still|last)\b/gi,
  iEvent: new RegExp(
    `\\b(?:i|we)(?:'ve|'d)?(?: have| had)?(?: (?:just|recently|finally|actually|already|also|even|really|once)){0,3} (?:${PAST_VERB})\\b`,
    "gi",
  ),
  byTheWay: /\b(?:by the way|btw|speaking of|reminds me|oh,? and|i mentioned|as i said)\b/i,
  request:
    /\b(?:can you|could you|please|recommend|suggest|help me|looking for|tips|advice|give me|tell me|explain|what are|how do i|how can i|do you (?:have|think)|would you|any ideas)\b/i,
  preference:
    /\b(?:i|we)(?:'ve)?(?: have)?(?: (?:really|always|absolutely|also|particularly|usually|do|just|especially)){0,3} (?:loved?|liked?|prefer|enjoy(?:ed)?|hate|dislike)\b|\bmy fav|\bi'm (?:a (?:big |huge )?fan|really into|interested|allergic|vegan|vegetarian)/i,
  quantity: new RegExp(
    `[$€£]\\s?\\d|\\b\\d+(?:[.,]\\d+)*(?:\\s?(?:%|percent|miles?|km|lbs?|pounds?|kg|dollars?|people|times|pages?|episodes?|books?|${PERIOD})|-(?:year|day|week|month|hour|minute|mile|pound|inch|gallon))`,
    "gi",
  ),
  clock:
    /\b\d{1,2}(?::\d\d)?\s?(?:am|pm)\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|\b\d{1,2}\/\d{1,2}\b/gi,
  numberWord: new RegExp(
    `\\b(?:two|three|four|five|six|seven|eight|nine|ten|couple of|few) (?:[a-z]{1,20} )?(?:${PERIOD}|times|books|people|miles)\\b`,
    "gi",
  ),
  relativeTime: new RegExp(
    `\\b(?:yesterday|today|tonight|last (?:week|weekend|month|year|night|summer|fall|winter|spring|[a-z]{3,6}day)|ago|this (?:week|weekend|month|morning|year)|the other day|recently|lately|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:${NAMED_MONTH}))\\b`,
    "gi",
  ),
  since: /\b(?:since|for (?:the past|about|over|around|almost|\d+|a few|two|three|four|five|six))\b/gi,
  place: /\b(?:at|in|from|near|to|with|called|named) (?:the )?[A-Z][a-z]+/g,
  asAnAi: /\bas an ai\b|\bi'm sorry, (?:but )?i\b|\bi do(?:n't| not) have (?:access|personal)/i,
  firstPerson: /\b(?:i|me|my|mine|myself|we|our|us)\b/i,
  past: new RegExp(`\\b(?:${PAST_VERB}|said|started|thought|moved)\\b`, "i"),
} as const;

/** First words of an order to an assistant. */
export const IMPERATIVES: ReadonlySet<string> = new Set(
  (
    "write generate create make give list explain summarize summarise rewrite act provide translate describe convert add change now continue please tell show " +
    "find use imagine consider design develop suggest fix let ignore compare draft prepare edit expand build update answer based analyze calculate pretend respond"
  ).split(" "),
);

/** A pasted text: longer than people type. Characters. */
export const PASTED_LENGTH = 700;

/** Matches of a pattern, at most `limit`. */
export function countMatches(text: string, pattern: RegExp, limit: number): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (found < limit && pattern.test(text)) found++;
  pattern.lastIndex = 0;
  return found;
}
