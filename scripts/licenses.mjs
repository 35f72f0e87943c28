/** The licence texts of the libraries whose code ends up in `dist/`, found from what the bundler really took. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Licences under which code may be shipped inside an Apache-2.0 package by naming it. */
const PERMISSIVE = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"]);

/** The folder of the package that holds a module, or undefined for a module of ours.
 * @param {string} id absolute path of the module, perhaps with a query */
function packageFolder(id) {
  const marker = `${sep}node_modules${sep}`;
  const at = id.lastIndexOf(marker);
  if (at < 0) return undefined;
  const [first, second] = id.slice(at + marker.length).split(sep);
  return join(id.slice(0, at + marker.length), first.startsWith("@") ? join(first, second) : first);
}

/** Name and notice of the package in a folder.
 * @throws Error when its code may not be shipped so */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!PERMISSIVE.has(license)) throw new Error(`${name} is under ${license}, which cannot be shipped inside this package`);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file && license !== "Apache-2.0") throw new Error(`${name} has no licence text to ship`);
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "Apache License 2.0: see LICENSE of this package.";
  return { name, notice: `${name} ${version} (${license})\n\n${text}` };
}

/** @param {readonly { moduleIds: readonly string[] }[]} chunks
 * @param {string} target file to write
 * @returns {string[]} names of the packages that are part of the build */
export function writeLicences(chunks, target) {
  const folders = new Set(chunks.flatMap((chunk) => chunk.moduleIds).map(packageFolder));
  folders.delete(undefined);
  const licences = [...folders].map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  const rule = `\n\n${"-".repeat(78)}\n\n`;
  const head = "Keepsake is under the Apache License 2.0 (LICENSE). Its build contains code of the following packages.";
  writeFileSync(target, `${[head, ...licences.map(({ notice }) => notice)].join(rule)}\n`);
  return licences.map(({ name }) => name);
}
