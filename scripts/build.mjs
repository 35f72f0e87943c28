/** Builds the package into a flat `dist/`: pages together, each worker alone, assets as files, declarations, licences.
 *
 * Vite's library mode is no way to do it: it turns assets into base64 and rewrites the worker's URL. Everything is
 * inlined but the optional peers, and a bare import that is neither stops the build. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ts from "typescript";
import { ASSETS, PAGES, WORKERS } from "./entries.mjs";
import { writeLicences } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const peers = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).peerDependencies);

/** Whether the app, not the package, brings this module. */
function isExternal(specifier) {
  return specifier.startsWith("node:") || peers.some((peer) => specifier === peer || specifier.startsWith(`${peer}/`));
}

/** Where a worker loads files later, puts all that it starts with, besides its entry, into a chunk. Later files share code with it,
 * and what they shared with the entry they would import by its plain name: a dev server that gives workers a query
 * (`memory.worker.js?worker_file`) would run it a second time, and both would answer. */
function startOf(entry) {
  const start = new Set();
  let loadsLater = false;
  const walk = (id, context) => {
    const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
    loadsLater ||= dynamicallyImportedIds.some(isAbsolute);
    for (const next of importedIds)
      if (!start.has(next)) {
        start.add(next);
        walk(next, context);
      }
  };
  return (id, context) => {
    if (start.size === 0) walk(join(root, entry), context);
    return loadsLater && start.has(id) ? "start" : null;
  };
}

/** @returns the chunks that were written */
async function bundle(input, chunkPrefix, chunkOf) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: "browser",
    external: isExternal,
    onLog(level, log) {
      if (level === "warn") throw new Error(`${log.code}: ${log.message}`);
    },
  });
  const { output } = await build.write({
    dir: dist,
    format: "esm",
    sourcemap: true,
    ...(chunkOf && { codeSplitting: { groups: [{ name: chunkOf, debugName: "start" }] } }),
    // The declarations hold the docs, the source maps the sources; a page without a bundler loads half as much.
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: `${chunkPrefix}[name]-[hash].js`,
  });
  await build.close();
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName } of chunks) requote(join(dist, fileName));
  return chunks;
}

/** The minifier writes every string in backticks, but bundlers look for `new URL("…")` and `import("…")` by their syntax,
 * and not all of them read a template there. As long as the strings keep their lengths, the source map holds. */
function requote(path) {
  const code = readFileSync(path, "utf8");
  writeFileSync(path, code.replace(/\b(new URL|import)\(`([^`$\\]*)`/g, '$1("$2"'));
}

/** Writes the declarations of the entries and of what they import, as a tree like the sources'; no others. */
function writeDeclarations() {
  const { config, error } = ts.readConfigFile(join(root, "tsconfig.node.json"), ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, "\n"));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: Object.values(PAGES) }, ts.sys, root);
  const program = ts.createProgram(
    Object.values(PAGES).map((source) => join(root, source)),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: join(dist, "types"), rootDir: root },
  );
  const emitted = new Map();
  const { diagnostics } = program.emit(undefined, (file, text) => emitted.set(normalize(file), text));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => "\n" };
    throw new Error(`no declarations:\n${ts.formatDiagnostics(problems, host)}`);
  }
  const write = (file) => {
    const text = emitted.get(file);
    if (text === undefined) return;
    emitted.delete(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles)
      if (fileName.startsWith(".")) write(join(dirname(file), fileName.replace(/\.js$/, ".d.ts")));
  };
  for (const source of Object.values(PAGES)) write(join(dist, "types", source.replace(/\.ts$/, ".d.ts")));
}

execFileSync(process.execPath, [join(root, "scripts/build-kernel.mjs")], { stdio: "inherit" });
const sources = [...Object.values(PAGES), ...Object.values(WORKERS), ...ASSETS];
const missing = sources.filter((source) => !existsSync(join(root, source)));
if (missing.length > 0) throw new Error(`scripts/entries.mjs names files that are not there: ${missing.join(", ")}`);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const chunks = await bundle(PAGES, "");
for (const [name, source] of Object.entries(WORKERS))
  chunks.push(...(await bundle({ [name]: source }, `${name}-`, startOf(source))));
for (const asset of ASSETS) copyFileSync(join(root, asset), join(dist, basename(asset)));
writeDeclarations();
const licensed = writeLicences(chunks, join(dist, "THIRD-PARTY-LICENSES.txt"));
console.log(`dist: ${chunks.length} scripts, ${ASSETS.length} assets, with code of ${licensed.join(", ") || "nobody else"}`);
