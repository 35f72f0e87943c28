/** Weights that are kept in the origin's private file system: fetched once, from where a download was cut; in a worker. */

import { MemoryError } from "../../errors.js";
import { type DownloadOptions, downloadInto, type FileNote, type SyncFile } from "./model-download.js";

export interface KeptModel {
  readonly url: string;
  /** Bytes that are here. */
  readonly sizeBytes: number;
  /** Without it the next `open` goes on with the download. */
  readonly isWhole: boolean;
}

export interface FetchOptions extends DownloadOptions {
  /** SHA-256 of the file in hexadecimal digits; unchecked by default. */
  readonly sha256?: string | undefined;
}

const FOLDER = "keepsake-models";
const NOTE = ".json";

/** What the language's libraries know in workers only. */
type WorkerFileHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> };

export class ModelFiles {
  readonly #folder: FileSystemDirectoryHandle;

  private constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  /** @throws MemoryError "storage-unavailable" */
  static async open(): Promise<ModelFiles> {
    try {
      const root = await navigator.storage.getDirectory();
      return new ModelFiles(await root.getDirectoryHandle(FOLDER, { create: true }));
    } catch (cause) {
      throw new MemoryError("storage-unavailable", "this browser keeps no files of this page (a private window?)", { cause });
    }
  }

  /** The whole file, from here where it is, else fetched; a second tab waits for the first.
   * @throws MemoryError "asset-unavailable" | "quota-exceeded"; the signal's reason */
  async fetch(url: string, options: FetchOptions): Promise<File> {
    const name = await nameOf(url);
    const { signal } = options;
    return navigator.locks.request(`keepsake:model:${name}`, { ...(signal && { signal }) }, () =>
      this.#fetchAlone(url, name, options),
    );
  }

  async list(): Promise<readonly KeptModel[]> {
    const models: KeptModel[] = [];
    for await (const name of this.#folder.keys()) {
      if (!name.endsWith(NOTE)) continue;
      const file = name.slice(0, -NOTE.length);
      const note = await this.#note(file);
      const size = await this.#size(file);
      if (note) models.push({ url: note.url, sizeBytes: size, isWhole: note.isWhole && size === note.sizeBytes });
    }
    return models;
  }

  /** Deletes what is here of it, whole or not. */
  async remove(url: string): Promise<void> {
    const name = await nameOf(url);
    for (const entry of [name, name + NOTE]) await this.#folder.removeEntry(entry).catch(ignoreMissing);
  }

  async #fetchAlone(url: string, name: string, options: FetchOptions): Promise<File> {
    const handle = await this.#folder.getFileHandle(name, { create: true });
    const known = await this.#note(name);
    if (!(known?.isWhole && known.sizeBytes === (await this.#size(name)))) {
      const file = await (handle as WorkerFileHandle).createSyncAccessHandle();
      let note: FileNote;
      try {
        note = await downloadInto(file, url, known, (begun) => this.#takeNote(name, begun), options);
      } catch (error) {
        file.close();
        // A browser without room is no place for half a model.
        if (error instanceof MemoryError && error.code === "quota-exceeded") await this.remove(url);
        throw error;
      }
      file.close();
      if (options.sha256 !== undefined) await this.#verify(url, handle, options.sha256);
      await this.#takeNote(name, note);
    }
    return handle.getFile();
  }

  async #verify(url: string, handle: FileSystemFileHandle, sha256: string): Promise<void> {
    const digest = await crypto.subtle.digest("SHA-256", await (await handle.getFile()).arrayBuffer());
    const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (found === sha256.toLowerCase()) return;
    await this.remove(url);
    throw new MemoryError(
      "asset-unavailable",
      `${url} has SHA-256 ${found}, not ${sha256}: it was altered, or is another version`,
    );
  }

  async #note(name: string): Promise<FileNote | undefined> {
    try {
      const handle = await this.#folder.getFileHandle(name + NOTE);
      return JSON.parse(await (await handle.getFile()).text()) as FileNote;
    } catch {
      // None, or half a note: the file is fetched from its beginning.
      return undefined;
    }
  }

  async #takeNote(name: string, note: FileNote): Promise<void> {
    const handle = await this.#folder.getFileHandle(name + NOTE, { create: true });
    const file = await (handle as WorkerFileHandle).createSyncAccessHandle();
    const bytes = new TextEncoder().encode(JSON.stringify(note));
    file.truncate(0);
    file.write(bytes, { at: 0 });
    file.flush();
    file.close();
  }

  async #size(name: string): Promise<number> {
    const handle = await this.#folder.getFileHandle(name).catch(ignoreMissing);
    return handle ? (await handle.getFile()).size : 0;
  }
}

async function nameOf(url: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(url));
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof DOMException && error.name === "NotFoundError") return undefined;
  throw error;
}
