/** The memory worker: store, indexes, static embeddings, search and the lite roles. */

import { openBrowserBackend } from "../src/core/browser.js";
import { serveMemory } from "../src/rpc/memory-server.js";

serveMemory(openBrowserBackend);
