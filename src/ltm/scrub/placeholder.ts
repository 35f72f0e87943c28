/** Placeholders: `[PERSON_k3vq7d2a]`, and `[PERSON_k3vq7d2a:x2ab]` for another form of the same name.
 *
 * They come from a key of this user that never leaves the device, so the same person has the same placeholder in every call, nobody
 * else can tell from one who it was, and a job that is resumed reads its answer. */

import type { IdentitySpan } from "./span.js";

export const PLACEHOLDER = /\[[A-Z]+_[a-z2-7]{8}(?::[a-z2-7]{4})?\]/gu;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 40 bits: of ten thousand identities two share a label once in 20,000 users. */
const LABEL_LENGTH = 8;
const FORM_LENGTH = 4;

/** @param key HMAC with SHA-256 */
export async function placeholderOf(key: CryptoKey, { type, identity }: IdentitySpan, text: string): Promise<string> {
  const whole = identity ?? text;
  const label = await code(key, `${type}\n${whole}`, LABEL_LENGTH);
  // The name as it is listed needs no mark; every other form gets one, so that each is restored as it stood.
  const form =
    identity === undefined || text === identity ? "" : `:${await code(key, `${type}\n${whole}\n${text}`, FORM_LENGTH)}`;
  return `[${type}_${label}${form}]`;
}

async function code(key: CryptoKey, text: string, length: number): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, length), (byte) => ALPHABET[byte & 31]).join("");
}
