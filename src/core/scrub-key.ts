/** The key of a user from which placeholders are made: on this device, once, and never anywhere else. */

import type { Store } from "../ports.js";
import { untilSettled } from "./conflict.js";

const META = "scrub-key";
const BYTES = 32;

/** @returns HMAC with SHA-256 */
export async function scrubKey(store: Store): Promise<CryptoKey> {
  const bytes = await untilSettled(
    async () => {
      // Read before the key: whoever makes one in between must not lose it.
      const expectStore = await store.revision();
      const kept = await store.meta<Uint8Array<ArrayBuffer>>(META);
      const made = kept ?? crypto.getRandomValues(new Uint8Array(BYTES));
      if (!kept) await store.write({ meta: { [META]: made }, expectStore });
      return made;
    },
    async () => undefined,
  );
  return crypto.subtle.importKey("raw", Uint8Array.from(bytes), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}
