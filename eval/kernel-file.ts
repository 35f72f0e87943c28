/** Opens the SIMD kernel that the build made, if it is there. */

import { readFile } from "node:fs/promises";
import { type Kernel, openKernel } from "../src/vector/kernel.js";

/** Plain JS scans without it, to the same results. */
export async function loadKernelFile(): Promise<Kernel | undefined> {
  const bytes = await readFile(new URL("../workers/kernel.wasm", import.meta.url)).catch(() => undefined);
  return bytes ? (await openKernel(bytes)).kernel : undefined;
}
