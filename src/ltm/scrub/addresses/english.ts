/** English addresses: "221B Baker Street, London NW1 6XE", also in small letters. */

import type { AddressForm } from "./whole.js";
import { ANY_WORD, GOES_ON, LIVES_BEFORE, START, WORD } from "./words.js";

const STREET =
  "street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|square|sq|terrace|way|close|crescent|row|highway|hwy|parkway|pkwy|circle|cir|mews|gardens|walk|alley|grove|hill|park";
/** What a number and some words before it can hardly be but an address. */
const PLAIN_STREET = /^(?:street|avenue|ave|road|rd|boulevard|blvd|lane|terrace|crescent|parkway)$/iu;
/** Words that no street is called by: "2 lane road", "3 people on the street". */
const NO_NAME =
  /^(?:the|an?|of|on|in|at|by|to|from|for|and|or|but|with|down|up|off|over|along|across|into|my|your|his|her|our|their|its?|this|that|these|those|each|every|other|i|we|he|she|they|you|was|were|is|are|had|have|has|lanes?|ways?|miles?|minutes?|mins?|hours?|days?|weeks?|months?|years?|times?|people|persons?|blocks?|meters?|metres?|feet|km|kilomet(?:er|re)s|cars?|doors?|houses?|shops?|star|more|less|new|am|pm|percent|wheel|way|dirt|busy)$/iu;

const UNIT = "(?:,? (?:apt|apartment|unit|flat|suite|ste|floor|#)\\.? ?#?[\\w-]{1,6})";
const UNIT_FIRST = "(?:(?:apt|apartment|unit|flat|suite)\\.? ?#?[\\w-]{1,6},? )?";
const ZIP = "(?:\\d{5}(?:-\\d{4})?|[a-z]{1,2}\\d[a-z\\d]? ?\\d[a-z]{2})";
const STATE =
  "(?:a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|pr|ri|s[cd]|t[nx]|ut|v[at]|w[aivy])";
const TOWNS = `(?:,? ${WORD}(?: ${WORD}){0,2})?`;

export const ENGLISH_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `${START}${UNIT_FIRST}\\d{1,5}[a-z]?,? (?:[nsew]\\.? )?(?<words>(?:(?:${ANY_WORD}|\\d{1,3}(?:st|nd|rd|th)) ){1,4}?)(?<street>(?:${STREET})(?: (?:${STREET})(?![\\p{L}\\p{N}])){0,2})(?![\\p{L}\\p{N}])\\.?(?: (?:[ns][ew]|[nsew])(?!\\p{L}))?${UNIT}?`,
      "giu",
    ),
    accepts: ({ groups = {} }, { before, after }) => {
      const words = (groups.words ?? "").trim().split(" ");
      const street = groups.street ?? "";
      if ([...words, street].every((word) => /^[\p{Lu}\d]/u.test(word))) return true;
      if (words.some((word) => NO_NAME.test(word))) return false;
      return GOES_ON.test(after) && (PLAIN_STREET.test(street.split(" ").at(-1) ?? "") || LIVES_BEFORE.test(before));
    },
    rest: new RegExp(
      `${TOWNS}(?:,? (?:[A-Z]{2} )?(?:\\d{5}(?:-\\d{4})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}))?(?![\\p{Ll}])`,
      "uy",
    ),
  },
  // With its state and code, in whatever case.
  {
    pattern: new RegExp(
      `${START}${UNIT_FIRST}\\d{1,5}[a-z]?,? (?:(?:${ANY_WORD}|\\d{1,3}(?:st|nd|rd|th)),? ){1,8}(?:${STATE} \\d{5}(?:-\\d{4})?|[a-z]{1,2}\\d[a-z\\d]? \\d[a-z]{2})(?![\\p{L}\\p{N}])`,
      "giu",
    ),
    // The state of Indiana is a preposition as well.
    accepts: ({ 0: value }) =>
      !value
        .split(/,? /u)
        .slice(0, -2)
        .some((word) => /^(?:of|in|to|for|is|was|were|are|my)$/u.test(word)),
  },
  // The number last.
  {
    pattern: new RegExp(
      `(?<![\\p{L}])${WORD}(?: ${WORD}){0,2} (?:Street|Avenue|Road|Lane|Boulevard) \\d{1,4}[a-z]?(?![\\p{L}\\p{N}])`,
      "gu",
    ),
    accepts: (_, { after }) => GOES_ON.test(after),
  },
  // A number and words that end in a post code need no word for a street, nor do words and a number before one.
  {
    pattern: new RegExp(
      `${START}\\d{1,5}[A-Za-z]?,? (?:${WORD},? ){2,8}(?:[A-Z]{2} )?(?:\\d{5}(?:-\\d{4})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})(?![\\p{L}\\p{N}])`,
      "gu",
    ),
  },
  { pattern: new RegExp(`(?<![\\p{L}])${WORD}(?: ${WORD}){0,2}, [A-Z]{2} \\d{5}(?:-\\d{4})?(?!\\d)`, "gu") },
  // A code alone, by what it is called.
  { pattern: new RegExp(`\\b(?:zip(?: code)?|post ?code|postal code)(?: is|:)? (?<address>${ZIP})(?![\\p{L}\\p{N}])`, "giu") },
  { pattern: /\b(?:P\.? ?O\.? Box|Postfach|Apartado(?: de correos)?) \d{1,6}\b/giu },
];
