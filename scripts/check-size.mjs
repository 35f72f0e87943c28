/** What a page and a worker load before their first call, gzipped: a script with all that it imports statically. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** KiB after gzip. Embeddings and kernel are files of their own and not counted. */
const LIMITS = { "index.js": 12, "memory.worker.js": 80 };

const STATIC_IMPORT = /\b(?:import|from)\s*["'](\.[^"']+)["']/g;

/** @returns {Set<string>} the file and everything that it cannot start without */
function staticClosure(dist, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier] of readFileSync(join(dist, file), "utf8").matchAll(STATIC_IMPORT))
    staticClosure(dist, specifier.replace(/^\.\//, ""), seen);
  return seen;
}

/** @returns KiB after gzip of the file and all that it loads before its first call, and how many files that is */
export function gzippedSize(dist, file) {
  const files = [...staticClosure(dist, file)];
  return {
    size: files.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0) / 1024,
    files,
  };
}

/** @param {string} dist
 * @returns {boolean} whether all are within their limits */
export function checkSizes(dist) {
  return Object.entries(LIMITS)
    .map(([file, limit]) => {
      const { size, files } = gzippedSize(dist, file);
      console.log(`${file}: ${size.toFixed(1)} of ${limit} KiB gzip in ${files.length} file${files.length === 1 ? "" : "s"}`);
      return size <= limit;
    })
    .every(Boolean);
}
