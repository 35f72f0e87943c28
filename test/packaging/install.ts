/** Packs the built package and installs the tarball in two empty apps: one bare, one with the native peer beside it. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

export interface Apps {
  /** Has keepsake from the tarball and nothing else. */
  readonly bare: string;
  /** The same with better-sqlite3, as an app of Node has it. */
  readonly equipped: string;
}

declare module "vitest" {
  interface ProvidedContext {
    apps: Apps;
  }
}

export default function install({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "keepsake-packaging-"));
  const run = (command: string, args: readonly string[], cwd: string): string =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

  run(process.execPath, ["scripts/build.mjs"], repository);
  const packed = run(npm, ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], repository);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];

  const bare = join(folder, "bare");
  cpSync(fileURLToPath(new URL("app", import.meta.url)), bare, { recursive: true });
  writeFileSync(join(bare, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  run(npm, ["install", "--no-audit", "--no-fund", "--loglevel=error", join(folder, filename)], bare);

  const equipped = join(folder, "equipped");
  cpSync(bare, equipped, { recursive: true });
  mkdirSync(join(equipped, "node_modules"), { recursive: true });
  symlinkSync(join(repository, "node_modules/better-sqlite3"), join(equipped, "node_modules/better-sqlite3"), "junction");

  provide("apps", { bare, equipped });
  return () => rmSync(folder, { recursive: true, force: true });
}
