/** Signs of an identity that no detector of names knows: placeholders, the ids of users, and words that are written as somebody's name. */

import { ENGLISH_STOP_WORDS } from "../text/stopwords.js";
import { folded } from "./scrub/folded.js";

const TYPES = "PERSON|EMAIL|PHONE|ADDRESS|URL|IBAN|CARD|ID|IP|KEY|BIRTHDATE|USERNAME|LITERAL";
/** Whole or in part, in either case, with or without its brackets. */
const PLACEHOLDER = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${TYPES})_+[a-z2-7]{4,}|(?<![\p{L}\p{N}])(?:${TYPES})[\s:-]+(?=[a-z]*[2-7])[a-z2-7]{8}(?![\p{L}\p{N}])|[[<{]\s*(?:${TYPES})\s*(?:_|[\]>}])`,
  "iu",
);

export function hasPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(folded(text).text);
}

const RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** A shorter id is no name of anybody; shorter parts of one, and those without a digit, are words of everybody. */
const MIN_ID = 3;
const MIN_PART = 4;

/** Ids of users, to be found in texts: whole, as what stands before the "@", or by a part with digits in it; also in base64. */
export class UserIds {
  readonly #sequences: readonly string[];

  constructor(ids: readonly string[]) {
    const sequences = ids.flatMap((id) => {
      const [local = ""] = id.split("@");
      const parts = wordsOf(id).filter((part) => part.length >= MIN_PART && /\p{Nd}/u.test(part) && /\p{L}/u.test(part));
      return [wordsOf(id), wordsOf(local), ...parts.map((part) => [part])];
    });
    const telling = sequences.map((words) => words.join(" ")).filter((words) => words.length >= MIN_ID);
    this.#sequences = [...new Set(telling.filter((words) => !ENGLISH_STOP_WORDS.has(words)).map((words) => ` ${words} `))];
  }

  isIn(text: string): boolean {
    if (this.#sequences.length === 0) return false;
    const hidden = [...text.matchAll(RUN)].map(([run]) => decoded(run));
    return [text, ...hidden].some((one) => {
      const words = ` ${wordsOf(one).join(" ")} `;
      return this.#sequences.some((sequence) => words.includes(sequence));
    });
  }
}

function wordsOf(text: string): string[] {
  return folded(text, { plain: true }).text.match(WORD) ?? [];
}

/** "" for what is not base64. */
function decoded(run: string): string {
  try {
    const bytes = atob(run.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return "";
  }
}

const NAME = String.raw`\p{Lu}[\p{Ll}’'-]+(?:-\p{Lu}\p{Ll}+)?`;
/** What people do, and things with names of two words do not. */
const DOES = String.raw`(?:drinks|plays|likes|loves|hates|works|says|said|thinks|wants|enjoys|prefers|studies|teaches|wears|reads|writes|wrote|cooks|bakes|speaks|knows|feels|visits|visited|went|moved|married|bought|sings|paints|dances|collects|owns|adopted|hat einen|hat eine|trinkt|isst|wohnt|arbeitet|heißt|mag|bebe|trabaja|estudia|vive en|se llama|(?:has|had) an? (?:dog|cat|son|daughter|sister|brother|wife|husband|job|cold|headache|allergy|friend|child|baby|house|car)|(?:is|was) an? (?:\p{Ll}+ )?(?:nurse|teacher|doctor|dentist|engineer|lawyer|writer|author|singer|actor|actress|painter|politician|president|player|mother|father|friend|student|colleague|manager|chef))(?!\p{L})`;
const PERSON = new RegExp(String.raw`(?<!\p{L}|[Tt]he )(${NAME})\s(${NAME})(?:['’]s\s|,?\s(?:and\s${NAME}\s)?${DOES})`, "gu");
const TITLED = /(?<!\p{L})(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Señora?|Sra?|Don|Doña)\.?\s\p{Lu}\p{Ll}+/u;
/** Begin or end the names of places, peoples, kinds and companies; and what begins a sentence. */
const OF_THINGS = new Set(
  "new san santa los las saint st mount lake river north south east west northern southern eastern western great golden black white red green blue big little old real united royal national international world star high long grand royal hong sri costa puerto buenos rio el la the a an every each most many some all no this these in on at of and if when where while because children people cats dogs green tea coffee beer wine city town park street road tower bridge university college school museum hotel airport station church cathedral castle island islands ocean sea forest mountains valley desert canyon beach bay coast republic kingdom states america africa asia europe zealand korea ireland wales england york francisco angeles kong lanka rica rico aires war wars games cup league day eve year festival club team band orchestra company bank market airlines motors retriever shepherd terrier poodle beagle hound cat dog bear wolf fox monkey bird shark whale lion tiger monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december".split(
    " ",
  ),
);

/** Whether a text has two capitalised words that do what a person does, or a title with a name. Detectors of names know better; this is
 * for where none is loaded. */
export function looksLikePerson(text: string): boolean {
  const seen = folded(text).text;
  if (TITLED.test(seen)) return true;
  return [...seen.matchAll(PERSON)].some(([, given = "", family = ""]) =>
    [given, family].every((word) => !OF_THINGS.has(word.toLowerCase())),
  );
}
