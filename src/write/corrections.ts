/** What a person says about what they said: corrections, withdrawals, and the wish that something be kept (English, German,
 * Spanish, Chinese). */

/** A sentence that takes back something that was said. */
export type Amendment =
  /** Another value holds: `wrong` is the one that does not, where it is named; `explicit` where the words leave no doubt that something
   * said before was a slip. */
  | { readonly kind: "correction"; readonly wrong?: string; readonly explicit: boolean }
  /** What was said before is withdrawn: `about` are the words that tell what, where there are any, `guess` says that it was one, and `alone`
   * that the sentence says nothing else. */
  | { readonly kind: "withdrawal"; readonly about?: string; readonly guess: boolean; readonly alone: boolean };

const LEAD =
  "(?:(?:no|nope|nah|wait|oops|sorry|hm+|ah|oh|ok(?:ay)?|well|actually|hold on|my bad|my mistake|please|so|and|but|nein|halt|moment|entschuldigung|perdón|no no|espera)[,.!…:\\s—–-]+)*";
const at = (source: string): RegExp => new RegExp(`^${LEAD}${source}`, "iu");

/** "I meant X" and "I said X" right a slip; "I meant to call" and "what I meant" do not. */
const MEANT = at(
  "(?:i|we) (?:meant|mean|misspoke|mistyped|should have said)(?! (?:it|well|that|no|every|to (?!say|write|type)|what|business))\\b",
);
const MEANT_LATER =
  /[,;—–-]\s*(?:sorry|no|i mean|or rather|correction),? (?:i (?:meant|mean) )?\p{L}|\bi meant (?:to (?:say|write|type) )\p{L}/iu;
const CORRECTS =
  /^(?:correction|erratum|typo|korrektur|korrigiere|corrección|更正|纠正)\b\s*[:,：，—-]|\b(?:i|we) (?:was|were) (?:wrong|mistaken)\b|\bi (?:misspoke|mistyped|made a mistake|got (?:that|it) wrong|mixed (?:that|it|them|those) up)\b|\blet me correct (?:that|myself)\b|\bi stand corrected\b|\b(?:das|es) (?:war|ist) falsch\b|\bich meinte\b|\bich habe mich (?:geirrt|vertan|versprochen)\b|\bme equivoqu[eé](?!\p{L})|\b(?:quise|quería) decir\b|我说错了|我记错了|说错了|我是说|我的意思是|^不对[,，]/iu;
/** "That's wrong" of what was said before, alone or with what is right. */
const WRONG = at(
  "(?:that|this|it)(?:['’]s| is| was) (?:wrong|incorrect|not right|not true|not correct|outdated|out of date|no longer true|a mistake|a typo)\\b",
);
/** "Actually it's X, not Y", "it is X now, not Y". */
const NOT_BUT: readonly RegExp[] = [
  /(?:^|[\s,])(?:it|that|this|he|she|they|\p{L}[\p{L}\p{N} '’-]{0,60}?)(?:['’]s|['’]re| is| are| was| were) (?:actually |now |really )?([^,;.]{1,60}?)(?:,| and) not (?!only|just|really|very|that|sure|at all|yet|anymore|any more|because|so|too|to )([^,;.]{1,60})/iu,
  /\bnot ((?!only|just|really|sure)[^,;.]{1,40}?),? but (?:rather |actually )?([^,;.]{1,60})/iu,
  /()[,—–-] (?:and )?not (?!only|just|really|very|that|sure|at all|yet|anymore|any more|because|so|too|to |for |by |from )([^,;.]{1,40})[.!]*$/iu,
  /\b(?:i|we) (?:meant|mean) ([^,;.]{1,60}?),? not ([^,;.]{1,60})/iu,
  /\bnicht ([^,;.]{1,40}?),? sondern ([^,;.]{1,60})/iu,
  /\bno (?:es |son |era )?([^,;.]{1,40}?),? sino ([^,;.]{1,60})/iu,
  /不是([^，。；,]{1,20}?)[，,]?\s?(?:而)?是([^，。；,]{1,30})/u,
  /是([^，。；,]{1,30}?)[，,]?\s?(?:而)?不是([^，。；,]{1,20})/u,
];
/** Which group of the pattern above is the wrong value. */
const WRONG_GROUP: readonly number[] = [2, 1, 2, 2, 1, 1, 1, 2];
const ACTUALLY =
  /^(?:(?:no|wait|oh|sorry|hm+|well|ah)[,.!\s—–-]+)*(?:actually|eigentlich|tatsächlich|en realidad|其实|实际上)[,，\s]|^(?:(?:no|wait|oops|sorry|nein|perdón)[,.!\s—–-]+)+(?:it|that|he|she|they|we|i|es|das)(?:['’]s| is| was| are|['’]re|['’]m| am| ist| war)\b/iu;

const WHAT =
  "(?:(?:that|this|my|the)(?: last| previous| first| earlier| old| original)? (?:guess|idea|theory|plan|assumption|suspicion|note|point|hypothesis|statement|comment|part)|what (?:i|we) (?:just |previously |last )?(?:said|told you|wrote|asked)|the last (?:one|bit|part|message|sentence|thing|point)|that|this)";
const WITHDRAWS = at(
  `(?:scratch|scrap|strike|forget|disregard|ignore|drop|cancel|undo|delete) (${WHAT})(?![\\p{L}'’])(?:\\s+(?:about|regarding|on|that|with|where) ([^.;!?]+))?`,
);
/** After the sentence's own news: "…, so scrap that guess". */
const WITHDRAWS_LATER =
  /[,;:—–-]\s*(?:so |and |then |but )*(?:scratch|scrap|strike|disregard|ignore|forget) ((?:that|this|my)(?: last| previous| first| earlier)?(?: (?:guess|idea|theory|plan|assumption|suspicion|hypothesis|part))?)\b(?! (?:i|you|we|he|she|they)\b)/iu;
const TAKES_BACK = at(
  "(?:i|we) (?:take (?:that|it|this) back|withdraw (?:that|this|it|my)|made (?:that|it|all that) up|was(?: just| only)? (?:kidding|joking)|['’]m (?:just )?(?:kidding|joking))\\b|(?:just|only) (?:kidding|joking)\\b|jk\\b",
);
const FOREIGN =
  /^(?:nein, |ach, )?(?:vergiss|streich|ignorier\p{L}*) (?:das|die letzte|was ich gesagt)|\b(?:war|ist) nur (?:ein )?(?:spaß|scherz|witz)\b|\bnehme? das zurück\b|^(?:no, )?(?:olvida|borra|ignora) (?:eso|lo que (?:he dicho|dije))|\bera (?:una )?broma\b|\bretiro lo dicho\b|^(?:算了[,，。]?(?:忘|别|不)|当我没说|忘了(?:这|那)(?:个|句|件)|忘掉(?:这|那)|开玩笑的|作废)|我收回/iu;
const GUESS_WORD = /\b(?:guess|theory|assumption|suspicion|hypothesis|idea|hunch|vermutung|theorie|suposición|teoría)\b/iu;

/** What a sentence of a person's own turn amends; undefined for one that only tells something. */
export function amendmentIn(sentence: string): Amendment | undefined {
  const text = sentence.trim();
  if (text.length > 400 || /[?？]["'”]?$/u.test(text)) return undefined;
  const withdrawn = WITHDRAWS.exec(text) ?? WITHDRAWS_LATER.exec(text);
  if (withdrawn) {
    const about = withdrawn[2]?.replace(/^(?:that|i said|i told you)\s+/iu, "");
    return {
      kind: "withdrawal",
      guess: GUESS_WORD.test(withdrawn[1] ?? ""),
      alone: isAlone(text, withdrawn),
      ...(about && { about }),
    };
  }
  const takenBack = TAKES_BACK.exec(text) ?? FOREIGN.exec(text);
  if (takenBack) return { kind: "withdrawal", guess: false, alone: isAlone(text, takenBack) };
  const wrong = wrongValue(text);
  const explicit = MEANT.test(text) || MEANT_LATER.test(text) || CORRECTS.test(text) || WRONG.test(text);
  if (explicit || wrong !== undefined)
    return { kind: "correction", explicit: explicit || ACTUALLY.test(text), ...(wrong && { wrong }) };
  return ACTUALLY.test(text) && text.length <= 100 ? { kind: "correction", explicit: false } : undefined;
}

/** Whether a word or two at most stand beside what was matched. */
function isAlone(text: string, { 0: matched, index }: RegExpExecArray): boolean {
  const rest = text.slice(0, index) + text.slice(index + matched.length);
  return (rest.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu)?.length ?? 0) <= 2;
}

const TAIL = /\s(?:but|because|as|since|anymore|any more|though|and|sondern|sino|aber|pero)\b.*$/iu;

/** The value that a sentence says does not hold: "Porto, not Lisbon". */
function wrongValue(text: string): string | undefined {
  for (const [index, pattern] of NOT_BUT.entries()) {
    const value = pattern.exec(text)?.[WRONG_GROUP[index] as number];
    if (value !== undefined) return value.replace(TAIL, "").trim();
  }
  return undefined;
}

const KEEP_IT = new RegExp(
  `^(?:(?:please|pls|ok(?:ay)?|and|also|oh|hey|important|bitte|por favor)[,!:\\s]+)*(?:(?:can|could|will) you (?:please )?)?` +
    `(?:(?:remember|note|memori[sz]e|save|store|keep in mind|write down|don['’]t (?:ever )?forget|do not forget|never forget|make a note)(?:\\s+(?:that|this|down that|for (?:later|me|next time))\\b|\\s*[:：,]|\\s+(?:my|i|our|the|we)\\b)|for the record[,:]|` +
    `merk(?:e)? dir[,:\\s]|vergiss (?:bitte )?nicht[,:\\s]|denk(?:e)? daran[,:\\s]|recuerda[,:\\s]|no olvides|ten en cuenta|apunta[,:\\s]|(?:请|你要)?(?:记住|记下|记得|别忘|不要忘))`,
  "iu",
);

/** Whether a person asks for a sentence to be kept: "remember that …", "do not forget: …". "Remember when …?" asks something. */
export function asksToKeep(sentence: string): boolean {
  return (
    KEEP_IT.test(sentence.trim()) &&
    !/[?？]["'”]?\s*$/u.test(sentence) &&
    !/^remember,? (?:when|how|the time)\b/iu.test(sentence.trim())
  );
}
