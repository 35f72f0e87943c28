/** Whether a sentence denies, and whether it only wishes, plans, asks or guesses (English, German, Spanish, Chinese). */

/** Denials that deny nothing: "don't forget", "no doubt", "No, I meant …". */
const IDLE =
  /\b(?:(?:do not|don['’]t|never) (?:forget|hesitate|worry)|not only|no doubt|no (?:problem|worries|wonder)|can(?:no|['’])t (?:wait|help)|cannot wait|nothing but|why not|not to mention|if not|whether or not|vergiss nicht|nicht nur|no olvides|no solo|sin duda)\b|别忘|不要忘|不用谢|没问题|不错|不仅|不只|^(?:no|nope|nah|nein|不|不是)[,，.!:]\s*/giu;
const NEGATION =
  /\b(?:not|no|never|without|none|nothing|nobody|nowhere|neither|nor|cannot|hardly|barely|nicht|kein\p{L}*|nie|niemals|ohne|nichts|niemand|kaum|nunca|jamás|sin|nada|nadie|ningun\p{L}*|tampoco)(?!\p{L})|n['’]t\b|[不没沒無无未莫非]|别(?!的|人)/giu;
/** Ends that are denials in all but grammar: who stopped eating meat does not eat it. */
const CEASED =
  /\b(?:stop(?:ped|s)?|quit|gave up|given up|cease[ds]?|used to|hate[sd]?|dislike[sd]?|avoid(?:s|ed)?|can['’]t stand|gone off|went off|refuse[sd]?|allergic|forbidden|banned|prohibited|disallowed|aufgehört|hasse|dejé|odio)\b|讨厌|戒/iu;
const WISH =
  /\b(?:want(?:s|ed)? (?:to|a|an|the|my)|wish(?:es|ed)?|would (?:like|love|rather)|['’]d (?:like|love|rather)|i['’]ll|will|shall|going to|gonna|plan(?:s|ned|ning)?|intend(?:s|ed)?|consider(?:s|ed|ing)?|thinking (?:of|about)|hop(?:e|es|ed|ing)|aim(?:s|ing)? to|might|may|maybe|perhaps|could|should|what if|how about|if (?:i|we|she|he|they)|dream of|möchte\p{L}*|würde\p{L}*|vielleicht|plane|hoffe|vorhabe|quiero|quisiera|me gustaría|voy a|pienso|quizás?|tal vez|ojalá)\b|想(?!起|到|念)|打算|计划|計劃|希望|可能|也许|如果|要是/iu;
const GUESS =
  /\b(?:guess(?:es|ed)?|suspect(?:s|ed)?|i think|i believe|i assume|presumably|probably|possibly|seems?|apparently|supposedly|wonder(?:ing)?|not sure|unsure|glaube|vermute|vermutlich|wahrscheinlich|creo que|supongo|probablemente)\b|我猜|估计|大概|觉得/iu;
const QUESTION = /[?？؟]["'”’)\]]*\s*$/u;

export function isNegated(sentence: string): boolean {
  return negations(sentence).length > 0;
}

/** Where a sentence denies: the end of each word that does. */
export function negations(sentence: string): number[] {
  const read = sentence.replace(IDLE, (match) => " ".repeat(match.length));
  return [...read.matchAll(NEGATION)].map((match) => match.index + match[0].length);
}

/** Denies, or says that something came to an end or is disliked. */
export function isNegative(sentence: string): boolean {
  return isNegated(sentence) || CEASED.test(sentence);
}

export function isWish(sentence: string): boolean {
  return WISH.test(sentence);
}

export function isGuess(sentence: string): boolean {
  return GUESS.test(sentence);
}

/** Wished, asked or guessed rather than asserted. */
export function isOpen(sentence: string): boolean {
  return isWish(sentence) || isGuess(sentence) || QUESTION.test(sentence);
}
