/** Reads which module imports what, by TypeScript's parser: static and dynamic imports, re-exports, types told apart. */

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const repository = fileURLToPath(new URL("..", import.meta.url));

export interface Import {
  /** The importing file, from the repository's root, with "/". */
  readonly from: string;
  /** A file of the repository ("src/errors.ts"), or the specifier of a package. */
  readonly to: string;
  readonly kind: "value" | "type" | "dynamic";
}

/** Every TypeScript file below a folder of the repository. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => posix.join(folder, name.split(sep).join("/")));
}

const parsed = new Map<string, readonly Import[]>();

/** The imports of one file, in order. */
export function importsOf(from: string): readonly Import[] {
  const known = parsed.get(from) ?? parse(from);
  parsed.set(from, known);
  return known;
}

function parse(from: string): Import[] {
  const source = ts.createSourceFile(from, readFileSync(join(repository, from), "utf8"), ts.ScriptTarget.ES2022, false);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import["kind"]): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    const to = text.startsWith(".") ? posix.join(posix.dirname(from), text).replace(/\.js$/, ".ts") : text;
    found.push({ from, to, kind });
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause) ? "type" : "value");
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly ? "type" : "value");
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, "type");
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], "dynamic");
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

/** Whether an import brings in nothing at run time. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return !clause.name && named !== undefined && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
}

/** @returns a ring of files in which each imports the next at its start, or undefined */
export function findCycle(files: readonly string[]): string[] | undefined {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (state.get(file) === "done") return undefined;
    if (state.get(file) === "open") return [...path.slice(path.indexOf(file)), file];
    state.set(file, "open");
    path.push(file);
    for (const { to, kind } of importsOf(file)) {
      const cycle = kind === "value" && files.includes(to) ? visit(to) : undefined;
      if (cycle) return cycle;
    }
    path.pop();
    state.set(file, "done");
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}
