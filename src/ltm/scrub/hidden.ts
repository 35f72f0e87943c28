/** Identities that are written in base64 or as hexadecimal bytes. */

import { type IdentitySpan, spansOf } from "./span.js";

/** After "=" or "/" it may begin; padding ends it. */
const BASE64 = /(?<![\w+-])[A-Za-z0-9+/_-]{6,}(?:={1,2}|(?![\w+/=-]))/gu;
const HEXADECIMAL = /(?<![\p{L}\p{N}])(?:[\da-f]{2}[ :]?){4,}(?![\p{L}\p{N}])/giu;
/** A text in base64 has letters of both cases, or digits; a word of prose has a capital at most in its first place. */
const NO_WORD = /^.+[A-Z\d=]/u;
/** Within bytes that are no text throughout, less is chance. */
const SURE_LENGTH = 6;
/** Base64 of base64. */
const DEPTH = 2;

/** @param identities of a text that is not hidden */
export function findHidden(text: string, identities: (text: string) => readonly IdentitySpan[], depth = DEPTH): IdentitySpan[] {
  const holds = (decoded: string): boolean => {
    const found = identities(decoded);
    const isText = !decoded.includes("�") && !/(?![\t\n\r])\p{Cc}/u.test(decoded);
    if (isText ? found.length > 0 : found.some(({ start, end }) => end - start >= SURE_LENGTH)) return true;
    return isText && depth > 1 && findHidden(decoded, identities, depth - 1).length > 0;
  };
  return [
    ...spansOf("KEY", text, BASE64, (value) => NO_WORD.test(value) && readings(value).some(holds)),
    ...spansOf("KEY", text, HEXADECIMAL, (value) => holds(textOf(bytesOf(value)))),
  ];
}

/** Of a run that may begin with something else, as a path or a name: from each of four places. */
function readings(value: string): string[] {
  const letters = value.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/u, "");
  return [0, 1, 2, 3].flatMap((from) => {
    const run = letters.slice(from);
    if (run.length < 6) return [];
    // A last letter alone holds no byte.
    const decoded = atob(run.length % 4 === 1 ? run.slice(0, -1) : run);
    return [textOf(Uint8Array.from(decoded, (character) => character.charCodeAt(0)))];
  });
}

function bytesOf(value: string): Uint8Array {
  return Uint8Array.from(value.match(/[\da-f]{2}/giu) ?? [], (pair) => Number.parseInt(pair, 16));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
