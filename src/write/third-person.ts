/** Retells what somebody said of themselves so that it stands alone: "I turned vegetarian in May." → "Ana turned vegetarian in May."
 *
 * For people who read a list and for consolidation; search and models get the person's own words, which cost fewer tokens and are
 * found better. English; a text in another language, and what stands between quotation marks, stays as it is. */

import { IRREGULAR_PASTS, VERB_OF_PAST } from "../text/irregular-verbs.js";
import { splitSentences } from "../text/sentences.js";

/** Verbs that have one form for everybody, and pasts that the list of irregular verbs lacks. */
const UNCHANGING = new Set(
  "can could will would shall should may might must did had was cannot can't couldn't won't wouldn't shouldn't mightn't mustn't didn't hadn't wasn't used heard rose lay led bit saw".split(
    " ",
  ),
);
const FIXED: Readonly<Record<string, string>> = {
  am: "is",
  have: "has",
  do: "does",
  "don't": "doesn't",
  "haven't": "hasn't",
  were: "was",
  "ain't": "isn't",
};
/** What may stand between I and its verb. */
const BETWEEN = new Set(
  "always never often usually sometimes just also still already ever even both all not only now then almost rather quite too once soon".split(
    " ",
  ),
);
/** Words before a Roman numeral. */
const NUMBERED = /\b(?:war|part|chapter|section|type|phase|act|volume|book|level|stage|class|division|figure|table)\s+$/i;
const QUOTED = /(["“”][^"“”]*["“”])/u;
const FIRST_PERSON = /(?<![\p{L}'’])(?:I(?:['’](?:m|ve|ll|d))?|me|my|mine|myself)(?![\p{L}'’])/gu;
/** Without one of these "me" may well be Spanish or Italian. */
const ENGLISH = /(?<![\p{L}'’])(?:I|I['’](?:m|ve|ll|d)|[Mm]y|mine|myself)(?![\p{L}'’])/u;
const HAD = /^\s+(?:(?:already|never|just|always|not)\s+)*(?:been|better|had|gone|done|seen|[a-z]+ed)\b/i;

function withS(verb: string): string {
  if (/(?:s|sh|ch|x|z|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const isPast = (verb: string): boolean =>
  UNCHANGING.has(verb) ||
  (/[^e]ed$/.test(verb) && verb.length > 4) ||
  VERB_OF_PAST.has(verb) ||
  IRREGULAR_PASTS.get(verb) === verb;

/** The verb that follows "I" as it follows a name. */
function agree(after: string): string {
  const word = /^(\s+)([\p{L}'’]+)/u.exec(after);
  if (!word) return after;
  const [whole, space = "", verb = ""] = word;
  const folded = verb.toLowerCase().replace("’", "'");
  const rest = after.slice(whole.length);
  if (BETWEEN.has(folded) || (folded.endsWith("ly") && folded !== "fly")) return whole + agree(rest);
  const fixed = FIXED[folded];
  if (fixed) return space + fixed + rest;
  // A word with a capital is no verb: "Anna and I, Ben".
  if (isPast(folded) || verb !== folded || folded === "and" || folded === "or" || folded === "who") return after;
  return space + withS(folded) + rest;
}

/** One stretch without quotation marks. */
function retell(text: string, name: string): string {
  let told = "";
  let rest = text;
  for (;;) {
    FIRST_PERSON.lastIndex = 0;
    const found = FIRST_PERSON.exec(rest);
    if (!found) return told + rest;
    const word = found[0];
    const before = told + rest.slice(0, found.index);
    const after = rest.slice(found.index + word.length);
    if (word === "I" && NUMBERED.test(before)) {
      told = before + word;
      rest = after;
      continue;
    }
    told = before + nameFor(word, name, after);
    rest = word === "I" ? agree(after) : after;
  }
}

function nameFor(word: string, name: string, after: string): string {
  const folded = word.replace("’", "'");
  if (folded === "I'm") return `${name} is`;
  if (folded === "I've") return `${name} has`;
  if (folded === "I'll") return `${name} will`;
  if (folded === "I'd") return `${name} ${HAD.test(after) ? "had" : "would"}`;
  if (folded === "my" || folded === "mine") return `${name}'s`;
  return folded === "myself" ? "themselves" : name;
}

/** @param text what was said, some sentences
 * @param speaker their name; "The user" where it is "user" */
export function toThirdPerson(text: string, speaker: string): string {
  if (!ENGLISH.test(text)) return text;
  const name = speaker === "user" ? "the user" : speaker;
  return splitSentences(text)
    .map((sentence) => {
      const told = sentence
        .split(QUOTED)
        .map((part, at) =>
          at % 2 === 1 ? part : retell(part.replace(/(?<![\p{L}'’])My\b/gu, "my").replace(/(?<![\p{L}'’])Me\b/gu, "me"), name),
        )
        .join("");
      return told.startsWith(name) ? name.charAt(0).toUpperCase() + told.slice(1) : told;
    })
    .join(" ");
}
