/** The words by which English tells what was from what will be. */

import type { TenseCues } from "./time-span.js";

const IRREGULAR =
  "was|were|did|didn['’]t|wasn['’]t|weren['’]t|had|hadn['’]t|went|got|came|saw|met|made|took|said|told|bought|found|felt|ate|ran|won(?!['’]t)|lost|left|began|broke|gave|spent|been|" +
  "drove|flew|wrote|taught|thought|brought|caught|fought|sold|sent|kept|slept|paid|led|held|heard|built|became|chose|drank|fell|forgot|grew|hid|knew|rode|rang|sang|sat|shot|shook|" +
  "spoke|stole|stood|swam|threw|woke|wore|hung|dug|stuck|understood|seen|done|gone|eaten|taken|given|written|driven|begun|remember(?! to)|reminds me of|back from|back in|(?:my|our|his|her|the) (?:recent|previous|last|first)";
/** Words that end like past tenses. */
const NO_PAST =
  "need|feed|speed|exceed|proceed|succeed|indeed|hundred|seed|weed|breed|shed|sacred|united|limited|excited|interested|supposed";
/** "I'm worried", "is moved": participles of how things are. */
const STATE =
  "\\b(?:am|is|are|be|feel|feels|feeling|get|gets|getting|(?:i['’]m|(?:we|you|they)['’]re|(?:he|she|it|that)['’]s))(?: (?:so|very|really|not|now|also|all|still|both|pretty|super))? ";
/** What is arranged lies ahead of its arranging: "I've signed up for the race on 11 May". */
const ARRANGED = "booked|reserved|scheduled|rescheduled|postponed|signed up|registered|enrolled|arranged|planned|invited";
const WHO_IS =
  "(?:\\b(?:am|is|are|isn['’]t|aren['’]t)|['’](?:m|re)|\\b(?:he|she|it|that|there|who|what|here|everyone|everybody)['’]s)";

const ahead = `\\b(?:will|won['’]t|gonna|shall|can|must|should|might|upcoming|(?:can|could)(?:no|['’])t wait|cannot wait)\\b|['’]ll\\b`;
const wishes =
  "(?<!\\b(?:was|were|been|['’]d) )\\b(?:about to|supposed to|plan(?:s|ning)?|planned for|look(?:ing)? forward|hop(?:e|es|ing) to|wants? (?:to|me|us|him|her|them|you)|(?:have|has|need|needs|ought|got) to|let['’]s|remind(?:er| me)|don['’]t forget)\\b";
const presents =
  "\\b(?:starts|begins|ends|opens|closes|leaves|arrives|departs|returns|comes|goes|gets|flies|lands|happens|takes place|runs out|expires?|turns)\\b";
const progressive = `${WHO_IS} (?:(?!been )\\w+ ){0,2}?(?!during|evening|morning|something|anything|nothing|everything|relaxing|amazing|exciting|boring|interesting|challenging|tiring|refreshing|inspiring|rewarding|thrilling|stunning|charming|missing)[a-z]{2,}ing\\b`;
const arranged = `(?:\\b(?:have|has|is|are|am)|['’](?:ve|m|re|s)) (?:\\w+ )?(?:${ARRANGED})\\b`;

export const englishTense: TenseCues = {
  past: new RegExp(`\\b(?:${IRREGULAR})\\b|(?<!${STATE})\\b(?!(?:${NO_PAST})\\b|(?:${ARRANGED})\\b)[a-z]{2,}ed\\b`, "giu"),
  future: new RegExp(`${ahead}|${wishes}|${presents}|${progressive}|${arranged}`, "giu"),
  aheadOf: new RegExp(
    `${WHO_IS} (?:(?:now|still|not|only|due|set|scheduled|planned|moved|back|free|again|already) ){0,2}(?:(?:on|at|in|for|from|by|until|till|to|due|the) )*$` +
      "|\\b(?:moved|postponed|pushed|rescheduled|delayed|shifted|changed)(?: \\w+){0,4}? (?:to|until|till|for) (?:the )?$" +
      `|\\b(?:${ARRANGED})(?: \\w+){0,4}? for (?:the )?$`,
    "iu",
  ),
  planned:
    /\b(?:due|deadlines?|appointments?|until|till|tickets? for|excited (?:for|about)|nervous (?:for|about)|ready for|prepar(?:e|ing) for|save the date|by)\b/giu,
  clause:
    /[;:—–]\s|,\s|\b(?:but|so|because|while|although|though|since (?=i|we|he|she|they)|and (?=(?:i|we|he|she|they|it|you|my|our)\b))/giu,
};
