/** A script that uses the sources, as one file that Node runs in a process of its own. */

import { copyFile, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ASSETS } from "../../../scripts/entries.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface NodeBundle {
  readonly script: string;
  remove(): Promise<void>;
}

/** @param source from the repository's root */
export async function bundleForNode(source: string): Promise<NodeBundle> {
  const name = basename(source, ".ts");
  // Inside the repository, so that the packages are found.
  const folder = join(root, "node_modules/.cache/keepsake-faults", `${process.pid}-${name}`);
  const script = join(folder, `${name}.mjs`);
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(root, source)],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  for (const asset of ASSETS) await copyFile(join(root, asset), join(folder, asset.replace("workers/", "")));
  return { script, remove: () => rm(folder, { recursive: true, force: true }) };
}
