/** The key of a user from which placeholders are made: on this device, once, and never anywhere else. */

import type { Store } from "../ports.js";

const META = "scrub-key";
const BYTES = 32;

/** @returns HMAC with SHA-256 */
export async function scrubKey(store: Store): Promise<CryptoKey> {
  const kept = await store.meta<Uint8Array<ArrayBuffer>>(META);
  const bytes = kept ?? crypto.getRandomValues(new Uint8Array(BYTES));
  if (!kept) await store.write({ meta: { [META]: bytes }, expectStore: await store.revision() });
  return crypto.subtle.importKey("raw", Uint8Array.from(bytes), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}
