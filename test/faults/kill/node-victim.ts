/** Node processes over one SQLite file, killed by SIGKILL. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LifeMessage, LifeOrder } from "./life.js";
import { bundleForNode } from "./node-bundle.js";
import type { Life, Victim } from "./victim.js";

export async function openNodeVictim(): Promise<Victim> {
  const { script, remove } = await bundleForNode("test/faults/kill/node-life.ts");
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
      await remove();
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
