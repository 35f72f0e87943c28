/** Node processes over one SQLite file, killed by SIGKILL. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ASSETS } from "../../../scripts/entries.mjs";
import type { LifeMessage, LifeOrder } from "./life.js";
import type { Life, Victim } from "./victim.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export async function openNodeVictim(): Promise<Victim> {
  // Inside the repository, so that the packages are found.
  const bundles = join(root, "node_modules/.cache/keepsake-faults", String(process.pid));
  const script = join(bundles, "node-life.mjs");
  await mkdir(bundles, { recursive: true });
  await build({
    entryPoints: [join(root, "test/faults/kill/node-life.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  for (const asset of ASSETS) await copyFile(join(root, asset), join(bundles, asset.replace("workers/", "")));
  const directory = await mkdtemp(join(tmpdir(), "keepsake-faults-"));
  // One process ahead, which has loaded everything when its life begins.
  let spare = spawn(process.execPath, [script]);

  return {
    kind: "node",
    processes: 2,
    handles: 2,
    async start(order: LifeOrder, hear: (message: LifeMessage) => void): Promise<Life> {
      const child = spare;
      spare = spawn(process.execPath, [script]);
      const life = nodeLife(child, hear);
      child.stdin.end(JSON.stringify({ ...order, directory }));
      return life;
    },
    async keep(to) {
      await cp(directory, to, { recursive: true });
    },
    async close() {
      spare.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
      await rm(bundles, { recursive: true, force: true });
    },
  };
}

function nodeLife(child: ChildProcessWithoutNullStreams, hear: (message: LifeMessage) => void): Life {
  let rest = "";
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(JSON.parse(line) as LifeMessage);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  // A process that is killed before it has read its order.
  child.stdin.on("error", () => undefined);
  // "close" comes after all that it wrote has been read.
  const ended = new Promise<string>((resolve) => {
    child.on("close", (code, signal) => resolve(`ended with ${signal ?? code}: ${said}`));
  });
  return {
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
