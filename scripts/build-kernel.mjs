/** Compiles src/vector/kernel/*.as into workers/kernel.wasm; does nothing where AssemblyScript is not installed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sources = new URL("../src/vector/kernel/", import.meta.url);
const target = new URL("../workers/kernel.wasm", import.meta.url);

/** @returns the compiler's API, or undefined in an install without development packages */
async function compiler() {
  try {
    return (await import("assemblyscript/asc")).default;
  } catch (error) {
    if (error?.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function isCurrent() {
  if (!existsSync(target)) return false;
  const files = [fileURLToPath(import.meta.url), ...readdirSync(sources).map((name) => fileURLToPath(new URL(name, sources)))];
  return files.every((file) => statSync(file).mtimeMs <= statSync(target).mtimeMs);
}

/** The compiler asks for `.ts`, which the rest of the tool chain would take for TypeScript. */
function readSource(name) {
  const file = new URL(name.replace(/\.ts$/, ".as"), sources);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

const asc = existsSync(sources) && !isCurrent() ? await compiler() : undefined;

if (asc) {
  let binary;
  const flags = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd", "--use", "abort="];
  const { error, stderr } = await asc.main(["scan.ts", "--outFile", "kernel.wasm", ...flags], {
    readFile: readSource,
    writeFile: (name, contents) => {
      if (name === "kernel.wasm") binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`the kernel does not compile: ${error?.message ?? "no output"}\n${stderr.toString()}`);
  mkdirSync(new URL("./", target), { recursive: true });
  writeFileSync(target, binary);
}
