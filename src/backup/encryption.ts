/** Encryption of frames under a password; what is bound to what is said in format.ts. */

import { MemoryError } from "../errors.js";
import { fromBase64, toBase64 } from "./base64.js";
import { type BackupEncryption, ITERATIONS } from "./format.js";
import { type Is, isCount, isText, shapeOf } from "./shapes.js";

/** Fewer were never written; more would only hold up who opens a file that was tampered with. */
const MAX_ITERATIONS = 20_000_000;
const SALT_BYTES = 16;
const NONCE_BYTES = 8;
const CHECK_BYTES = 8;

/** Encrypts or decrypts bodies of one backup. */
export interface FrameCipher {
  encrypt(body: Uint8Array, index: number, isLast: boolean): Promise<Uint8Array>;
  /** @throws OperationError for a body that was altered or stands elsewhere */
  decrypt(body: Uint8Array, index: number, isLast: boolean): Promise<Uint8Array>;
}

const isBase64: Is = (value) => typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);

/** Whether it can be told from it what is known of an encryption; not, whether that is one of ours. */
export const isEncryption = shapeOf<{ readonly [Field in keyof BackupEncryption]: unknown }>(
  { kdf: isText, iterations: isCount, salt: isBase64, cipher: isText, nonce: isBase64, check: isText },
  {},
);

export interface Encryption {
  /** For the header. */
  readonly described: BackupEncryption;
  /** @param header the bytes of frame 0 */
  bindTo(header: Uint8Array): FrameCipher;
}

/** A fresh key from a password.
 * @throws MemoryError "unsupported" without WebCrypto */
export async function newEncryption(password: string): Promise<Encryption> {
  const subtle = webCrypto();
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const { key, check } = await derive(subtle, password, salt, ITERATIONS);
  return {
    described: {
      kdf: "PBKDF2-SHA-256",
      iterations: ITERATIONS,
      salt: toBase64(salt),
      cipher: "AES-256-GCM",
      nonce: toBase64(nonce),
      check: toBase64(check),
    },
    bindTo: (header) => cipherOf(subtle, key, nonce, header),
  };
}

/** The key of a backup that was written before.
 * @throws MemoryError "wrong-password" | "unsupported" */
export async function knownEncryption(described: BackupEncryption, password: string | undefined): Promise<Encryption> {
  if (password === undefined)
    throw new MemoryError("wrong-password", "the backup is encrypted: pass the password that it was made with");
  const { kdf, cipher, iterations } = described;
  const nonce = fromBase64(described.nonce);
  const isOurs = kdf === "PBKDF2-SHA-256" && cipher === "AES-256-GCM" && nonce.length === NONCE_BYTES;
  const isKnown = isOurs && iterations >= ITERATIONS && iterations <= MAX_ITERATIONS;
  if (!isKnown) throw new MemoryError("unsupported", `this version reads no backup under ${kdf} × ${iterations} and ${cipher}`);
  const subtle = webCrypto();
  const { key, check } = await derive(subtle, password, fromBase64(described.salt), iterations);
  if (toBase64(check) !== described.check)
    throw new MemoryError("wrong-password", "the password is not the one that the backup was made with");
  return { described, bindTo: (header) => cipherOf(subtle, key, nonce, header) };
}

async function derive(subtle: SubtleCrypto, password: string, salt: Uint8Array<ArrayBuffer>, iterations: number) {
  const given = await subtle.importKey("raw", new TextEncoder().encode(password.normalize("NFC")), "PBKDF2", false, [
    "deriveBits",
  ]);
  const bits = await subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, given, 512);
  const key = await subtle.importKey("raw", bits.slice(0, 32), "AES-GCM", false, ["encrypt", "decrypt"]);
  const check = new Uint8Array(await subtle.digest("SHA-256", bits.slice(32))).slice(0, CHECK_BYTES);
  return { key, check };
}

function cipherOf(subtle: SubtleCrypto, key: CryptoKey, nonce: Uint8Array, header: Uint8Array): FrameCipher {
  const parameters = (index: number, isLast: boolean): AesGcmParams => {
    const iv = new Uint8Array(NONCE_BYTES + 4);
    iv.set(nonce);
    new DataView(iv.buffer).setUint32(NONCE_BYTES, index);
    const additionalData = new Uint8Array(header.length + 5);
    additionalData.set(header);
    new DataView(additionalData.buffer).setUint32(header.length, index);
    additionalData[header.length + 4] = isLast ? 1 : 0;
    return { name: "AES-GCM", iv, additionalData };
  };
  return {
    encrypt: async (body, index, isLast) => new Uint8Array(await subtle.encrypt(parameters(index, isLast), key, body.slice())),
    decrypt: async (body, index, isLast) => new Uint8Array(await subtle.decrypt(parameters(index, isLast), key, body.slice())),
  };
}

function webCrypto(): SubtleCrypto {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (!subtle) throw new MemoryError("unsupported", "a password needs WebCrypto, which a page has on https and localhost only");
  return subtle;
}
