/** What `export` takes. */

export interface ExportProgress {
  /** Turns and entries written. */
  readonly done: number;
  readonly total: number;
}

export interface ExportOptions {
  /** Encrypts the backup: AES-256-GCM under a key of PBKDF2 (600,000 rounds of HMAC-SHA-256). Whoever loses it cannot read the
   * backup; there is no other way in. Needs WebCrypto, which a page has on https and localhost only. */
  readonly password?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}
