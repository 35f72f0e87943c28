/** What knip takes as used: the package's entries, and files that are run or loaded by their path. */
import { PAGES, WORKERS } from "./scripts/entries.mjs";

export default {
  entry: [
    ...Object.values(PAGES),
    ...Object.values(WORKERS),
    "{bench,eval,test}/**/*.worker.ts",
    "scripts/*.mjs",
    "test/faults/kill/*-life.ts",
    "scripts/train-*/{train,main}.ts",
    "test/**/*.test.ts",
  ],
  project: ["{src,workers,demo,bench,eval,test}/**/*.ts", "scripts/**/*.{ts,mjs}"],
  ignore: ["test/packaging/app/**"],
  // Run by scripts/check.mjs.
  ignoreDependencies: ["@arethetypeswrong/cli", "publint"],
  ignoreExportsUsedInFile: true,
};
