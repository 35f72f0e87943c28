/** The memory worker: store, indexes, static embeddings, search and the lite roles. */

import { openBrowserBackend } from "../src/core/browser.js";
import { remoteTrainer } from "../src/rpc/lre-client.js";
import { serveMemory } from "../src/rpc/memory-server.js";
import { spawnLreWorker } from "./spawn-lre.js";

const trainer = remoteTrainer(spawnLreWorker);

serveMemory((options, parts) => openBrowserBackend(options, { ...parts, trainer }));
