/** Tells a question from a statement, as far as the page needs to: it has no model to do so. */

const OPENERS =
  /^(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should|have|has|had|tell me|remind me|remember (?:when|what|where|who)|wer|wen|wem|was|wann|wo|wohin|woher|welche[rsnm]?|warum|wieso|wie|hast|habe|bin|ist|sind|war|kannst)\b/iu;

const CHINESE = /(?:什么|哪|谁|几点|多少|怎么|为什么|吗)[^。!]*$/u;

/** @returns true for what ends in a question mark, opens like a question in English or German, or asks in Chinese */
export function isQuestion(text: string): boolean {
  const trimmed = text.trim();
  return /[?？¿؟]["'”’)\]]*$/u.test(trimmed) || (!/[.!]$/u.test(trimmed) && (OPENERS.test(trimmed) || CHINESE.test(trimmed)));
}
