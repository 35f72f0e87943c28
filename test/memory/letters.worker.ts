/** An embedder in a worker of its own, so that a test can end it: shares of letters, no semantics. */

import { serveEmbedder } from "../../src/rpc/embedder.js";
import { letterEmbedder } from "./letters.js";

self.onmessage = ({ data }: MessageEvent<MessagePort>) => serveEmbedder(letterEmbedder, data);
