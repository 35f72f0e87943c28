/** An embedder in a worker of its own under a name of the test's choice. */

import { serveEmbedder } from "../../src/rpc/embedder.js";
import { letterEmbedder } from "../memory/letters.js";

self.onmessage = ({ data }: MessageEvent<{ readonly id: string; readonly port: MessagePort }>) =>
  serveEmbedder({ ...letterEmbedder, id: data.id }, data.port);
