/** Base64 of any number of bytes. */

/** Characters that a call can take as arguments. */
const PART = 8_192;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += PART) text += String.fromCharCode(...bytes.subarray(from, from + PART));
  return btoa(text);
}

/** @throws DOMException for what is no base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
