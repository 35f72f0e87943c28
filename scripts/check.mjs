/** `npm run check`: everything that can be said of the code without running it, and of the package as it would be published.
 * All steps run, whatever the earlier ones find. `npm run check -- lint types` runs the named ones. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSizes } from "./check-size.mjs";
import { ASSETS, WORKERS } from "./entries.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = join(root, "node_modules");
const scratch = mkdtempSync(join(tmpdir(), "keepsake-check-"));

/** Whether a script of ours, or a tool's, ended well. */
function node(script, ...args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" }).status === 0;
}

/** @returns {string} the tarball of what `dist/` holds now */
function pack() {
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", scratch], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return join(scratch, JSON.parse(packed)[0].filename);
}

// Worker and asset files have no types, and nobody imports from them.
const untyped = [...Object.keys(WORKERS).map((name) => `${name}.js`), ...ASSETS.map((path) => basename(path))];

const STEPS = {
  lint: () => node(join(packages, "@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."),
  types: () =>
    ["page", "worker", "node"]
      .map((program) => node(join(packages, "typescript/bin/tsc"), "-p", `tsconfig.${program}.json`))
      .every(Boolean),
  unused: () => node(join(packages, "knip/bin/knip.js")),
  build: () => node(join(root, "scripts/build.mjs")),
  publint: () => node(join(packages, "publint/src/cli.js"), "--strict", "--pack", "false"),
  attw: () =>
    node(
      join(packages, "@arethetypeswrong/cli/dist/index.js"),
      pack(),
      "--profile",
      "esm-only",
      "--format",
      "ascii",
      "--exclude-entrypoints",
      ...untyped,
    ),
  size: () => checkSizes(join(root, "dist")),
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in STEPS));
if (unknown.length > 0) throw new RangeError(`no step named ${unknown.join(", ")}; there are ${Object.keys(STEPS).join(", ")}`);

const failed = [];
for (const name of named.length > 0 ? named : Object.keys(STEPS)) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  let passed = false;
  try {
    passed = STEPS[name]();
  } catch (error) {
    console.log(error);
  }
  console.log(`${name}: ${passed ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  if (!passed) failed.push(name);
}
rmSync(scratch, { recursive: true, force: true });
console.log(failed.length === 0 ? "\nall checks passed" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
