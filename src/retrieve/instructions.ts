/** Standing instructions: how a person wants to be answered. A question after them seldom shares a word with one ("How should replies be
 * written?" – "No preamble, keep it curt"), so they are known by what they speak of. Patterns are data: English, German, Spanish, Chinese. */

import type { Entry } from "../types.js";

/** Asks how the assistant is to speak, write or behave towards the person. */
const ASKED =
  /\bhow (?:should|shall|do|would|must|can) (?:you|(?:your |the |my )?(?:answers?|repl(?:y|ies)|responses?|messages?|e-?mails? to me))\b[^?.]*\b(?:answer\w*|repl\w+|respon\w+|writ\w+|phras\w+|format\w*|word\w*|look|sound|speak|talk|address|be)\b|\bhow (?:do|would) i (?:like|want|prefer) (?:my |your |the |to be )?(?:answers?|repl\w+|responses?|answered|addressed)\b|\b(?:answer|reply|response|writing)(?:ing)? (?:style|format|tone|length|preferences?)\b|\bwie (?:soll(?:en|st)?|möchte ich|will ich)\b[^?.]*\b(?:antwort\w*|schreib\w*|formulier\w*)\b|\bc[oó]mo (?:debes?|deben|quiero|prefiero)\b[^?.]*\b(?:respond\w*|respuestas?|escrib\w*)\b|(?:怎么|怎样|如何)(?:回答|回复|答复|写)/iu;

/** Speaks of the manner of an answer. */
const MANNER =
  /\b(?:curt|concise|brief(?:ly)?|terse|succinct|short(?:er)?|verbose|wordy|long-winded|detailed|in detail|preambles?|small talk|summar(?:y|ies)|summing[- ]up|bullet points?|bullets|lists?|tables?|paragraphs?|headings?|emojis?|jargon|plain (?:words|language|english|text)|simple words|tone|formal(?:ly)?|informal(?:ly)?|polite(?:ly)?|casual(?:ly)?|blunt(?:ly)?|direct(?:ly)?|straight to the point|to the point|step by step|apolog\w+|disclaimers?|flattery|compliments?|metric|first name|answers?|repl(?:y|ies)|responses?|sentences?|kurz|knapp|ausführlich|einleitung|förmlich|duzen|siezen|antworte\w*|stichpunkte\w*|breve(?:s|mente)?|conciso|directo|sin rodeos|respuestas?|tutea\w*)\b|简短|简洁|直接|啰嗦|客套|语气|称呼|要点|回答|回复/giu;

/** Wishes or forbids. */
const WISH =
  /\b(?:i (?:like|prefer|want|need|hate|dislike|love)|i['’]d (?:like|prefer|rather)|please|always|never|don['’]t|do not|no|without|skip|avoid|stop|keep|use|give me|call me|answer|reply|respond|write|speak|ich mag|ich möchte|bitte|immer|nie|kein\w*|ohne|prefiero|quiero|siempre|nunca|sin)\b|我(?:喜欢|不喜欢|希望|想)|请|不要|别|总是/iu;

/** An instruction is a sentence or two; what is longer only mentions the manner of something. */
const MAX_LENGTH = 300;

/** Whether a question asks how to answer the person. */
export function asksForInstructions(question: string): boolean {
  return ASKED.test(question);
}

/** Whether an entry is a person's wish for how to be answered: it wishes, and speaks of the manner of an answer. */
export function isInstruction(entry: Entry): boolean {
  const text = entry.indexText;
  if (entry.sources[0]?.role !== "user" || text.length > MAX_LENGTH || !WISH.test(text)) return false;
  return (text.match(MANNER)?.length ?? 0) > 0;
}
