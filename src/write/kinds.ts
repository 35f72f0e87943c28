/** What kind of memory a statement is, by cues in its words (English, German, Spanish, Chinese). */

import type { EntryKind, Timestamp, TimeWindow } from "../types.js";
import { isOfAnother } from "./attributes.js";

/** Not "nothing is decided", "we haven't chosen". */
const DECISION =
  /(?<!\b(?:not|never|nothing(?: is| was|['’]s)?|yet to be|nobody)\s|n['’]t\s)\b(?:decided|chose|chosen|settled on|opted for|went with|going with|made up my mind|agreed (?:to|on)|picked|final(?:ly)? (?:decision|choice)|entschieden|beschlossen|decid(?:í|imos|ió)|elegí|acordamos)\b|决定|選了|选了|敲定/iu;
const PLAN =
  /\b(?:plan(?:s|ning|ned)? (?:to|on|for|a)|going to|gonna|will|(?:i|we)['’]ll|hop(?:e|ing) to|want to|wants to|intend|look(?:ing)? forward|next (?:week|month|year|weekend|summer|spring|winter|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|scheduled|booked|signed up for|saving (?:up )?for|thinking (?:of|about)|considering|vorhabe|plane|möchte|werde|voy a|vamos a|quiero|pienso)\b|打算|计划|計劃|准备|準備|要去|想去|将会|預訂|预订/iu;
const PREFERENCE =
  /\b(?:love|loves|like|likes|prefer|prefers|enjoy|enjoys|favou?rites?|hate|hates|dislike|can['’]t stand|allergic|fan of|into|obsessed|rather|vegetarian|vegan|don['’]t (?:like|eat|drink)|never (?:eat|drink)|mag|liebe|hasse|lieblings\p{L}*|bevorzuge|gusta|gustan|encanta|prefiero|odio|favorit[oa]s?)\b|喜欢|喜歡|最爱|爱吃|讨厌|討厭|偏爱|不吃|过敏/iu;
const EVENT =
  /\b(?:bought|got|went|started|finished|joined|moved|adopted|attended|visited|received|tried|made|met|ordered|lost|signed|completed|watched|switched|came|saw|took|had|did|gave|broke|found|won|ran|ate|left|sold|celebrated|travel(?:l)?ed|graduated|married|born|died|war|ging|habe|hatte|gekauft|fui|fuimos|compré|visité|hice|was|were)\b|[了过過](?:$|[^解])/iu;
const STATE =
  /\b(?:currently|right now|at the moment|these days|nowadays|still|live|lives|living|work(?:s|ing)? (?:as|at|in|for)|(?:i|we)['’](?:m|re)|i am|we are|feel(?:s|ing)?|ha(?:ve|s) been|broken|pregnant|single|wohne|arbeite|bin|vivo|trabajo|estoy|soy|tengo)\b|现在|現在|目前|住在|正在/iu;

const DEADLINE = /\b(?:expires?|valid|due|runs out|ends|läuft ab|gültig|caduca|vence)\b|到期|有效/iu;

/** @param when what the statement tells the time of; a future one makes a plan, a past one an event */
export function kindOf(text: string, saidAt: Timestamp, when?: TimeWindow): EntryKind {
  if (DECISION.test(text)) return "decision";
  const ahead = when !== undefined && when.from > saidAt;
  const past = when !== undefined && when.to <= saidAt + 24 * 60 * 60 * 1000 && !ahead;
  // A passport that expires is no plan.
  const future = ahead && !DEADLINE.test(text);
  if (future || (PLAN.test(text) && !past)) return "plan";
  if (past && EVENT.test(text)) return "event";
  if (PREFERENCE.test(text) && !isOfAnother(text)) return "preference";
  if (EVENT.test(text)) return "event";
  return STATE.test(text) ? "state" : "fact";
}
