/** `npm run bench -- [--out DIR]`: sizes of what is built, and times in a Chromium worker with hnswlib-wasm beside ours. */

import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzippedSize } from "../scripts/check-size.mjs";
import { benchBackup } from "./backup.js";
import { benchDurability } from "./durability.js";
import { benchKnowledge } from "./knowledge.js";
import { benchMemory } from "./memory.js";
import { benchStuckEngine } from "./stuck-engine.js";
import { benchVectors } from "./vector.js";

const { values } = parseArgs({
  options: { out: { type: "string" }, seed: { type: "string", default: "1" }, entries: { type: "string", default: "10000" } },
});
const seed = Number(values.seed);
const entries = Number(values.entries);
const startedAt = new Date().toISOString();

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
console.log("vectors …");
const vectors = await benchVectors({ seed });
console.log("memory …");
const memory = await benchMemory({ entries, seed });
console.log("knowledge …");
const knowledge = await benchKnowledge({ seed });
console.log("a model that never answers …");
const stuck = await benchStuckEngine({ seed });
console.log("durability …");
const durability = await benchDurability({ seed });
console.log("backups and another embedder …");
const backup = await benchBackup({ entries, seed });
const figures: Record<string, number> = {
  ...vectors.figures,
  ...memory,
  ...knowledge,
  ...stuck,
  ...durability,
  ...backup,
  "bundle.pageGzipKB": gzippedSize(dist, "index.js").size,
  "bundle.workerGzipKB": gzippedSize(dist, "memory.worker.js").size,
  "embedder.fileMB": statSync(join(dist, "embeddings.bin")).size / 1e6,
};

const report = {
  command: "bench",
  options: { entries },
  seed,
  versions: { node: process.version, browser: vectors.browser },
  machine: { processor: cpus()[0]?.model ?? "unknown", processors: cpus().length },
  startedAt,
  figures,
  intervals: {},
  failed: 0,
};
const table = [
  `${startedAt.slice(0, 10)}, ${vectors.browser}, ${report.machine.processors} × ${report.machine.processor}`,
  "",
  "| figure | value |",
  "|---|---|",
  ...Object.entries(figures).map(([name, value]) => `| ${name} | ${Number(value.toPrecision(3))} |`),
].join("\n");
console.log(table);
if (values.out !== undefined) {
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(values.out, "report.md"), `# Bench\n\n${table}\n`);
}
