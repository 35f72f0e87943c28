import { openMemory } from "../../src/index.js";
import { memoryContract } from "./contract.js";

memoryContract("page", { open: (options) => openMemory({ userId: "me", worker: false, ...options }) });
