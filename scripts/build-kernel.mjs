/** Compiles src/vector/kernel.as into workers/kernel.wasm; does nothing where AssemblyScript is not installed. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src/vector/kernel.as", import.meta.url));
const target = fileURLToPath(new URL("../workers/kernel.wasm", import.meta.url));

/** @returns the compiler's API, or undefined in an install without development packages */
async function compiler() {
  try {
    return (await import("assemblyscript/asc")).default;
  } catch (error) {
    if (error?.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

const script = fileURLToPath(import.meta.url);
const newest = existsSync(source) ? Math.max(statSync(source).mtimeMs, statSync(script).mtimeMs) : 0;
const isCurrent = existsSync(target) && statSync(target).mtimeMs >= newest;
const asc = newest > 0 && !isCurrent ? await compiler() : undefined;

if (asc) {
  const { error, binary, stderr } = await asc.compileString(
    { "kernel.ts": readFileSync(source, "utf8") },
    { optimizeLevel: 3, shrinkLevel: 0, converge: true, noAssert: true, runtime: "stub", enable: "simd", use: ["abort="] },
  );
  if (error || !binary) throw new Error(`the kernel does not compile: ${error?.message ?? "no output"}\n${stderr.toString()}`);
  mkdirSync(new URL("../workers/", import.meta.url), { recursive: true });
  writeFileSync(target, binary);
}
