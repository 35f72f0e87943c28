/** package.json, the list of entries and the built files agree, and the declarations stand on their own. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { expect, inject, test } from "vitest";
import { ASSETS, PAGES, WORKERS } from "../../scripts/entries.mjs";
import { repository } from "../import-graph.js";

const { bare } = inject("apps");
const installed = join(bare, "node_modules/keepsake");
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: unknown;
};

test("package.json exports what scripts/entries.mjs lists, and nothing else", () => {
  const expected = {
    ...Object.fromEntries(
      Object.entries(PAGES).map(([name, source]) => [
        name === "index" ? "." : `./${name}`,
        { types: `./dist/types/${source.replace(/\.ts$/, ".d.ts")}`, default: `./dist/${name}.js` },
      ]),
    ),
    ...Object.fromEntries(Object.keys(WORKERS).map((name) => [`./${name}.js`, `./dist/${name}.js`])),
    ...Object.fromEntries(ASSETS.map((path) => [`./${basename(path)}`, `./dist/${basename(path)}`])),
    "./package.json": "./package.json",
  };
  expect(manifest.exports).toEqual(expected);
  expect(manifest.dependencies).toBeUndefined();
});

test("the sources resolve the public names as the package does", () => {
  const { config } = ts.readConfigFile(join(repository, "tsconfig.base.json"), ts.sys.readFile) as {
    readonly config: { readonly compilerOptions: { readonly paths: unknown } };
  };
  const expected = Object.entries(PAGES).map(([name, source]) => [
    name === "index" ? "keepsake" : `keepsake/${name}`,
    [`./${source}`],
  ]);
  expect(config.compilerOptions.paths).toEqual(Object.fromEntries(expected));
});

test("every exported file is in the tarball", () => {
  const files = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  expect(files.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
});

test("no file imports a worker's entry, which would serve a second time under another URL", () => {
  const dist = join(installed, "dist");
  const entries = Object.keys(WORKERS).map((name) => `./${name}.js`);
  const importers = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .filter((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(dist, file), "utf8"));
      return importedFiles.some(({ fileName }) => entries.includes(fileName));
    });
  expect(importers).toEqual([]);
});

test("the licence texts of bundled libraries are in the tarball", () => {
  const notices = readFileSync(join(installed, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(notices).toContain("comlink");
  expect(notices).toContain("Permission to use, copy, modify"); // idb's ISC licence
});

test.each([
  ["NodeNext", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ["bundler", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
])("the declarations compile in an empty app under %s resolution", (_, module, moduleResolution) => {
  const program = ts.createProgram([join(bare, "types.ts")], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  expect(problems).toEqual([]);
});
