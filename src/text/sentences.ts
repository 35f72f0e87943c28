/** Splits a text into sentences, as slices of it, in one pass. */

/** Never the last word of a sentence: titles, and words that something always follows. */
const OPEN_ABBREVIATIONS = new Set(
  (
    "mr mrs ms mx dr prof st mt ft gen col sgt capt lt cmdr rev hon gov sen rep pres messrs mme mlle vs v cf eg ie e.g i.e viz approx ca fig figs " +
    "vol vols pp op ed eds dept univ assn bros est min max tel ext feat incl excl resp aka a.k.a " +
    // German
    "hr fr frl nr bzw z.b d.h u.a z.t evtl ggf inkl zzgl vgl str bspw sog geb " +
    // Spanish, French, Italian
    "sr sra srta dra ud uds pág núm p.ej sig sigg dott"
  ).split(" "),
);

/** May end a sentence: they do when a word that usually opens one follows. */
const CLOSING_ABBREVIATIONS = new Set(
  (
    "etc inc ltd co corp llc jr esq phd ph.d m.d b.a m.a b.sc m.sc a.m p.m am pm u.s u.k u.s.a u.n e.u d.c l.a n.y " +
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun " +
    "ave blvd rd sq hwy apt hrs hr mins sec secs yr yrs mo wk wks lb lbs oz kg km cm mm usw usf"
  ).split(" "),
);

/** Words that often open a sentence and seldom follow an abbreviation inside one. */
const OPENERS = new Set(
  (
    "i i'm i've i'd i'll he she it we they you he's she's it's we're we've they're you're the this that these those there here a an but and so or " +
    "then after before when while what who why how where my our your his her their if in on at for as once now today yesterday tomorrow also however " +
    "maybe perhaps still just not no yes please thanks thank let let's can could would should do does did is are was were have has had since because " +
    "although though nobody everyone everything one some all both another ich er sie es wir ihr das der die ein eine und aber dann danach heute " +
    "gestern morgen el ella ellos la los las un una y pero entonces ayer hoy mañana"
  ).split(" "),
);

const GERMAN_MONTHS = new Set(
  "januar jänner februar märz april mai juni juli august september oktober november dezember".split(" "),
);

const TERMINATOR = /[.!?…。！？｡؟۔।\n\r\u2028\u2029]/gu;
const CLUSTER = /[.!?…。！？｡؟۔।]*/uy;
/** Closing quotes and brackets that belong to the sentence before them. */
const CLOSERS = /["'”’»)\]）】」』〉》*_]*/uy;
const SPACE = /[^\S\n\r\u2028\u2029]*/uy;
/** Emoji after the full stop belong to the sentence they comment on. */
const EMOJI = /(?:(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u200d|\ufe0f)[^\S\n\r]*)+/uy;
const NEXT_WORD = /["'“‘«([¿¡*_]*([\p{L}\p{N}][\p{L}\p{N}'’.]{0,23})/uy;
const WORD_BEFORE = /[\p{L}\p{N}][\p{L}\p{N}.'’]*$/u;
const LIST_MARKER = /^\s*(?:[-*•]\s*)?[([]?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]$/u;
const CJK_TERMINATOR = /[。！？｡]/u;
const SAID_IN_CHINESE = /[\p{Script=Han}]{0,4}[说說道问問喊答叫想]|[，,]/uy;
/** A line at least this long that stops without punctuation was wrapped by an editor, if a small letter goes on. */
const WRAPPED_LINE = 50;

/** Matches a sticky pattern at `index`; its length, or 0. */
function lengthAt(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0].length ?? 0;
}

function nextWord(text: string, index: number): string {
  NEXT_WORD.lastIndex = index;
  return NEXT_WORD.exec(text)?.[1] ?? "";
}

const isLower = (word: string): boolean => /^\p{Ll}/u.test(word);

/** Whether a full stop at `dot` (an index of the text) ends the sentence that began at `start`, given the word after it. */
function stopEnds(text: string, start: number, dot: number, next: string): boolean {
  const window = text.slice(Math.max(start, dot - 24), dot);
  const word = WORD_BEFORE.exec(window)?.[0] ?? "";
  if (dot - start <= 8 && LIST_MARKER.test(text.slice(start, dot + 1))) return false;
  const lower = word.toLowerCase();
  const opens = OPENERS.has(next.toLowerCase().replaceAll("’", "'").replace(/\.$/u, ""));
  if (OPEN_ABBREVIATIONS.has(lower)) return false;
  // "No. 5" is a number, "No. I stay" an answer.
  if (lower === "no" || lower === "p" || lower === "art" || lower === "abs") return !/^\d/u.test(next);
  if (CLOSING_ABBREVIATIONS.has(lower)) return /^\p{Lu}/u.test(next) && opens;
  if (/^\d{1,2}$/u.test(word) && GERMAN_MONTHS.has(next.toLowerCase())) return false;
  if (/^\p{Lu}$/u.test(word)) {
    // "Sarah J. Parker", but "so do I. Then", "vitamin C. It".
    if (word === "I" && !/\p{Lu}\p{L}+ I$/u.test(window)) return true;
    return opens && !/(?:^|\s)\p{Lu}\.?\s*\p{Lu}$/u.test(window);
  }
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return opens && /^\p{Lu}/u.test(next);
  return true;
}

/** Whether the sentence ends between its terminators and what follows.
 * @param first index of the first terminator; `end` the index after terminators and closing marks; `after` of what follows */
function endsAt(text: string, start: number, first: number, clusterEnd: number, end: number, after: number): boolean {
  if (after >= text.length) return true;
  const mark = text.slice(first, Math.min(clusterEnd, first + 3));
  if (CJK_TERMINATOR.test(mark)) return end === clusterEnd || lengthAt(SAID_IN_CHINESE, text, end) === 0;
  // Decimals, URLs, versions, file names: no white space, no end.
  if (after === end) return false;
  const next = nextWord(text, after);
  const quoted = end > clusterEnd;
  if (isLower(next) && (quoted || mark.startsWith("…") || mark.startsWith(".."))) return false;
  if (mark === ".") return quoted || stopEnds(text, start, first, next);
  // A name with a mark in it.
  return !(mark === "!" && isLower(next) && /\bYahoo$/u.test(text.slice(Math.max(start, first - 6), first)));
}

/** Whether a line break inside a paragraph is only where an editor wrapped the line. */
function isWrapped(text: string, start: number, at: number): boolean {
  if (at - start < WRAPPED_LINE || /[,:;]?\s*$/u.exec(text.slice(at - 1, at))?.[0] === ":") return false;
  const after = text[at] === "\r" && text[at + 1] === "\n" ? at + 2 : at + 1;
  const line = Math.max(text.lastIndexOf("\n", at - 1), start - 1);
  return at - line > WRAPPED_LINE && /^\p{Ll}/u.test(text.slice(after, after + 2));
}

/** Sentences of a text, in order, as trimmed slices: joined, they are the text up to white space.
 *
 * Ends at . ! ? … and their CJK, Arabic and Hindi kin and at line breaks; not inside abbreviations, initials, decimals,
 * URLs, list numbers or before "she said". Emoji after a sentence stay with it. Linear in the length; "" gives []. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  const cut = (end: number): void => {
    const sentence = text.slice(start, end).trim();
    if (sentence !== "") sentences.push(sentence);
    start = end;
  };
  TERMINATOR.lastIndex = 0;
  for (let match = TERMINATOR.exec(text); match !== null; match = TERMINATOR.exec(text)) {
    const first = match.index;
    const resume = TERMINATOR.lastIndex;
    if (/[\n\r\u2028\u2029]/u.test(match[0])) {
      if (!isWrapped(text, start, first)) cut(first + 1);
      TERMINATOR.lastIndex = resume;
      continue;
    }
    const clusterEnd = first + lengthAt(CLUSTER, text, first);
    const end = clusterEnd + lengthAt(CLOSERS, text, clusterEnd);
    let after = end + lengthAt(SPACE, text, end);
    const emoji = lengthAt(EMOJI, text, after);
    const stop = emoji > 0 ? after + emoji : end;
    after += emoji;
    if (after < text.length && /[\n\r\u2028\u2029]/u.test(text[after] ?? "")) cut(stop);
    else if (
      emoji > 0 ? !isLower(nextWord(text, after)) || text[first] !== "." : endsAt(text, start, first, clusterEnd, end, after)
    )
      cut(stop);
    TERMINATOR.lastIndex = Math.max(clusterEnd, start);
  }
  cut(text.length);
  return sentences;
}
