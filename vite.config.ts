/** `npm start`: serves the demo from its sources; `npm run demo:build` makes it a static site. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { PREBUNDLED, sourceAliases } from "./scripts/entries.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: "demo",
  base: "./",
  resolve: { alias: sourceAliases(root) },
  optimizeDeps: { include: PREBUNDLED },
  server: { fs: { allow: [root] } },
  worker: { format: "es" },
  build: { outDir: "../out/demo", emptyOutDir: true, target: "es2022" },
});
