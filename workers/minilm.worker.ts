/** The MiniLM worker: bulk embedding runs here and never stands before a query. */

import { serveMiniLm } from "../src/embed/minilm-server.js";

serveMiniLm((url) =>
  url === undefined ? import("@huggingface/transformers") : import(/* @vite-ignore */ /* webpackIgnore: true */ url),
);
