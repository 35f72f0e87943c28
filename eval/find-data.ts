/** Finds the benchmarks under a path and says what it found. */

import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Dataset } from "./data/dataset.js";
import { openLocomo } from "./data/locomo.js";
import { type LongMemEvalOptions, openLongMemEval } from "./data/longmemeval.js";

async function openFolder(folder: string, options: LongMemEvalOptions): Promise<Dataset[]> {
  const names = await readdir(folder);
  const found: Dataset[] = [];
  const locomo = names.find((name) => /^locomo.*\.json$/.test(name));
  if (locomo) found.push(openLocomo(join(folder, locomo)));
  if (names.some((name) => /^questions-.*\.jsonl\.gz$/.test(name))) found.push(openLongMemEval(folder, options));
  const official = names.find((name) => /^longmemeval.*\.json$/.test(name));
  if (official) found.push(openLongMemEval(join(folder, official), options));
  return found;
}

/** @param path a file in an official format, a folder that holds one, or a folder of such folders
 * @throws RangeError when there is nothing that can be read */
export async function findData(path: string, options: LongMemEvalOptions = {}): Promise<Dataset[]> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind) throw new RangeError(`there is no file or folder ${path}; give the data with --data PATH`);
  if (kind.isFile()) return [basename(path).startsWith("longmemeval") ? openLongMemEval(path, options) : openLocomo(path)];
  const here = await openFolder(path, options);
  const names = await readdir(path, { withFileTypes: true });
  const below = await Promise.all(
    names
      .filter((entry) => entry.isDirectory() && /^(?:locomo|longmemeval)/.test(entry.name))
      .map((entry) => openFolder(join(path, entry.name), options)),
  );
  const found = [...here, ...below.flat()];
  if (found.length === 0) throw new RangeError(`no LoCoMo or LongMemEval files in ${path}`);
  return found;
}
