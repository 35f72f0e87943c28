/** The built kernel, read as Node reads files. */

import { readFile } from "node:fs/promises";
import { type Kernel, openKernel } from "../../src/vector/kernel.js";
import { kernelUrl } from "../../workers/assets.js";

export async function nodeKernel(): Promise<Kernel> {
  const opened = await openKernel(await readFile(kernelUrl()));
  if (!opened.kernel) throw new Error(opened.reason);
  return opened.kernel;
}
