/** Addresses with their town, whatever their street is called. */

import { ANY_PART, ANY_WORD, ARTICLE, PART } from "./words.js";

/** Where an address stands. */
interface Around {
  readonly before: string;
  readonly after: string;
}

export interface AddressForm {
  /** Its group "address", or all of it. */
  readonly pattern: RegExp;
  readonly accepts?: (match: RegExpMatchArray, around: Around) => boolean;
  /** What may go on right after it; sticky. */
  readonly rest?: RegExp;
}

export const TOWN_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}])${PART}(?:[ -](?:${ARTICLE}|${PART})){0,8},? \\d{1,4} ?[a-z]?, \\d{5} ${PART}(?:[ -](?:${ARTICLE}|${PART})){0,6}(?: \\(${PART}\\))?`,
      "gu",
    ),
  },
];

/** A street, its number, a code and a town in small letters, right after the word that somebody lives there: up to the clause's end,
 * with a preposition that may be the street's own. */
export const TOLD_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}])(?:wohn\\p{L}{1,3}|leb\\p{L}{1,3}|adresse|anschrift|schick\\p{L}{0,3}|sende?|liefer\\p{L}{0,3}|gezogen|viv\\p{L}{1,4}|dirección|domicilio|env[ií]a\\p{L}{0,4}|manda\\p{L}{0,4}|live[sd]?|address|send|ship|deliver|moved)(?: es| is| ist| lautet)?:? (?<address>(?:${ANY_WORD}[ ,]{1,2}){1,9}\\d{1,4} ?[a-z]?,? \\d{5} ${ANY_PART}(?:[ -]${ANY_PART}){0,6}(?: \\(${ANY_PART}\\))?)(?=[.,;!?)\\n]|$)`,
      "giu",
    ),
  },
];
