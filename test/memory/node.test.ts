import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openMemory } from "../../src/node/index.js";
import { memoryContract } from "./contract.js";

const directory = mkdtempSync(join(tmpdir(), "keepsake-"));
afterAll(() => rmSync(directory, { recursive: true }));

memoryContract("node", { open: (options) => openMemory({ userId: "me", directory, ...options }) });
