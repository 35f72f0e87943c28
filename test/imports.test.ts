/** Imports run one way: which room may import which, and which room alone may import a package. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findCycle, type Import, importsOf, repository, sourceFiles } from "./import-graph.js";

/** The rooms of the pipeline, lowest first: each may import those before it. */
const PIPELINE = ["lre", "stm", "retrieve", "write", "ltm"] as const;
const CONTRACTS = ["types", "errors", "ports", "or-aborted"] as const;
const ENGINE = [...CONTRACTS, "text", "bytes"];
const PAGE = [
  ...CONTRACTS,
  "backend",
  "options",
  "forget-target",
  "export-stream",
  "import-options",
  "conversation",
  "memory",
  "memory-handle",
  "scorer",
  "knowledge",
  "consolidation-run",
  "model-consolidator",
  "opened-embedder",
  "attached-slm",
  "attached-consolidator",
  "attached-embedder",
  "attachments",
];

/** What each room may import beside itself. `core` puts the parts of one thread together, `memory` and `node` join
 * everything; what is not named here, such as node from anywhere, is not allowed. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  types: [],
  errors: [],
  "or-aborted": [],
  ports: ["types"],
  backend: [...CONTRACTS],
  options: [...CONTRACTS, "backend"],
  "forget-target": [...CONTRACTS],
  "export-stream": [...CONTRACTS],
  "import-options": [...CONTRACTS],
  conversation: [...CONTRACTS, "backend", "options"],
  scorer: [...CONTRACTS, "backend"],
  knowledge: [...CONTRACTS, "backend"],
  "consolidation-run": [...CONTRACTS, "backend"],
  "idle-hints": [...CONTRACTS, "backend"],
  // The consolidator's own file is loaded with its first batch.
  "model-consolidator": [...CONTRACTS, "ltm"],
  text: [...CONTRACTS],
  bytes: [],
  ...Object.fromEntries(
    PIPELINE.map((room, index) => [room, [...CONTRACTS, "text", "slm/prompts", "slm/structured", ...PIPELINE.slice(0, index)]]),
  ),
  // What a model is examined in: the roles, over memories of its own making.
  exams: [...CONTRACTS, "text", "slm/structured", ...PIPELINE],
  slm: [...ENGINE, "slm/prompts", "slm/structured"],
  // An adapter whose model runs in a worker of its own spawns and serves it.
  "slm/engines": [...CONTRACTS, "rpc", "workers/spawn"],
  "slm/prompts": [...CONTRACTS],
  "slm/structured": [...CONTRACTS],
  // A subpath whose embedder lives in a worker of its own spawns and serves it.
  embed: [...ENGINE, "rpc", "workers/spawn"],
  vector: ENGINE,
  store: ENGINE,
  "store/sqlite": [...ENGINE, "store"],
  backup: ENGINE,
  imports: ENGINE,
  rpc: [...CONTRACTS, "backend", "bytes"],
  core: [
    ...CONTRACTS,
    "backend",
    "text",
    ...PIPELINE,
    "exams",
    "slm",
    "slm/structured",
    "embed",
    "vector",
    "store",
    "backup",
    "imports",
    "workers/assets",
  ],
  "opened-embedder": [...CONTRACTS],
  "attached-slm": [...CONTRACTS, "backend"],
  "attached-consolidator": [...CONTRACTS, "backend", "consolidation-run"],
  "attached-embedder": [...CONTRACTS, "backend", "opened-embedder", "options"],
  attachments: [
    ...CONTRACTS,
    "backend",
    "consolidation-run",
    "opened-embedder",
    "options",
    "attached-slm",
    "attached-consolidator",
    "attached-embedder",
  ],
  "memory-handle": [...PAGE],
  memory: [...PAGE, "idle-hints", "rpc", "core", "store", "workers/spawn"],
  index: PAGE,
  adapters: PAGE,
  node: [...PAGE, "core", "embed", "slm", "vector", "store/sqlite", "workers/assets"],
  "workers/assets": [],
  "workers/spawn": [],
  workers: [...CONTRACTS, "core", "rpc", "embed", "slm", "slm/engines", "lre", "ltm", "workers/spawn"],
};

/** Rooms that may import a package; any other package may be imported nowhere in src and workers. */
const PACKAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^comlink$/, ["rpc"]],
  [/^idb$/, ["store"]],
  [/^ulid$/, ["core", "memory", "node"]],
  [/^@orama\/stemmers/, ["text"]],
  [/^libphonenumber-js/, ["ltm"]],
  [/^(valibot|jsonrepair|@valibot\/to-json-schema)$/, ["slm/structured", "slm/prompts"]],
  [/^@zip\.js\/zip\.js/, ["imports"]],
  [/^hnswlib-wasm/, ["vector"]],
  [/^better-sqlite3$/, ["store/sqlite"]],
  [/^@huggingface\/transformers$/, ["embed", "workers"]],
  [/^@mlc-ai\/web-llm$/, ["slm/engines", "workers"]],
  [/^@wllama\/wllama$/, ["slm/engines", "workers"]],
  [/^node-llama-cpp$/, ["slm/engines"]],
  [/^openai$/, ["slm/engines", "workers"]],
  [/^node:/, ["node", "store/sqlite"]],
];

function room(file: string): string {
  const [top = "", first = "", second] = file.split("/");
  if (top === "workers") {
    const [, named] = /^(assets|spawn)[-.]/.exec(first) ?? [];
    return named ? `workers/${named}` : "workers";
  }
  if (second === undefined) return first.replace(/\.ts$/, "");
  const inner = `${first}/${second.replace(/\.ts$/, "")}`;
  return inner in ALLOWED ? inner : first;
}

const files = [...sourceFiles("src"), ...sourceFiles("workers")];
const imports: readonly Import[] = files.flatMap(importsOf);
const ours = imports.filter(({ to }) => /^(src|workers)\//.test(to));
const foreign = imports.filter(({ to }) => !/^(src|workers)\//.test(to));
const arrow = ({ from, to }: Import): string => `${from} → ${to}`;

describe("imports", () => {
  test("every room of src has its rule", () => {
    expect(files.map(room).filter((name) => !(name in ALLOWED))).toEqual([]);
  });

  test("rooms import only what lies below them", () => {
    const wrong = ours.filter(({ from, to }) => room(from) !== room(to) && !ALLOWED[room(from)]?.includes(room(to)));
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("a package is imported by its own room alone", () => {
    const wrong = foreign.filter(
      ({ from, to }) => !PACKAGES.some(([name, rooms]) => name.test(to) && rooms.includes(room(from))),
    );
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("an optional peer is imported only when it is needed", () => {
    const { peerDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const peers = Object.keys(peerDependencies);
    const early = foreign.filter(
      ({ to, kind }) => kind === "value" && peers.some((peer) => to === peer || to.startsWith(`${peer}/`)),
    );
    expect(early.map(arrow)).toEqual([]);
  });

  test("no ring of files imports itself", () => {
    expect(findCycle(files)).toBeUndefined();
  });

  test("the demo imports the package by its public names, and what it draws graphs with", () => {
    const inside = sourceFiles("demo")
      .flatMap(importsOf)
      .filter(({ to }) => !to.startsWith("demo/") && !/^(keepsake(\/|$)|node:|graphology|sigma$)/.test(to));
    expect(inside.map(arrow)).toEqual([]);
  });
});
